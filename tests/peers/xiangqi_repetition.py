#!/usr/bin/env python3
"""Makes judged cases of the Xiangqi repetition law with the help of pyffish.

Not part of the test run. Needs `pip install pyffish`. Run (some minutes) as

    python tests/peers/xiangqi_repetition.py --count 600 --seed 1 > repetition_peer.tsv

Four tab-separated columns: `xiangqi`, FEN, UCI moves separated by spaces, verdict `red`, `black` (the winner) or
`draw` by pyffish, which judges by the Asian (AXF) rule. The last move makes the third occurrence of a position (board
and side), no earlier one does. All moves are legal, the counters stay far from the limit of moves without a capture.
The same seed gives the same lines. Sources:

1. Cycles of 2, 3 or 4 moves a side, played twice, in random positions: one side hunts a piece of the other, the general
   included, with moves that newly attack it; some of its moves are free, so that near misses turn up, too.
2. Neighbours of a case: one piece is added, removed, moved or replaced, and the same moves get another verdict.
3. Lead-ins: one to three moves are put before a cycle (they matter: the one that enters it may have to chase, too).
4. Duels: two cases, one lost by each side, are laid upon each other, and each side plays what lost.

A case is kept only while its class (source, verdict, length, kinds of the pieces that move) is not yet full. The small
move generator below only guides the search: pyffish refuses every line with an illegal move.
"""

import argparse
import random
from collections import Counter

import pyffish

VARIANT = "xiangqi"
ORTHOGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LIMITS = {"K": 1, "R": 2, "N": 2, "C": 2, "P": 5, "A": 2, "B": 2}
# Squares are (file, rank), both from 0. Red's squares for each kind; black's are their mirror images by ranks.
SQUARES = [(f, r) for r in range(10) for f in range(9)]
HOMES = {
    "K": [(f, r) for f in (3, 4, 5) for r in (0, 1, 2)],
    "A": [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)],
    "B": [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)],
    "P": [(f, r) for f in (0, 2, 4, 6, 8) for r in (3, 4)] + [s for s in SQUARES if s[1] > 4],
    "R": SQUARES, "N": SQUARES, "C": SQUARES,
}
HOMES.update({kind.lower(): [(f, 9 - r) for f, r in squares] for kind, squares in list(HOMES.items())})
START = {(f, 0): piece for f, piece in enumerate("RNBAKABNR")}
START.update({(1, 2): "C", (7, 2): "C"})
START.update({(f, 3): "P" for f in range(0, 9, 2)})
START.update({(f, 9 - r): piece.lower() for (f, r), piece in list(START.items())})
REGIONS = {piece: set(HOMES[piece] if piece in "KABkab" else SQUARES) for piece in HOMES}


def owner(piece):
    return "w" if piece.isupper() else "b"


def other(side):
    return "b" if side == "w" else "w"


def mirror(square):
    return square[0], 9 - square[1]


def name(move):
    return "".join("abcdefghi"[f] + str(r + 1) for f, r in move)


def fen_of(board, side, quiet, turn):
    text = "/".join("".join(board.get((f, r), "-") for f in range(9)) for r in range(9, -1, -1))
    for gap in range(9, 0, -1):
        text = text.replace("-" * gap, str(gap))
    return f"{text} {side} - - {quiet} {turn}"


def reach(board, square):
    """Squares to which the piece on `square` can move, and those on which it protects an own piece."""
    piece, (file, rank) = board[square], square
    kind, region, result = piece.upper(), REGIONS[piece], []
    if kind == "P":
        ahead = 1 if piece == "P" else -1
        result = [(file, rank + ahead)]
        if (rank > 4) == (ahead == 1):  # it has crossed the river
            result += [(file - 1, rank), (file + 1, rank)]
    for df, dr in {"P": [], "A": DIAGONAL, "B": DIAGONAL}.get(kind, ORTHOGONAL):
        f, r = file + df, rank + dr
        if kind in "AK":
            result.append((f, r))
        elif kind == "B" and (f, r) not in board:
            result.append((f + df, r + dr))
        elif kind == "N" and (f, r) not in board:
            result += [(f + df + dr, r + dr + df), (f + df - dr, r + dr - df)]
        elif kind in "RC":
            while (f, r) in region and (f, r) not in board:
                result.append((f, r))
                f, r = f + df, r + dr
            if kind == "C":
                f, r = f + df, r + dr
                while (f, r) in region and (f, r) not in board:
                    f, r = f + df, r + dr
            if (f, r) in board:
                result.append((f, r))
    return [s for s in result if s in region]


def attackers(board, side, target):
    return {s for s, p in board.items() if owner(p) == side and target in reach(board, s)}


def moves_of(board, side):
    """Moves that may still leave the own general attacked."""
    return [(s, t) for s, p in board.items() if owner(p) == side for t in reach(board, s)
            if t not in board or owner(board[t]) != side]


