#!/usr/bin/env python3
"""How many positions a second self-play evaluates in JAX: pgx plays, mctx searches, a residual network judges.

Needs `pip install -r tests/peers/requirements.txt`. Run as

    python tests/peers/selfplay_pgx.py --network 64x6             # Connect Four, 6x7, 32 simulations a move
    python tests/peers/selfplay_pgx.py --network 32x4 --games 128,512 --convolution NHWC

This is the nearest peer of `eval bench --only self-play`: a board of the same size as eternal-mini's, with rules far
simpler (7 moves at most instead of dozens, one step a turn). Every move is chosen by Gumbel MuZero with the real rules
as its model; finished games start anew. A move costs one evaluation of its position and one for each simulation, also
where the simulation meets a finished game: all of them are counted.

All games move at once in one compiled function; `--games` is swept, as are the ways to compute a convolution: `NHWC`
and `NCHW` are XLA's own, `product` gathers nine neighbours and multiplies matrices. Measured in rounds; printed is the
median with the lowest and the highest, and the best is marked with a `*`. `--only-network` measures the network alone.
XLA takes as many threads as there are processors it may use: `taskset -c 0` measures one.
"""

import argparse
import json
import os
import statistics
import time

import jax
import jax.numpy as jnp
import mctx
import pgx

RANKS, FILES, PLANES, MOVES = 6, 7, 2, 7
VALUE_CHANNELS, VALUE_HIDDEN = 16, 32


def parameters(channels, blocks, key):
    """Random weights; 3×3 convolutions as [3, 3, inputs, outputs]."""
    keys = iter(jax.random.split(key, 2 * blocks + 5))

    def affine(*shape):
        inputs = shape[-2] * (9 if len(shape) == 4 else 1)
        return {"weight": jax.random.normal(next(keys), shape) * inputs**-0.5, "bias": jnp.zeros(shape[-1])}

    return {
        "input": affine(3, 3, PLANES, channels),
        "blocks": [[affine(3, 3, channels, channels) for _ in range(2)] for _ in range(blocks)],
        "policy": affine(channels, 1),
        "squares": affine(channels, VALUE_CHANNELS),
        "hidden": affine(2 * VALUE_CHANNELS, VALUE_HIDDEN),
        "value": affine(VALUE_HIDDEN, 1),
    }


def convolve(x, layer, way):
    """A 3×3 convolution of x, [batch, ranks, files, channels] or for NCHW [batch, channels, ranks, files]."""
    weight, bias = layer["weight"], layer["bias"]
    if way == "NHWC":
        numbers = ("NHWC", "HWIO", "NHWC")
        return jax.lax.conv_general_dilated(x, weight, (1, 1), "SAME", dimension_numbers=numbers) + bias
    if way == "NCHW":
        numbers = ("NCHW", "HWIO", "NCHW")
        return jax.lax.conv_general_dilated(x, weight, (1, 1), "SAME", dimension_numbers=numbers) + bias[:, None, None]
    padded = jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    parts = [padded[:, rank : rank + RANKS, file : file + FILES] for rank in range(3) for file in range(3)]
    gathered = jnp.concatenate(parts, -1).reshape(-1, 9 * x.shape[-1])
    product = gathered @ weight.reshape(-1, weight.shape[-1]) + bias
    return product.reshape(*x.shape[:3], -1)


def affine(x, layer):
    return x @ layer["weight"] + layer["bias"]


def network(params, observation, way):
    """Logits of the moves, [batch, moves], and the value for the player to move, [batch]."""
    x = observation.astype(jnp.float32)
    x = x.transpose(0, 3, 1, 2) if way == "NCHW" else x
    x = jax.nn.relu(convolve(x, params["input"], way))
    for first, second in params["blocks"]:
        x = jax.nn.relu(x + convolve(jax.nn.relu(convolve(x, first, way)), second, way))
    x = x.transpose(0, 2, 3, 1) if way == "NCHW" else x
    # A move is a file: its logit is the sum over the squares of the file.
    logits = affine(x, params["policy"])[..., 0].sum(1)
    squares = jax.nn.relu(affine(x, params["squares"]))
    pooled = jnp.concatenate([squares.mean((1, 2)), squares.max((1, 2))], -1)
    value = jnp.tanh(affine(jax.nn.relu(affine(pooled, params["hidden"])), params["value"]))
    return logits, value[:, 0]


