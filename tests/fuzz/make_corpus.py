#!/usr/bin/env python3
"""Writes the fuzz target's first inputs: a model of each operator, and small files of this checkout.

    make_corpus.py --schema src/import/tflite/schema.fbs --root . --out build/fuzz/corpus
"""
import argparse
import json
import pathlib
import shutil
import struct
import subprocess
import tempfile

# Larger files are mostly weights, which the importers do not look at.
MOST_BYTES = 16384


def tensor(shape, kind="INT8", data=None, scale=0.5, zero=0, variable=False):
    """A tensor of the format; `data` makes it a constant: a list of numbers, or 0 for as many zeros as it needs."""
    return {"shape": shape, "kind": kind, "data": data, "scale": scale, "zero": zero, "variable": variable}


def numbers(values):
    return tensor([len(values)], "INT32", values, scale=None)


FORMATS = {"INT8": "b", "UINT8": "B", "INT16": "h", "INT32": "i", "INT64": "q", "FLOAT32": "f"}


def model(code, inputs, outputs, options=None, more=None):
    """The JSON of a model of one operator; of `inputs`, those without data are the model's, None is left out."""
    tensors, buffers, given = [], [{}], []
    indices = []
    for at, t in enumerate(inputs + outputs):
        if t is None:
            indices.append(-1)
            continue
        entry = {"shape": t["shape"], "type": t["kind"], "name": f"t{at}", "is_variable": t["variable"]}
        if t["scale"] is not None and t["kind"] != "FLOAT32":
            entry["quantization"] = {"scale": [t["scale"]], "zero_point": [t["zero"]]}
        if t["data"] is not None:
            count = 1
            for extent in t["shape"]:
                count *= extent
            values = t["data"] or [0] * count
            raw = struct.pack(f"<{len(values)}{FORMATS[t['kind']]}", *values)
            entry["buffer"] = len(buffers)
            buffers.append({"data": list(raw)})
        elif at < len(inputs) and not t["variable"]:
            given.append(len(tensors))
        indices.append(len(tensors))
        tensors.append(entry)
    made = indices[len(inputs):]
    operator = {"opcode_index": 0, "inputs": indices[:len(inputs)], "outputs": made}
    if options:
        operator["builtin_options_type"], operator["builtin_options"] = options
    graph = {"tensors": tensors, "inputs": given, "outputs": made, "operators": [operator]}
    return {"version": 3, "operator_codes": [{"builtin_code": code, "deprecated_builtin_code": 0}],
            "subgraphs": [graph], "buffers": buffers}


def chain():
    """Three branches and a join: PAD, CONV_2D, RESHAPE and ADD, which the passes take to pieces."""
    image, weights = tensor([1, 6, 6, 2]), tensor([2, 3, 3, 2], data=0)
    base = model("CONV_2D", [image, weights, tensor([2], "INT32", 0)], [tensor([1, 6, 6, 2])],
                 ("Conv2DOptions", {"padding": "VALID", "stride_w": 1, "stride_h": 1}))
    graph = base["subgraphs"][0]
    codes = ["CONV_2D", "PAD", "ADD", "RELU", "RESHAPE"]
    base["operator_codes"] = [{"builtin_code": code, "deprecated_builtin_code": 0} for code in codes]
    base["buffers"].append({"data": list(struct.pack("<8i", 0, 0, 1, 1, 1, 1, 0, 0))})
    q = {"scale": [0.5], "zero_point": [0]}
    graph["tensors"] += [
        {"shape": [4, 2], "type": "INT32", "name": "pads", "buffer": len(base["buffers"]) - 1},
        {"shape": [1, 8, 8, 2], "type": "INT8", "name": "padded", "quantization": q},
        {"shape": [1, 6, 6, 2], "type": "INT8", "name": "sum", "quantization": q},
        {"shape": [1, 6, 6, 2], "type": "INT8", "name": "relu", "quantization": q},
        {"shape": [1, 72], "type": "INT8", "name": "flat", "quantization": q},
    ]
    conv = graph["operators"][0]
    conv["inputs"][0] = 5
    graph["operators"] = [
        {"opcode_index": 1, "inputs": [0, 4], "outputs": [5]}, conv,
        {"opcode_index": 2, "inputs": [0, 3], "outputs": [6], "builtin_options_type": "AddOptions",
         "builtin_options": {}},
        {"opcode_index": 3, "inputs": [6], "outputs": [7]},
        {"opcode_index": 4, "inputs": [7], "outputs": [8]},
    ]
    graph["outputs"] = [8]
    return base