def play(board, move):
    board = dict(board)
    board[move[1]] = board.pop(move[0])
    return board


def safe(board, side):
    """Both generals are there, the one of `side` is not attacked and they do not face each other."""
    king = {p: s for s, p in board.items() if p in "Kk"}
    if len(king) != 2:
        return False
    (file, low), (far, high) = king["K"], king["k"]
    facing = file == far and not any((file, r) in board for r in range(low + 1, high))
    return not facing and not attackers(board, other(side), king["K" if side == "w" else "k"])


def judge(board, side, moves, fen):
    """The verdict of pyffish, or None if the moves are not a case (see the head of this file)."""
    if not safe(board, other(side)) or any(n > LIMITS[p.upper()] for p, n in Counter(board.values()).items()):
        return None
    seen = Counter([(frozenset(board.items()), side)])
    for number, (start, end) in enumerate(moves, 1):
        if (start, end) not in moves_of(board, side):
            return None
        board, side = play(board, (start, end)), other(side)
        key = frozenset(board.items()), side
        seen[key] += 1
        if not safe(board, other(side)) or (seen[key] >= 3) != (number == len(moves)):
            return None
    ended, value = pyffish.is_optional_game_end(VARIANT, fen, [name(m) for m in moves])  # raises if one is illegal
    assert ended, (fen, moves)
    return "draw" if value == 0 else "red" if (value > 0) == (side == "w") else "black"


def random_position(rng):
    """A board with random pieces, or one of a random game (not always a valid one), and the side to move."""
    if rng.random() < 0.25:
        board, side = START, "w"
        for _ in range(rng.randrange(8, 160)):
            moves = moves_of(board, side)
            captures = [m for m in moves if m[1] in board]
            after = play(board, rng.choice(captures if captures and rng.random() < 0.3 else moves))
            if safe(after, side):
                board, side = after, other(side)
        return board, side
    board = {rng.choice(HOMES[k]): k for k in "Kk"}
    middle = rng.choice(SQUARES)
    crowd = rng.random() < 0.3  # most pieces close together
    for _ in range(rng.choice([2, 3, 4, 5, 6, 8, 11, 15, 20])):
        piece = rng.choice("RRRNNNCCCPPPAAB")
        piece = piece if rng.random() < 0.5 else piece.lower()
        king = rng.choice([s for s, p in board.items() if p in "Kk"])
        near = [s for s in HOMES[piece] if crowd and abs(s[0] - middle[0]) < 3 and abs(s[1] - middle[1]) < 3
                or not crowd and (s[0] == king[0] or s[1] == king[1])]
        square = rng.choice(near if near and rng.random() < (0.8 if crowd else 0.35) else HOMES[piece])
        if square not in board and list(board.values()).count(piece) < LIMITS[piece.upper()]:
            board[square] = piece
    return board, rng.choice("wb")


def find_cycle(home, first, length, loose, strict, rng):
    """Moves (`length` a side) that lead back to the position, or None. `loose`: share of free hunter moves;
    `strict`: hunts only the general and unprotected pieces of another kind."""
    hunter, budget = rng.choice("wb"), [80]

    def hunted(before, after, move, side, square):
        fresh = attackers(after, side, square) - attackers(before, side, square)
        if strict and after[square] not in "Kk":
            fresh = {s for s in fresh if after[s].upper() not in "KP" + after[square].upper()}
            straight = any(move[0][i] == move[1][i] == square[i] for i in (0, 1))
            return fresh - {move[1] if straight else None} and not attackers(after, other(side), square)
        return fresh

    def search(board, ply, path, victim):
        if ply == 2 * length:
            return path
        side = first if ply % 2 == 0 else other(first)
        astray = [s for s, p in board.items() if owner(p) == side and home.get(s) != p]
        moves = [m for m in moves_of(board, side) if m[1] not in board]
        if ply >= 2 * length - 2:
            gone = [s for s, p in home.items() if owner(p) == side and board.get(s) != p]
            moves = [m for m in moves if len(astray) == len(gone) == 1 and m == (astray[0], gone[0])]
        elif astray and rng.random() < 0.8:
            moves = [m for m in moves if m[0] in astray] or moves
        rng.shuffle(moves)
        if side != hunter:
            moves.sort(key=lambda m: m[0] != victim or rng.random() < 0.3)
        for move in moves:
            budget[0] -= 1
            if budget[0] < 0:
                return None
            after, prey = play(board, move), move[1] if move[0] == victim else victim
            if side == hunter and rng.random() >= loose:
                targets = [victim] if victim else sorted({t for s, t in moves_of(after, side) if t in after})
                targets = [t for t in targets if hunted(board, after, move, side, t)]
                if not targets:
                    continue
                prey = rng.choice(targets)
            if found := safe(after, side) and search(after, ply + 1, path + [move], prey):
                return found
        return None

    return search(home, 0, [], None)


