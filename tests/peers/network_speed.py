#!/usr/bin/env python3
"""How many positions a second the same network judges, and learns from, in PyTorch and ONNX Runtime.

Needs `pip install -r tests/peers/requirements.txt`. Run as

    python tests/peers/network_speed.py                       # judging, the four sizes below
    python tests/peers/network_speed.py --size "6x7 32x4" --batches 8,32 --threads 1
    python tests/peers/network_speed.py --learn               # learning, 8x9 64x6, 256 positions a step

Judging is what `eval bench --only play` measures, less encoding a position, listing its legal steps and the softmax
over them: trunk, the vectors of start and end squares and the hand planes, and the value head. The logits of a few dozen
legal steps are short products of those vectors; `--heads all` measures the logits of all steps instead, as a matrix
product of the vectors. All 1×1 convolutions of the heads are one convolution here, as they are in our own pass.

Learning is what `eval bench --only learn` measures: forward pass, the same losses over the legal steps, backward pass,
clipping over all weights, AdamW without decay of biases, and the averaged weights.

Engines: `eager` is plain PyTorch on channels-last tensors; `jit` and `jit-last` are traced, frozen and optimized for
inference with tensors in the usual order and channels-last; `compile` is `torch.compile`, which needs a C++ compiler;
`onnx` is ONNX Runtime. Measured in rounds, one after the other, so that a disturbance of the machine meets all alike;
printed is the median with the lowest and the highest, with a `*` at the best of each size. On a machine that does other
things too, `--threads 1 --processor-time` is still a fair measure of one thread.
"""

import argparse
import copy
import io
import json
import os
import statistics
import sys
import time
import warnings

import torch
import torch.nn.functional as F
from torch import nn

from network import Network, pool

# Files, ranks, input planes and hand planes of eternal-fixed, xiangqi and eternal-mini.
SHAPES = {"8x9": (8, 9, 37, 8), "9x10": (9, 10, 21, 0), "6x7": (6, 7, 25, 2)}
SIZES = ["8x9 64x6", "9x10 64x6", "6x7 64x6", "6x7 32x4"]
JUDGING, LEARNING = ["eager", "jit", "jit-last", "compile", "onnx"], ["eager", "compile"]
# Legal steps of a position to learn from, about as many as in random games of eternal-fixed.
LEGAL = 40


def network_of(size):
    """A network with the sizes of heads that are the default, and no weight zero."""
    board, tower = size.split()
    files, ranks, input_planes, hand_planes = SHAPES[board]
    channels, blocks = map(int, tower.split("x"))
    shape = {"files": files, "ranks": ranks, "input_planes": input_planes, "hand_planes": hand_planes}
    heads = {"policy_channels": 16, "value_channels": 16, "value_hidden": 32}
    torch.manual_seed(1)
    return Network({"shape": shape, "net": {"channels": channels, "blocks": blocks, "pooling_every": 2, **heads}})


def random_inputs(network, batch):
    """Like encoded positions: mostly zeros, some ones."""
    shape = network.meta["shape"]
    size = batch, shape["input_planes"], shape["ranks"], shape["files"]
    return (torch.rand(size) < 0.3).float()


class PlayPass(nn.Module):
    """What a search asks a network for, before the products of legal steps."""

    def __init__(self, network):
        super().__init__()
        self.network = network
        policy, value = network.policy, network.value
        parts = [part for part in (policy.start, policy.end, policy.hand, value.squares) if part is not None]
        self.features = value.squares.out_channels
        self.heads = nn.Conv2d(parts[0].in_channels, sum(part.out_channels for part in parts), 1)
        with torch.no_grad():
            self.heads.weight.copy_(torch.cat([part.weight for part in parts]))
            self.heads.bias.copy_(torch.cat([part.bias for part in parts]))

    def forward(self, inputs):
        heads = self.heads(self.network.trunk(inputs))
        vectors, squares = heads[:, : -self.features], heads[:, -self.features :]
        value = self.network.value
        return vectors, value.outputs(F.relu(value.hidden(pool(F.relu(squares)))))


def judging(engine, module, inputs, threads):
    """A function without arguments that judges `inputs` once."""
    last = inputs.contiguous(memory_format=torch.channels_last)
    if engine == "onnx":
        return onnx_session(module, inputs, threads)
    if engine in ("eager", "compile"):
        run = copy.deepcopy(module).to(memory_format=torch.channels_last)
        run = torch.compile(run) if engine == "compile" else run
        return lambda: run(last)
    module, inputs = (module, inputs) if engine == "jit" else (copy.deepcopy(module), last)
    if engine == "jit-last":
        module.to(memory_format=torch.channels_last)
    frozen = torch.jit.optimize_for_inference(torch.jit.freeze(torch.jit.trace(module, inputs)))
    return lambda: frozen(inputs)


def onnx_session(module, inputs, threads):
    import onnxruntime

    file = io.BytesIO()
    names = {"input_names": ["inputs"], "output_names": ["policy", "value"]}
    torch.onnx.export(module, (inputs,), file, opset_version=17, dynamo=False, **names)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(file.getvalue(), options, providers=["CPUExecutionProvider"])
    feed = {"inputs": inputs.numpy()}
    return lambda: session.run(None, feed)


