"""The network in PyTorch: reads a net of a run, gives the same answers, and writes nets that the programs read.

Needs `pip install -r tests/peers/requirements.txt`. From Python, with this folder on the path:

    from network import load, save
    network = load("runs/quickstart/nets/000042")        # a torch.nn.Module
    answers = network(inputs)                            # inputs: [batch, planes, ranks, files]
    save(network, "somewhere/nets/000043")               # eval match net:somewhere/nets/000043 random …

`eval positions` prints inputs to try it on; `agreement.py` compares the answers with those of the programs.

As a program it reads a net, says what it is, and writes it again if told to:

    python tests/peers/network.py runs/quickstart/nets/000042 [--copy-to DIRECTORY]
"""

import argparse
import hashlib
import json
import math
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F
from safetensors.torch import load as read_tensors, save as write_tensors
from torch import nn

MODEL_FILE, META_FILE, FORMAT = "model.safetensors", "meta.json", 1
# Win, draw, loss, steps left, score.
VALUE_OUTPUTS = 5


class Outputs(NamedTuple):
    """What the network says about a batch of positions."""

    policy: torch.Tensor  # logits of all steps, [batch, (squares + hand planes) * squares]
    wdl: torch.Tensor  # logits of win, draw and loss of the side to act, [batch, 3]
    steps_left: torch.Tensor  # ln(1 + steps until the end), [batch]
    score: torch.Tensor  # the final lead of the side to act, from -1 to 1, [batch]


def pool(x):
    """Mean and maximum over each board, `[batch, channels, ranks, files]` to `[batch, 2 * channels]`."""
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


class Block(nn.Module):
    """A residual block; some add what they see of the whole board to the sum before the first relu."""

    def __init__(self, channels, pools):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.pool = nn.Linear(2 * channels, channels) if pools else None
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        hidden = self.first(x)
        if self.pool is not None:
            hidden = hidden + self.pool(pool(x))[:, :, None, None]
        return F.relu(x + self.second(F.relu(hidden)))


class PolicyHead(nn.Module):
    """Logits of all steps: of a move the product of the vectors of its start and its end square."""

    def __init__(self, channels, length, hand_planes):
        super().__init__()
        self.start = nn.Conv2d(channels, length, 1)
        self.end = nn.Conv2d(channels, length, 1)
        self.hand = nn.Conv2d(channels, hand_planes, 1) if hand_planes else None

    def forward(self, x):
        start, end = self.start(x).flatten(2), self.end(x).flatten(2)
        # [batch, start squares, end squares]
        moves = start.transpose(1, 2) @ end / math.sqrt(start.shape[1])
        if self.hand is None:
            return moves.flatten(1)
        return torch.cat([moves.flatten(1), self.hand(x).flatten(1)], 1)


class ValueHead(nn.Module):
    """The five values, from features pooled over the board."""

    def __init__(self, channels, features, hidden):
        super().__init__()
        self.squares = nn.Conv2d(channels, features, 1)
        self.hidden = nn.Linear(2 * features, hidden)
        self.outputs = nn.Linear(hidden, VALUE_OUTPUTS)

    def forward(self, x):
        return self.outputs(F.relu(self.hidden(pool(F.relu(self.squares(x))))))


class Network(nn.Module):
    """The network of a `meta.json`. Its parameters bear the names they have in `model.safetensors`."""

    def __init__(self, meta):
        super().__init__()
        self.meta = meta
        shape, net = meta["shape"], meta["net"]
        channels, every = net["channels"], net["pooling_every"]
        self.input = nn.Conv2d(shape["input_planes"], channels, 3, padding=1)
        pools = [every > 0 and (index + 1) % every == 0 for index in range(net["blocks"])]
        self.blocks = nn.ModuleList(Block(channels, pooled) for pooled in pools)
        self.policy = PolicyHead(channels, net["policy_channels"], shape["hand_planes"])
        self.value = ValueHead(channels, net["value_channels"], net["value_hidden"])

    def trunk(self, inputs):
        x = F.relu(self.input(inputs))
        for block in self.blocks:
            x = block(x)
        return x

    def forward(self, inputs):
        x = self.trunk(inputs)
        value = self.value(x)
        return Outputs(self.policy(x), value[:, :3], value[:, 3], value[:, 4].tanh())


def to_torch(ours, like):
    """Our array in the layout of the parameter `like`.

    We keep `[inputs, outputs]`; a 3×3 convolution's inputs are counted neighbour by neighbour, rank by rank, and for
    each neighbour channel by channel.
    """
    if like.dim() == 1:
        return ours
    if like.dim() == 2:
        return ours.T
    outputs, inputs, ranks, files = like.shape
    return ours.reshape(ranks, files, inputs, outputs).permute(3, 2, 0, 1)


def from_torch(parameter):
    """The way back."""
    if parameter.dim() == 1:
        return parameter
    if parameter.dim() == 2:
        return parameter.T
    return parameter.permute(2, 3, 1, 0).flatten(0, 2)


def load(directory):
    """Reads the net in `directory` and checks it as the programs do: format, checksum, names and sizes."""
    directory = Path(directory)
    meta = json.loads((directory / META_FILE).read_text(encoding="utf-8"))
    if meta["format"] != FORMAT:
        raise ValueError(f"{directory / META_FILE}: format {meta['format']}, expected {FORMAT}")
    content = (directory / MODEL_FILE).read_bytes()
    if hashlib.sha256(content).hexdigest() != meta["sha256"]:
        raise ValueError(f"{directory / MODEL_FILE}: altered: another sha256 than {META_FILE} says")
    # Heads that only learning uses have no part in the answers.
    arrays = {name: array for name, array in read_tensors(content).items() if not name.startswith("auxiliary.")}
    meta["net"]["auxiliary_heads"] = False
    network = Network(meta)
    if set(arrays) != set(dict(network.named_parameters())):
        raise ValueError(f"{directory / MODEL_FILE}: holds {sorted(arrays)}, not what {META_FILE} leads to")
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if arrays[name].shape != from_torch(parameter).shape:
                raise ValueError(f"{directory / MODEL_FILE}: tensor {name} has shape {list(arrays[name].shape)}")
            parameter.copy_(to_torch(arrays[name], parameter))
    return network.eval()


def save(network, directory):
    """Writes `network` to `directory` as the programs read it. `network.meta` says what is written beside the weights:
    change its `step` and `variant` if they have changed.
    """
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    parameters = network.named_parameters()
    arrays = {name: from_torch(parameter.detach()).float().cpu().contiguous() for name, parameter in parameters}
    content = write_tensors(arrays)
    meta = {**network.meta, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    (directory / MODEL_FILE).write_bytes(content)
    (directory / META_FILE).write_text(json.dumps(meta, indent=2) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Reads a net into PyTorch.")
    parser.add_argument("net", help="folder with model.safetensors and meta.json")
    parser.add_argument("--copy-to", help="write the net to this folder")
    options = parser.parse_args()
    network = load(options.net)
    weights = sum(parameter.numel() for parameter in network.parameters())
    print(f"{network.meta['variant']}, step {network.meta['step']}, {weights} weights")
    if options.copy_to:
        save(network, options.copy_to)


if __name__ == "__main__":
    main()
