#!/usr/bin/env python3
"""Compares the network in PyTorch with that of the programs, on positions of random games.

Not part of the test run. Needs `pip install -r tests/peers/requirements.txt`. Run as

    python tests/peers/agreement.py PATH_TO_EVAL_BINARY NET [--count 200] [--within 1e-4]

NET is a folder such as `runs/quickstart/nets/000042`. Compared are, for every position,

- what the model that learns says: the logits of the legal steps, of win, draw and loss, the steps left and the score;
- what the pass that plays says: the probabilities of the legal steps, and of win, draw and loss;
- the same once more from a copy of the net that PyTorch wrote and the program read.

One line for each output gives the largest difference; the exit status is 1 if one is larger than `--within`.
"""

import argparse
import json
import subprocess
import sys
import tempfile

import numpy
import torch

from network import load, save


def positions(program, net, count):
    """What the program prints, one dictionary a position."""
    command = [program, "positions", net, "--count", str(count)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [json.loads(line) for line in printed.splitlines()]


def answers(network, lines):
    """What PyTorch says about the same positions, under the same names."""
    shape = network.meta["shape"]
    inputs = torch.tensor([line["inputs"] for line in lines])
    with torch.inference_mode():
        outputs = network(inputs.view(len(lines), shape["input_planes"], shape["ranks"], shape["files"]))
    for row, line in enumerate(lines):
        logits = outputs.policy[row, line["actions"]]
        yield {
            "policy_logits": logits,
            "wdl_logits": outputs.wdl[row],
            "steps_left": outputs.steps_left[row],
            "score": outputs.score[row],
            "priors": logits.softmax(0),
            "wdl": outputs.wdl[row].softmax(0),
        }


def differences(network, lines):
    """The largest difference of each output, over all positions."""
    largest = {}
    for ours, theirs in zip(lines, answers(network, lines)):
        for name, values in theirs.items():
            difference = numpy.abs(numpy.float32(ours[name]) - values.numpy()).max()
            # The negation lets no NaN pass for a small number.
            if name not in largest or not difference <= largest[name]:
                largest[name] = float(difference)
    return largest


def main():
    parser = argparse.ArgumentParser(description="Compares the network in PyTorch with that of the programs.")
    parser.add_argument("program", help="path of the eval binary")
    parser.add_argument("net", help="folder with model.safetensors and meta.json")
    parser.add_argument("--count", type=int, default=200, help="number of positions (default 200)")
    parser.add_argument("--within", type=float, default=1e-4, help="largest difference allowed (default 1e-4)")
    options = parser.parse_args()
    network, good = load(options.net), True
    with tempfile.TemporaryDirectory() as copy:
        save(network, copy)
        for title, net in [("net", options.net), ("its copy", copy)]:
            lines = positions(options.program, net, options.count)
            for name, difference in differences(network, lines).items():
                print(f"{title:8} {name:13} {len(lines)} positions, largest difference {difference:.1e}")
                good = good and difference <= options.within
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