class AllHeads(nn.Module):
    """Logits of all steps and the value head's outputs, as a plain pair."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, inputs):
        trunk = self.network.trunk(inputs)
        return self.network.policy(trunk), self.network.value(trunk)


def huber(errors):
    return F.huber_loss(errors, torch.zeros_like(errors))


class Learning:
    """One step of learning, always from the same positions."""

    def __init__(self, engine, network, batch):
        self.network = network.to(memory_format=torch.channels_last)
        self.run = torch.compile(self.network) if engine == "compile" else self.network
        self.inputs = random_inputs(network, batch).contiguous(memory_format=torch.channels_last)
        shape = network.meta["shape"]
        squares = shape["files"] * shape["ranks"]
        count = (squares + shape["hand_planes"]) * squares
        self.actions = torch.stack([torch.randperm(count)[:LEGAL] for _ in range(batch)])
        self.policy = torch.rand(batch, LEGAL).softmax(1)
        self.wdl = torch.rand(batch, 3).softmax(1)
        self.steps_left, self.score = torch.full((batch,), 30.0).log1p(), torch.rand(batch)
        parameters = list(network.parameters())
        weights = [parameter for parameter in parameters if parameter.dim() > 1]
        biases = [parameter for parameter in parameters if parameter.dim() == 1]
        groups = [{"params": weights, "weight_decay": 0.01}, {"params": biases, "weight_decay": 0.0}]
        self.optimizer = torch.optim.AdamW(groups, lr=1e-4, fused=True)
        self.parameters, self.average = parameters, [parameter.detach().clone() for parameter in parameters]

    def __call__(self):
        outputs = self.run(self.inputs)
        # Cross-entropy with targets that are distributions, over legal steps only.
        policy = F.cross_entropy(outputs.policy.gather(1, self.actions), self.policy)
        value = F.cross_entropy(outputs.wdl, self.wdl)
        steps_left = huber(outputs.steps_left - self.steps_left)
        score = F.mse_loss(outputs.score, self.score)
        self.optimizer.zero_grad()
        (policy + value + 0.1 * steps_left + 0.2 * score).backward()
        nn.utils.clip_grad_norm_(self.parameters, 5.0)
        self.optimizer.step()
        with torch.no_grad():
            torch._foreach_lerp_(self.average, self.parameters, 0.01)


def rate(run, batch, seconds, clock):
    """Positions a second, over at least `seconds`."""
    started, count = clock(), 0
    while count == 0 or clock() - started < seconds:
        run()
        count += batch
    return count / (clock() - started)


def prepared(size, options):
    """The engines of one size that work here, each as its name, batch and a function to call."""
    network = network_of(size)
    if not options.learn:
        network = network.eval()
        module = (AllHeads(network) if options.heads == "all" else PlayPass(network)).eval()
    for batch in options.batches:
        inputs = None if options.learn else random_inputs(network, batch)
        for engine in options.engines:
            try:
                if options.learn:
                    run = Learning(engine, copy.deepcopy(network), batch)
                else:
                    run = judging(engine, module, inputs, options.threads)
                for _ in range(3):
                    run()
            except Exception as error:  # an engine that is not there is no reason not to measure the others
                print(f"{size} {engine} {batch}: not measured: {str(error).splitlines()[0]}", file=sys.stderr)
            else:
                yield engine, batch, run


def measured(size, options):
    engines = list(prepared(size, options))
    clock = time.process_time if options.processor_time else time.perf_counter
    samples = [[] for _ in engines]
    for _ in range(options.rounds):
        for (_, batch, run), found in zip(engines, samples):
            found.append(rate(run, batch, options.seconds, clock))
    for (engine, batch, _), found in zip(engines, samples):
        range_of = {"median": statistics.median(found), "lowest": min(found), "highest": max(found)}
        yield {"size": size, "engine": engine, "batch": batch, "threads": options.threads, **range_of}


def arguments():
    parser = argparse.ArgumentParser(description="Speed of the network in PyTorch and ONNX Runtime.")
    parser.add_argument("--size", action="append", choices=[f"{b} {t}" for b in SHAPES for t in ("32x4", "64x6")])
    parser.add_argument("--learn", action="store_true", help="measure learning instead of judging")
    parser.add_argument("--heads", choices=["play", "all"], default="play", help="vectors only, or logits of all steps")
    parser.add_argument("--engines", help="engines separated by commas (default: all)")
    parser.add_argument("--batches", help="positions of one call, separated by commas (default 8,16,32,64,128,256)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="threads (default: all)")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds of a round for each (default 1)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the median counts (default 5)")
    parser.add_argument("--processor-time", action="store_true", help="count the processor's seconds")
    parser.add_argument("--json", action="store_true", help="print JSON only")
    options = parser.parse_args()
    options.size = options.size or (SIZES[:1] if options.learn else SIZES)
    known = LEARNING if options.learn else JUDGING
    options.engines = options.engines.split(",") if options.engines else known
    if unknown := set(options.engines) - set(known):
        parser.error(f"unknown engine {', '.join(sorted(unknown))}, expected some of {', '.join(known)}")
    default = "256" if options.learn else "8,16,32,64,128,256"
    options.batches = [int(batch) for batch in (options.batches or default).split(",")]
    return options


def main():
    options = arguments()
    warnings.filterwarnings("ignore")  # of the tracer and the exporter, which are old but the quickest
    torch.set_num_threads(options.threads)
    everything = []
    for size in options.size:
        with torch.enable_grad() if options.learn else torch.inference_mode():
            found = list(measured(size, options))
        best = max(found, key=lambda line: line["median"], default=None)
        for line in found if not options.json else []:
            low, high = line["lowest"], line["highest"]
            numbers = f"{line['median']:8.0f} positions/s ({low:.0f} to {high:.0f})"
            mark = " *" if line is best else ""
            print(f"{size:9} {line['engine']:8} batch {line['batch']:4} {numbers}{mark}", flush=True)
        everything += found
    if options.json:
        load = os.getloadavg()[0]
        print(json.dumps({"torch": torch.__version__, "load": load, "learn": options.learn, "measures": everything}))


if __name__ == "__main__":
    main()