def neighbour(board, rng):
    """The board with one piece added, removed, moved or replaced."""
    board = dict(board)
    square = rng.choice(sorted(board))
    piece = board.pop(square)
    action = rng.choice(["move", "remove", "replace", "add", "add"]) if piece not in "Kk" else "move"
    if action == "replace":
        board[square] = rng.choice([k for k in "RNCPABrncpab" if square in HOMES[k] and k != piece])
    elif action == "add":
        board[square] = piece
        piece = rng.choice("RNCPABrncpab")
    if action in ("move", "add"):
        board[rng.choice([s for s in HOMES[piece] if s not in board] or [square])] = piece
    return board


def lead_in(board, side, moves, rng):
    """The board, side and moves after one to three moves are taken back from the start of the cycle, or None."""
    closer = moves[-1][1]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        board, side = dict(board), other(side)
        ends = [s for s, p in board.items() if owner(p) == side]
        end = closer if closer in ends and rng.random() < 0.6 else rng.choice(ends)
        piece = board.pop(end)
        if rng.random() < 0.3:  # the move was a capture
            taken = rng.choice("rncpab" if side == "w" else "RNCPAB")
            board.update({end: taken} if end in HOMES[taken] else {})
        starts = [s for s in HOMES[piece] if s not in board and s != end]
        starts = [s for s in starts if end in reach({**board, s: piece}, s)]
        if not starts:
            return None
        start = rng.choice(starts)
        board[start] = piece
        moves = [(start, end)] + moves
    return board, side, moves


def generate(count, seed):
    """Yields `count` cases: a quarter each won by red and by black, half drawn."""
    rng = random.Random(seed)
    room = {"red": count // 4, "black": count // 4, "draw": count - 2 * (count // 4)}
    shares = {"cycle": 0.5, "neighbour": 0.35, "lead-in": 0.25, "duel": 0.15}  # at most, of each verdict
    limits = {(origin, v): share * room[v] for origin, share in shares.items() for v in room}
    taken, known, lost = Counter(), set(), {"w": [], "b": []}  # lost: boards and the two moves that lose

    def case(origin, board, side, moves, unlike=None):
        """The line (FEN, moves, verdict) if it is a case, its verdict not `unlike`, and still wanted; or None."""
        fen = fen_of(board, side, rng.randrange(8), rng.randrange(1, 60))
        verdict = judge(board, side, moves, fen)
        key = fen.split()[0], tuple(moves)
        if verdict in (None, unlike) or key in known or not room[verdict]:
            return None
        movers = set()
        for move in moves:
            movers.add(board[move[0]])
            board = play(board, move)
        group, shape = (origin, verdict), (origin, verdict, len(moves), tuple(sorted(movers)))
        if taken[group] >= limits[group] or taken[shape] == 2:
            return None
        known.add(key)
        taken.update([group, shape])
        room[verdict] -= 1
        return fen, moves, verdict

    while any(room.values()):
        board, side = random_position(rng)
        loose, strict, length = rng.choice([0, 0, 0.15, 0.4, 1]), rng.random() < 0.7, rng.choice([2, 2, 2, 3, 4, 4])
        cycle = find_cycle(board, side, length, loose, strict, rng)
        if not (line := cycle and case("cycle", board, side, cycle * 2)):
            continue
        yield line
        unlike = rng.choice([None, line[2]])
        for _ in range(10 if line[2] != "draw" else 0):
            led = lead_in(board, side, cycle * 2, rng)
            if found := led and case("lead-in", *led, unlike):
                yield found
                break
        if length == 2 and line[2] != "draw":
            loser = "b" if line[2] == "red" else "w"
            losing = cycle[side != loser::2]
            lost[loser].append((board, losing))
            mirrored = {mirror(s): p.swapcase() for s, p in board.items()}
            lost[other(loser)].append((mirrored, [tuple(map(mirror, move)) for move in losing]))
            for _ in range(40):
                (reds, red), (blacks, black) = rng.choice(lost["w"]), rng.choice(lost["b"])
                duel = [red[0], black[0], red[1], black[1]]
                both = {**{s: p for s, p in blacks.items() if p not in "Kk"}, **reds}
                if found := case("duel", both, "w", duel * 2):
                    yield found
                    board, side, cycle, line = both, "w", duel, found
                    break
        for _ in range(30):
            near = neighbour(board, rng)
            if found := case("neighbour", near, side, cycle * 2, unlike=line[2]):
                yield found
                board, line = near, found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Judged cases of the Xiangqi repetition law, made with pyffish.")
    parser.add_argument("--count", type=int, default=600, help="number of cases (default 600)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random choices (default 1)")
    for fen, moves, verdict in generate(**vars(parser.parse_args())):
        print(VARIANT, fen, " ".join(name(m) for m in moves), verdict, sep="\t", flush=True)
