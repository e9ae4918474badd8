#!/usr/bin/env python3
"""Writes networks in ripc's JSON from facts of published networks.

usage: from_facts.py FOLDER OUT

FOLDER holds files with `ops`: a list of {kind, geom, ins, out, out_bytes}, where geom is H W Cin Hout Wout Cout kh
kw sh sw padtop padleft. The padding at the bottom and on the right follows from the shapes. The kind of a pool is
not among the facts: one over the whole image is an average, any other a maximum.
"""

import json
import math
import pathlib
import sys


def pads(size, out, kernel, stride, before):
    return before, max(0, (out - 1) * stride + kernel - size - before)


def pair(rows, columns):
    return rows if rows == columns else [rows, columns]


def window(geom):
    """Fields of a windowed operator; defaults are left out."""
    height, width, _, out_height, out_width, _, kh, kw, sh, sw, top, left = geom
    fields = {"kernel": pair(kh, kw)}
    if (sh, sw) != (1, 1):
        fields["stride"] = pair(sh, sw)
    sides = [*pads(height, out_height, kh, sh, top), *pads(width, out_width, kw, sw, left)]
    if any(sides):
        fields["pad"] = sides[0] if len(set(sides)) == 1 else sides
    return fields


def convert_op(op, bytes_of):
    kind, geom = op["kind"], op["geom"]
    ins = op["ins"][0] if len(op["ins"]) == 1 else op["ins"]
    if kind == "conv":
        fields = {"op": "conv", "channels": geom[5], **window(geom)}
    elif kind == "dw":
        fields = {"op": "depthwise", **window(geom)}
    elif kind == "pool":
        whole = geom[3:5] == [1, 1] and geom[6:8] == geom[0:2]
        fields = {"op": "average_pool" if whole else "max_pool", **window(geom)}
    elif kind == "fc":
        fields = {"op": "fully_connected", "channels": op["out_bytes"]}
    elif kind == "up":
        fields = {"op": "resize_nearest", "scale": math.isqrt(op["out_bytes"] // bytes_of[op["ins"][0]])}
    elif kind == "add":
        fields = {"op": "add"}
    else:
        raise SystemExit(f"unknown kind {kind}")
    return {"op": fields.pop("op"), "in": ins, "out": op["out"], **fields}


def convert(facts):
    bytes_of = {op["out"]: op["out_bytes"] for op in facts["ops"]}
    first = facts["ops"][0]
    ops = [convert_op(op, bytes_of) for op in facts["ops"]]
    lines = ",\n".join("    " + json.dumps(op) for op in ops)
    head = f'  "name": {json.dumps(facts["name"])},\n  "inputs": {json.dumps({first["ins"][0]: first["geom"][:3]})},\n'
    return "{\n" + head + '  "ops": [\n' + lines + "\n  ]\n}\n"


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    folder, out = map(pathlib.Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.glob("*.json")):
        (out / path.name).write_text(convert(json.loads(path.read_text())))


if __name__ == "__main__":
    main()