def variables():
    """A variable that is read, added to and assigned."""
    q = {"scale": [0.5], "zero_point": [0]}
    handle = {"shape": [], "type": "RESOURCE", "name": "handle"}
    value = {"shape": [1, 4], "type": "INT8", "quantization": q}
    options = ("VarHandleOptions", {"container": "", "shared_name": "v"})
    held = {"opcode_index": 0, "inputs": [], "outputs": [0], "builtin_options_type": options[0],
            "builtin_options": options[1]}
    once = {"opcode_index": 4, "inputs": [], "outputs": [], "builtin_options_type": "CallOnceOptions",
            "builtin_options": {"init_subgraph_index": 1}}
    codes = ["VAR_HANDLE", "READ_VARIABLE", "ADD", "ASSIGN_VARIABLE", "CALL_ONCE"]
    main = {
        "tensors": [handle] + [dict(value, name=name) for name in ("in", "old", "new")],
        "inputs": [1], "outputs": [3],
        "operators": [once, held, {"opcode_index": 1, "inputs": [0], "outputs": [2]},
                      {"opcode_index": 2, "inputs": [1, 2], "outputs": [3], "builtin_options_type": "AddOptions",
                       "builtin_options": {}},
                      {"opcode_index": 3, "inputs": [0, 3], "outputs": []}]}
    start = {"tensors": [handle, dict(value, name="first", buffer=1)], "inputs": [], "outputs": [],
             "operators": [held, {"opcode_index": 3, "inputs": [0, 1], "outputs": []}]}
    return {"version": 3, "subgraphs": [main, start], "buffers": [{}, {"data": [1, 2, 3, 4]}],
            "operator_codes": [{"builtin_code": code, "deprecated_builtin_code": 0} for code in codes]}


