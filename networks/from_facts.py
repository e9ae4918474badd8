#!/usr/bin/env python3
"""Writes networks in ripc's JSON from facts of published networks.

usage: from_facts.py FOLDER OUT [--names]

--names keeps the tensors' names; otherwise only those that several operators or a later one need. FOLDER holds one file a network with its operators in `ops`, in one of two forms:
  {kind, geom, ins, out, out_bytes}, geom being H W Cin Hout Wout Cout kh kw sh sw padtop padleft;
  {kind, ins, out, in_shape, out_shape}, windows also with kernel, stride, pad_top_left and dilation.
The padding at the bottom and on the right follows from the shapes. What the facts leave open is settled here: which
pools average, and which function an elementwise operator is. Neither changes a byte of memory. Activations that are
part of another operator are not among the facts.
"""

import json
import math
import pathlib
import sys

from network_json import network_text, pads_after, window


def window_of(geom):
    height, width, _, out_height, out_width, _, kh, kw, sh, sw, top, left = geom
    pads = [top, pads_after(height, out_height, kh, sh, top), left, pads_after(width, out_width, kw, sw, left)]
    return window((height, width), (kh, kw), (sh, sw), pads)


def from_geometry(facts):
    """The operators of the first form."""
    bytes_of = {op["out"]: op["out_bytes"] for op in facts["ops"]}
    for op in facts["ops"]:
        kind, geom = op["kind"], op["geom"]
        if kind == "conv":
            fields = {"op": "conv", "channels": geom[5], **window_of(geom)}
        elif kind == "dw":
            fields = {"op": "depthwise", **window_of(geom)}
        elif kind == "pool":
            whole = geom[3:5] == [1, 1] and geom[6:8] == geom[0:2]
            fields = {"op": "average_pool" if whole else "max_pool", **window_of(geom)}
        elif kind == "fc":
            fields = {"op": "fully_connected", "channels": op["out_bytes"]}
        elif kind == "up":
            fields = {"op": "resize_nearest", "scale": math.isqrt(op["out_bytes"] // bytes_of[op["ins"][0]])}
        elif kind == "add":
            fields = {"op": "add"}
        else:
            raise SystemExit(f"unknown kind {kind}")
        yield {"op": fields.pop("op"), "in": op["ins"], "out": op["out"], **fields}


class Functions:
    """Which function each elementwise operator of a network is, told from its neighbours and the network's family."""

    def __init__(self, facts):
        self.name = facts["name"]
        self.writer = {op["out"]: op for op in facts["ops"]}
        self.readers = {}
        for op in facts["ops"]:
            for tensor in op["ins"]:
                self.readers.setdefault(tensor, []).append(op)
        self.shape = {**facts["input"], **{op["out"]: op["out_shape"] for op in facts["ops"]}}

    def is_unary(self, op):
        return op is not None and op["kind"] == "ew" and len(op["ins"]) == 1

    def of(self, op):
        if len(op["ins"]) == 2:
            gate = self.writer.get(op["ins"][1])
            broadcast = self.shape[op["ins"][0]] != self.shape[op["ins"][1]]
            swish = self.is_unary(gate) and gate["ins"] == [op["ins"][0]]
            return {"op": "multiply" if broadcast or swish else "add"}
        gates = [r for r in self.readers[op["out"]] if len(r["ins"]) == 2 and r["ins"][1] == op["out"]]
        before = self.writer.get(op["ins"][0])
        if any(r["ins"] == [op["ins"][0], op["out"]] for r in gates):
            return {"op": "logistic"}
        if gates and self.shape[op["out"]][:2] == [1, 1]:  # of squeeze and excitation
            # relu6(x + 3) / 6, where the division is a matter of the scale
            hard = self.name.startswith("MobileNetV3")
            return {"op": "add", "constant": "scalar", "activation": "relu6"} if hard else {"op": "logistic"}
        if self.is_preprocessing(op):
            return self.preprocessing(op)
        if self.name.startswith("MobileNetV3"):
            return {"op": "hard_swish"}
        if self.name == "Xception":
            return {"op": "relu"}
        # batch normalisation that no convolution precedes
        if self.is_unary(before) and self.of(before)["op"] == "multiply":
            return {"op": "add", "constant": "channels", "activation": "relu"}
        return {"op": "multiply", "constant": "channels"}

    def is_preprocessing(self, op):
        while self.is_unary(op):
            if op["ins"][0] not in self.writer:
                return True
            op = self.writer[op["ins"][0]]
        return False

    def preprocessing(self, op):
        step = 0
        while op["ins"][0] in self.writer:
            step, op = step + 1, self.writer[op["ins"][0]]
        a_channel = self.name.startswith("EfficientNet") or self.name.startswith("EffNetV2-B")
        if step == 1:
            return {"op": "add", "constant": "channels" if a_channel else "scalar"}
        return {"op": "multiply", "constant": "channels" if step > 1 else "scalar"}


def from_shapes(facts):
    """The operators of the second form."""
    functions = Functions(facts)
    for op in facts["ops"]:
        kind, (height, width, _), out = op["kind"], op["in_shape"], op["out_shape"]
        if kind in ("conv", "dw", "pool"):
            kernel, stride, before, dilation = op["kernel"], op["stride"], op["pad_top_left"], op["dilation"]
            rows = pads_after(height, out[0], kernel[0], stride[0], before[0], dilation)
            columns = pads_after(width, out[1], kernel[1], stride[1], before[1], dilation)
            fields = window((height, width), kernel, stride, [before[0], rows, before[1], columns], [dilation] * 2)
        if kind == "conv":
            fields = {"op": "conv", "channels": out[2], **fields}
        elif kind == "dw":
            fields = {"op": "depthwise", **fields}
        elif kind == "pool":
            average = stride == [1, 1] or (facts["name"].startswith("DenseNet") and kernel == [2, 2])
            fields = {"op": "average_pool" if average else "max_pool", **fields}
        elif kind == "fc":
            fields = {"op": "fully_connected", "channels": out[2]}
        elif kind == "gap":
            fields = {"op": "mean"}
        elif kind == "concat":
            fields = {"op": "concat"}
        elif kind == "ew":
            fields = functions.of(op)
        else:
            raise SystemExit(f"unknown kind {kind}")
        yield {"op": fields.pop("op"), "in": op["ins"], "out": op["out"], **fields}


def convert(facts, names):
    if "input" in facts:
        return network_text(facts["name"], facts["input"], list(from_shapes(facts)), names)
    first = facts["ops"][0]
    return network_text(facts["name"], {first["ins"][0]: first["geom"][:3]}, list(from_geometry(facts)), names)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--names"]
    if len(arguments) != 2:
        raise SystemExit(__doc__)
    folder, out = map(pathlib.Path, arguments)
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.glob("*.json")):
        (out / path.name).write_text(convert(json.loads(path.read_text()), "--names" in sys.argv))


if __name__ == "__main__":
    main()
