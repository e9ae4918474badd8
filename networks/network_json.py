"""Writes networks in ripc's JSON: one operator a line, nothing that a reader would take for granted."""

import json


def pair(rows, columns):
    return rows if rows == columns else [rows, columns]


def pads_after(size, out, kernel, stride, before, dilation=1):
    """Padding behind the image that the number of outputs asks for."""
    return max(0, (out - 1) * stride + (kernel - 1) * dilation + 1 - size - before)


def same_pads(size, kernel, stride, dilation=1):
    """Padding (before, after) for ceil(size / stride) outputs, the odd pixel behind."""
    total = pads_after(size, -(-size // stride), kernel, stride, 0, dilation)
    return total // 2, total - total // 2


def window(shape, kernel, stride, pads, dilation=(1, 1)):
    """Fields of a windowed operator over an image of that shape; pads are top, bottom, left, right."""
    fields = {"kernel": pair(*kernel)}
    if tuple(stride) != (1, 1):
        fields["stride"] = pair(*stride)
    if tuple(dilation) != (1, 1):
        fields["dilation"] = pair(*dilation)
    if any(pads):
        same = [pad for axis in (0, 1) for pad in same_pads(shape[axis], kernel[axis], stride[axis], dilation[axis])]
        fields["pad"] = pads[0] if len(set(pads)) == 1 else "same" if list(pads) == same else list(pads)
    return fields


def without_order(inputs, ops):
    """The operators without the names that follow from their order."""
    before = only = next(iter(inputs)) if len(inputs) == 1 else None
    needed = set()
    for op in ops:
        needed.update(op["in"] if op["in"] != [before] else [])
        before = op["out"]
    before = only
    for op in ops:
        gone = {"in"} if op["in"] == [before] else set()
        gone |= set() if op["out"] in needed else {"out"}
        before = op["out"]
        yield {key: value for key, value in op.items() if key not in gone}


def one_line(op):
    """`in` as a string where it is one name."""
    return json.dumps(op | {"in": op["in"][0]} if len(op.get("in", [])) == 1 else op)


def network_text(name, inputs, ops, names=False):
    """inputs: {name: [height, width, channels]}; ops: dicts with op, in (a list), out and the operator's fields, in
    this order; names: also those that nobody needs."""
    lines = ",\n".join("    " + one_line(op) for op in (ops if names else without_order(inputs, ops)))
    head = f'  "name": {json.dumps(name)},\n  "inputs": {json.dumps(inputs)},\n'
    return "{\n" + head + '  "ops": [\n' + lines + "\n  ]\n}\n"