def operators():
    """Name and JSON of a sound model of every operator that the importer reads."""
    image, vector = tensor([1, 6, 6, 4]), tensor([1, 8])
    window = {"padding": "SAME", "stride_w": 2, "stride_h": 1, "fused_activation_function": "RELU6"}
    pool = dict(window, filter_width=2, filter_height=3)
    yield "conv", model("CONV_2D", [image, tensor([3, 3, 3, 4], data=0), tensor([3], "INT32", 0)],
                        [tensor([1, 6, 3, 3])], ("Conv2DOptions", window))
    yield "depthwise", model("DEPTHWISE_CONV_2D", [image, tensor([1, 3, 3, 8], data=0), tensor([8], "INT32", 0)],
                             [tensor([1, 6, 3, 8])], ("DepthwiseConv2DOptions", dict(window, depth_multiplier=2)))
    yield "connected", model("FULLY_CONNECTED", [vector, tensor([3, 8], data=0), tensor([3], "INT32", 0, 0.25)],
                             [tensor([1, 3])], ("FullyConnectedOptions", {}))
    yield "transposed", model("TRANSPOSE_CONV", [numbers([1, 12, 12, 3]), tensor([3, 3, 3, 4], data=0), image,
                                                 tensor([3], "INT32", 0)], [tensor([1, 12, 12, 3])],
                              ("TransposeConvOptions", {"padding": "SAME", "stride_w": 2, "stride_h": 2}))
    for code in ("AVERAGE_POOL_2D", "MAX_POOL_2D"):
        yield code, model(code, [image], [tensor([1, 6, 3, 4])], ("Pool2DOptions", pool))
    for code, options in (("ADD", "AddOptions"), ("SUB", "SubOptions"), ("MUL", "MulOptions"), ("DIV", "DivOptions"),
                          ("MINIMUM", None), ("MAXIMUM", None), ("SQUARED_DIFFERENCE", None), ("PRELU", None)):
        yield code, model(code, [image, tensor([1, 1, 4], data=0)], [image],
                          (options, {"fused_activation_function": "RELU"}) if options else None)
    for code in ("FLOOR_DIV", "FLOOR_MOD"):
        wide = tensor([1, 6, 4], "INT32", scale=None)
        yield code, model(code, [wide, tensor([1, 4], "INT32", scale=None)], [wide])
    for code in ("ABS", "ELU", "HARD_SWISH", "LEAKY_RELU", "RSQRT", "RELU", "RELU6", "RELU_N1_TO_1", "QUANTIZE"):
        yield code, model(code, [image], [image],
                          ("LeakyReluOptions", {"alpha": 0.25}) if code == "LEAKY_RELU" else None)
    for code in ("EXP", "LOG", "NEG", "SQRT", "SQUARE"):
        yield code, model(code, [tensor([1, 6], "FLOAT32")], [tensor([1, 6], "FLOAT32")])
    yield "LOGISTIC", model("LOGISTIC", [image], [tensor([1, 6, 6, 4], scale=1 / 256, zero=-128)])
    yield "TANH", model("TANH", [image], [tensor([1, 6, 6, 4], scale=1 / 128)])
    yield "SOFTMAX", model("SOFTMAX", [vector], [tensor([1, 8], scale=1 / 256, zero=-128)],
                           ("SoftmaxOptions", {"beta": 1.0}))
    yield "L2", model("L2_NORMALIZATION", [vector], [tensor([1, 8], scale=1 / 128)], ("L2NormOptions", {}))
    yield "CAST", model("CAST", [image], [tensor([1, 6, 6, 4], "FLOAT32")])
    yield "DEQUANTIZE", model("DEQUANTIZE", [image], [tensor([1, 6, 6, 4], "FLOAT32")])
    for code in ("MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN"):
        yield code, model(code, [image, numbers([1, 2])], [tensor([1, 4])])
        yield code + "_last", model(code, [image, numbers([-1])], [tensor([1, 6, 6])])
    for code in ("ARG_MAX", "ARG_MIN"):
        yield code, model(code, [image, numbers([3])], [tensor([1, 6, 6], "INT32", scale=None)])
    yield "CONCAT", model("CONCATENATION", [image, image], [tensor([1, 6, 6, 8])],
                          ("ConcatenationOptions", {"axis": -1}))
    yield "PACK", model("PACK", [vector, vector], [tensor([2, 1, 8])], ("PackOptions", {"values_count": 2}))
    yield "UNPACK", model("UNPACK", [image], [tensor([1, 6, 4])] * 6, ("UnpackOptions", {"num": 6, "axis": 1}))
    yield "SLICE", model("SLICE", [image, numbers([0, 1, 2, 0]), numbers([1, 3, -1, 2])], [tensor([1, 3, 4, 2])])
    yield "STRIDED", model("STRIDED_SLICE", [image, numbers([0, 5, 1, 0]), numbers([1, 0, 6, 4]),
                                             numbers([1, -2, 2, 1])], [tensor([1, 3, 3, 4])],
                           ("StridedSliceOptions", {"begin_mask": 8, "end_mask": 8}))
    yield "SPLIT", model("SPLIT", [numbers([3]), image], [tensor([1, 6, 6, 2])] * 2, ("SplitOptions", {"num_splits": 2}))
    yield "SPLIT_V", model("SPLIT_V", [image, numbers([1, -1]), numbers([3])],
                           [tensor([1, 6, 6, 1]), tensor([1, 6, 6, 3])], ("SplitOptions", {"num_splits": 2}))
    yield "TRANSPOSE", model("TRANSPOSE", [image, numbers([0, 3, 1, 2])], [tensor([1, 4, 6, 6])])
    yield "GATHER", model("GATHER", [image, numbers([5, 0, 3])], [tensor([1, 3, 6, 4])], ("GatherOptions", {"axis": 1}))
    yield "SPACE", model("SPACE_TO_DEPTH", [image], [tensor([1, 3, 3, 16])], ("SpaceToDepthOptions", {"block_size": 2}))
    yield "DEPTH", model("DEPTH_TO_SPACE", [image], [tensor([1, 12, 12, 1])], ("DepthToSpaceOptions", {"block_size": 2}))
    yield "MIRROR", model("MIRROR_PAD", [image, numbers([0, 0, 1, 2, 2, 1, 0, 0])], [tensor([1, 9, 9, 4])],
                          ("MirrorPadOptions", {"mode": "REFLECT"}))
    yield "REVERSE", model("REVERSE_V2", [image, numbers([2])], [image])
    yield "TILE", model("TILE", [image, numbers([1, 2, 3, 1])], [tensor([1, 12, 18, 4])])
    yield "BROADCAST", model("BROADCAST_TO", [vector, numbers([3, 5, 8])], [tensor([3, 5, 8])])
    yield "PAD", model("PAD", [image, numbers([0, 0, 1, 2, 3, 0, 0, 1])], [tensor([1, 9, 9, 5])])
    yield "PADV2", model("PADV2", [image, numbers([0, 0, 1, 1, 1, 1, 0, 0]), tensor([], data=[7])],
                         [tensor([1, 8, 8, 4])])
    yield "RESHAPE", model("RESHAPE", [image, numbers([1, 144])], [tensor([1, 144])])
    for code, options in (("RESIZE_NEAREST_NEIGHBOR", "ResizeNearestNeighborOptions"),
                          ("RESIZE_BILINEAR", "ResizeBilinearOptions")):
        yield code, model(code, [image, numbers([9, 11])], [tensor([1, 9, 11, 4])], (options, {}))
    yield "SVDF", model("SVDF", [vector, tensor([4, 8], data=0), tensor([4, 3], "INT16", 0), tensor([2], "INT32", 0),
                                 tensor([1, 12], "INT16", variable=True)], [tensor([1, 2])], ("SVDFOptions", {"rank": 2}))
    gates = [tensor([3, 2], data=0)] * 4 + [tensor([3, 3], data=0)] * 4 + [None] * 3 + [tensor([3], "INT32", 0)] * 4
    states = [None, None, tensor([1, 3], variable=True), tensor([1, 3], "INT16", scale=2.0 ** -11, variable=True)]
    yield "LSTM", model("UNIDIRECTIONAL_SEQUENCE_LSTM", [tensor([1, 5, 2])] + gates + states + [None] * 4,
                        [tensor([1, 5, 3])],
                        ("UnidirectionalSequenceLSTMOptions", {"fused_activation_function": "TANH"}))
    yield "CHAIN", chain()
    yield "VARIABLES", variables()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--schema", required=True)
    parser.add_argument("--root", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    args = parser.parse_args()
    shutil.rmtree(args.out, ignore_errors=True)
    args.out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        sources = []
        for name, content in operators():
            sources.append(pathlib.Path(folder) / f"{name.lower()}.json")
            sources[-1].write_text(json.dumps(content))
        # FlatBuffers names the binary after the root type's extension.
        subprocess.run(["flatc", "--binary", "--strict-json", "-o", str(args.out), args.schema, *map(str, sources)],
                       check=True)
    for folder, pattern in (("models", "**/*.tflite"), ("networks", "**/*.json"), ("../shared/models", "*.tflite")):
        for path in sorted((args.root / folder).glob(pattern)):
            if path.is_file() and path.stat().st_size <= MOST_BYTES:
                shutil.copyfile(path, args.out / f"{path.parent.name}_{path.name}")


if __name__ == "__main__":
    main()
