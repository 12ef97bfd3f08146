#!/usr/bin/env python3
"""Compares the Xiangqi move rules of the `eval rules` program with those of pyffish on random games.

Not part of the test run. Needs `pip install pyffish`. Run as

    python tests/peers/xiangqi_legal.py PATH_TO_EVAL_BINARY [--games 2000] [--seed 1]

Random games from the start position, at most 300 plies each, are played in pyffish until a side has no legal move
neither side has a piece besides general, advisors and elephants, or 120 moves were made without a capture. In half of them captures are preferred, so that
endings are seen as well. Of each position the program is asked for the legal moves, of each move for the position
after it, and of the last position for the result. Compared are

- the legal moves, both lists sorted;
- the position after the move: board, side to move, round (sixth field) and the plies since the last capture (fifth
  field). pyffish counts the latter two the same way; its text has `- -` as third and fourth field as well;
- the result: who has no legal move loses; else the game is `ongoing`, as no limit and no repetition is judged here.

The program reads one request a line and answers with one line. A game's requests are written by a thread while the
answers are read, so that neither pipe can fill up on both ends. One line sums up the run; the exit status is 1 if
anything differs. The first ten differences are written to standard error.
"""

import argparse
import random
import re
import subprocess
import sys
import threading

import pyffish

VARIANT = "xiangqi"
MAX_PLIES = 300
# Here the program ends a game as a draw.
QUIET_LIMIT = 120


def occupied(board):
    """Names of the squares that bear a piece."""
    rows = (re.sub(r"\d", lambda gap: "-" * int(gap[0]), row) for row in board.split("/"))
    return {"abcdefghi"[file] + str(rank) for rank, row in zip(range(10, 0, -1), rows)
            for file, piece in enumerate(row) if piece != "-"}


def random_game(rng):
    """Requests to the program, each with the answer that is expected."""
    fen, greed, asked = pyffish.start_fen(VARIANT), rng.choice([0, 0.5]), []
    for ply in range(MAX_PLIES + 1):
        legal = sorted(pyffish.legal_moves(VARIANT, fen, []))
        board, side, _, _, quiet, _ = fen.split()
        if int(quiet) == QUIET_LIMIT:
            return asked
        asked.append((f"legal {VARIANT} {fen}", " ".join(legal)))
        if not legal or ply == MAX_PLIES or not set(board.lower()) & set("rncp"):
            loser_to_move = "black" if side == "w" else "red"
            asked.append((f"result {VARIANT} {fen}", "ongoing" if legal else loser_to_move))
            return asked
        taken = occupied(board)
        captures = [m for m in legal if m[len(m) - 2 - (m[-2:] == "10"):] in taken]
        move = rng.choice(captures if captures and rng.random() < greed else legal)
        after = pyffish.get_fen(VARIANT, fen, [move])
        asked.append((f"apply {VARIANT} {fen} | {move}", after))
        fen = after
    return asked


class Program:
    """The program under test behind a pair of pipes."""

    def __init__(self, path):
        self.process = subprocess.Popen([path, "rules"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, requests):
        def write():
            try:
                self.process.stdin.write("".join(request + "\n" for request in requests))
                self.process.stdin.flush()
            except BrokenPipeError:
                pass  # the reader below finds the end of the answers

        writer = threading.Thread(target=write)
        writer.start()
        answers = [self.process.stdout.readline() for _ in requests]
        writer.join()
        if "" in answers:
            raise SystemExit(f"the program ended after the request: {requests[answers.index('')]}")
        return [answer.rstrip("\r\n") for answer in answers]

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def same(request, ours, theirs):
    """Moves are compared as sorted lists, everything else as text."""
    return sorted(ours.split()) == theirs.split() if request.startswith("legal ") else ours == theirs


def main():
    parser = argparse.ArgumentParser(description="Compares Xiangqi move rules with pyffish on random games.")
    parser.add_argument("program", help="path of the eval binary")
    parser.add_argument("--games", type=int, default=2000, help="number of games (default 2000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random choices (default 1)")
    options = parser.parse_args()
    rng, program = random.Random(options.seed), Program(options.program)
    positions = moves = differences = 0
    for _ in range(options.games):
        asked = random_game(rng)
        answers = program.ask([request for request, _ in asked])
        for (request, expected), answer in zip(asked, answers):
            if request.startswith("legal "):
                positions += 1
                moves += len(expected.split())
            if not same(request, answer, expected):
                differences += 1
                if differences <= 10:
                    print(f"{request}\n  program {answer}\n  pyffish {expected}", file=sys.stderr)
    program.close()
    print(f"{options.games} games, {positions} positions, {moves} moves compared, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