def self_play(way, simulations, moves):
    """A compiled function that plays `moves` moves of all games: (weights, games, key) to games and games finished."""
    env = pgx.make("connect_four")
    start, step = jax.vmap(env.init), jax.vmap(env.step)

    def judge(params, state):
        logits, value = network(params, state.observation, way)
        return jnp.where(state.legal_action_mask, logits, jnp.finfo(jnp.float32).min), value

    def simulate(params, key, action, state):
        del key
        mover = state.current_player
        state = step(state, action)
        logits, value = judge(params, state)
        reward = jnp.take_along_axis(state.rewards, mover[:, None], 1)[:, 0]
        # The next position is the opponent's: its value has the other sign. None is added to that of a finished game.
        discount = jnp.where(state.terminated, 0.0, -1.0)
        output = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value)
        return output, state

    def move(params, state, key):
        search_key, start_key = jax.random.split(key)
        logits, value = judge(params, state)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state)
        chosen = mctx.gumbel_muzero_policy(
            params, search_key, root, simulate, num_simulations=simulations, invalid_actions=~state.legal_action_mask,
            qtransform=mctx.qtransform_completed_by_mix_value,
        )
        state = step(state, chosen.action)
        finished = state.terminated
        fresh = start(jax.random.split(start_key, finished.shape[0]))

        def choose(new, old):
            return jnp.where(finished.reshape(-1, *[1] * (old.ndim - 1)), new, old)

        return jax.tree.map(choose, fresh, state), finished.sum()

    @jax.jit
    def play(params, state, key):
        state, finished = jax.lax.scan(lambda state, key: move(params, state, key), state, jax.random.split(key, moves))
        return state, finished.sum()

    return jax.jit(start), play


class SelfPlay:
    """Games in progress; a call plays on and returns the evaluations it took."""

    def __init__(self, options, way, games):
        self.evaluations = games * options.moves * (options.simulations + 1)
        start, self.play = self_play(way, options.simulations, options.moves)
        self.params = parameters(*options.network, jax.random.key(1))
        self.key, self.finished = jax.random.key(2), 0
        self.state = start(jax.random.split(self.key, games))

    def __call__(self):
        self.key, key = jax.random.split(self.key)
        self.state, finished = self.play(self.params, self.state, key)
        self.finished += int(finished)
        return self.evaluations


class OnlyNetwork:
    """The network without a game."""

    def __init__(self, options, way, games):
        self.params = parameters(*options.network, jax.random.key(1))
        self.inputs = jax.random.bernoulli(jax.random.key(2), 0.3, (games, RANKS, FILES, PLANES))
        self.run = jax.jit(lambda params, inputs: network(params, inputs, way))

    def __call__(self):
        jax.block_until_ready(self.run(self.params, self.inputs))
        return self.inputs.shape[0]


def rate(run, seconds, clock):
    """Evaluations a second, over at least `seconds`."""
    started, count = clock(), 0
    while count == 0 or clock() - started < seconds:
        count += run()
    return count / (clock() - started)


def size(text):
    channels, blocks = map(int, text.split("x"))
    return channels, blocks


def main():
    parser = argparse.ArgumentParser(description="Speed of self-play with pgx and mctx.")
    parser.add_argument("--network", type=size, default=(64, 6), metavar="CxB", help="channels x blocks (default 64x6)")
    parser.add_argument("--games", default="64,256,1024", help="games at once, separated by commas")
    parser.add_argument("--convolution", default="NHWC,NCHW,product", help="ways to compute it, separated by commas")
    parser.add_argument("--simulations", type=int, default=32, help="simulations of a move (default 32)")
    parser.add_argument("--moves", type=int, default=2, help="moves of all games in one call (default 2)")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds of a round for each (default 2)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the median counts (default 5)")
    parser.add_argument("--only-network", action="store_true", help="measure the network without games")
    parser.add_argument("--processor-time", action="store_true", help="count the processor's seconds")
    parser.add_argument("--json", action="store_true", help="print JSON only")
    options = parser.parse_args()
    clock = time.process_time if options.processor_time else time.perf_counter
    make = OnlyNetwork if options.only_network else SelfPlay
    ways = options.convolution.split(",")
    candidates = [(way, games) for games in map(int, options.games.split(",")) for way in ways]
    runs = [make(options, *candidate) for candidate in candidates]
    for run in runs:
        run()  # compiles
    samples = [[] for _ in runs]
    for _ in range(options.rounds):
        for run, found in zip(runs, samples):
            found.append(rate(run, options.seconds, clock))
    medians = [statistics.median(found) for found in samples]
    measures = []
    for (way, games), found, median in zip(candidates, samples, medians):
        range_of = {"median": median, "lowest": min(found), "highest": max(found)}
        measures.append({"convolution": way, "games": games, **range_of})
        if not options.json:
            mark = " *" if median == max(medians) else ""
            print(f"{way:8} {games:5} games {median:8.0f} evaluations/s ({min(found):.0f} to {max(found):.0f}){mark}")
    if options.json:
        print(json.dumps({"jax": jax.__version__, "load": os.getloadavg()[0], "measures": measures}))
    elif not options.only_network:
        print(f"{sum(run.finished for run in runs)} games finished")


if __name__ == "__main__":
    main()
