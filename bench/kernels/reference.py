"""The layers of a network as reference.c runs them."""

import math

import machine

KERNELS = {
    "CONV_2D": "reference_convolution",
    "DEPTHWISE_CONV_2D": "reference_depthwise",
    "FULLY_CONNECTED": "reference_fully_connected",
    "ADD": "reference_addition",
    "AVERAGE_POOL_2D": "reference_average",
}


def image(shape):
    return [1, 1, 1, *shape][-3:]


def braces(numbers):
    return "{" + ", ".join(map(str, numbers)) + "}"


def weights_of(op, channels):
    """The shape of an operator's weights; of pooling, of its window."""
    rows, columns = op["window"]["kernel"]
    inputs = op["window"]["input"][2]
    return {"CONV_2D": [channels, rows, columns, inputs],
            "DEPTHWISE_CONV_2D": [1, rows, columns, channels],
            "FULLY_CONNECTED": [channels, 1, 1, inputs],
            "AVERAGE_POOL_2D": [1, rows, columns, 1]}[op["kind"]]


def layer(index, op):
    """An operator as an initialiser in C, and its scalars, weights and channels."""
    out = image(op["shape"])
    window = op["window"] or {"input": out, "stride": [1, 1], "dilation": [1, 1], "pad_before": [0, 0]}
    weights = weights_of(op, out[2]) if op["window"] else [0, 0, 0, 0]
    shapes = [[1, *window["input"]], weights, [1, *out]]
    steps = [window["stride"], window["dilation"], window["pad_before"]]
    text = ", ".join([KERNELS[op["kind"]], str(index), *("{" + braces(s) + "}" for s in shapes), *map(braces, steps)])
    return "{" + text + "}", max(math.prod(window["input"]), math.prod(out)), math.prod(weights), max(out[2], 3)


def count(target, account, folder):
    """Instructions of the layers that reference.c has; `account` is a network's, `folder` takes the firmware.

    What is left out, softmax above all, is little, and would make the reference larger.
    """
    layers = [layer(index, op) for index, op in enumerate(account["ops"]) if op["kind"] in KERNELS]
    most = [max(each[i] for each in layers) for i in (1, 2, 3)]
    folder.mkdir()
    with open(folder / "layers.h", "w", encoding="utf-8") as file:
        print('#include "reference.h"', file=file)
        print("enum { MOST_SCALARS = %d, MOST_WEIGHTS = %d, MOST_CHANNELS = %d };" % tuple(most), file=file)
        print("static const layer layers[] = {", ",\n".join(each[0] for each in layers), "};", sep="\n", file=file)
    machine.link(target, folder, [machine.HERE / "reference.c", machine.HERE / "reference_network.c"])
    return sum(machine.run(target, folder).by_op().values())
