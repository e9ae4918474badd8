#!/usr/bin/env python3
"""Writes a Keras model as a network in ripc's JSON: its shapes, for planning before anything is trained or converted.

usage: from_keras.py MODEL OUT.json [--logits]

MODEL is a file that keras.models.load_model reads (.keras, .h5), or the name of a model of keras.applications, which
is then built without weights. --logits leaves out a softmax at the end. In Python: network_of(model).

What a converter to int8 folds is folded: batch normalisation and ReLU into the operator before, zero padding into the
operator after, reshapes and dropout into nothing. Batch normalisation with nothing to fold into is a product and a
sum, swish a logistic and a product, hard sigmoid a sum that ends in ReLU6. Operators come in the order of a walk from
the outputs, first arguments first. Keras 3, channels last; anything else is an error.
"""

import pathlib
import sys

from network_json import network_text, same_pads, window

IDENTITIES = ("Dropout", "SpatialDropout2D", "GaussianNoise", "GaussianDropout", "Identity", "Flatten", "Reshape",
              "InputLayer", "ActivityRegularization")
UNARIES = {"sigmoid": "logistic", "tanh": "tanh", "hard_swish": "hard_swish", "hard_silu": "hard_swish", "elu": "elu",
           "leaky_relu": "leaky_relu"}
ABSORB_ACTIVATION = ("conv", "depthwise", "fully_connected", "add", "multiply", "average_pool", "max_pool")


class Unsupported(Exception):
    pass


class Network:
    """Operators as they are found; `out` of each is a number until the end."""

    def __init__(self):
        self.inputs, self.ops, self.shapes = {}, [], {}
        self.pads = {}  # padded tensor: (tensor, top, bottom, left, right); its readers pad

    def tensor(self, shape):
        name = f"t{len(self.shapes)}"
        self.shapes[name] = tuple(shape)
        return name

    def add(self, kind, inputs, shape, **fields):
        if any(name in self.pads for name in inputs):
            raise Unsupported(f"zero padding before {kind}, which cannot pad")
        out = self.tensor(shape)
        self.ops.append({"op": kind, "in": list(inputs), "out": out, **fields})
        return out

    def writer(self, tensor):
        return next((op for op in reversed(self.ops) if op["out"] == tensor), None)

    def elementwise(self, kind, tensor, **fields):
        return self.add(kind, [tensor], self.shapes[tensor], **fields)


def image(tensor):
    """[height, width, channels] of a tensor of Keras, batch left out."""
    shape = list(tensor.shape)[1:]
    if any(extent is None for extent in shape):
        raise Unsupported(f"{tensor.name} has the open shape {shape}: build the model with fixed shapes")
    if len(shape) > 3:
        raise Unsupported(f"{tensor.name} has {len(shape)} dimensions: at most height, width and channels")
    return [1] * (3 - len(shape)) + shape


def pair(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


class Exporter:
    def __init__(self, model):
        self.network, self.done = Network(), {}  # done: names of the tensors of Keras, by id
        self.readers = self.count_readers(model.outputs)
        for tensor in model.inputs:
            name = self.network.tensor(image(tensor))
            self.network.inputs[name] = image(tensor)
            self.done[id(tensor)] = name
        self.outputs = [self.visit(tensor) for tensor in model.outputs]

    @staticmethod
    def node_of(tensor):
        layer, index = tensor._keras_history[0], tensor._keras_history[1]
        return layer, layer._inbound_nodes[index]

    def count_readers(self, outputs):
        """How often a model reads each of its tensors: what is read once may be folded away."""
        waiting, seen = list(outputs), set()
        readers = {id(tensor): 1 for tensor in outputs}
        while waiting:
            tensor = waiting.pop()
            if id(tensor) in seen:
                continue
            seen.add(id(tensor))
            for source in self.node_of(tensor)[1].input_tensors:
                readers[id(source)] = readers.get(id(source), 0) + 1
                waiting.append(source)
        return readers

    def visit(self, tensor):
        """The name of the tensor, its operators written before; no recursion, since networks are deep."""
        stack = [tensor]
        while stack:
            top = stack[-1]
            if id(top) in self.done:
                stack.pop()
                continue
            layer, node = self.node_of(top)
            missing = [source for source in node.input_tensors if id(source) not in self.done]
            if missing:
                stack.extend(reversed(missing))
                continue
            if len(node.output_tensors) != 1:
                raise Unsupported(f"{layer.name} has {len(node.output_tensors)} outputs")
            self.done[id(top)] = self.convert(layer, node, top)
            stack.pop()
        return self.done[id(tensor)]

    def convert(self, layer, node, out):
        sources = list(node.input_tensors)
        names = [self.done[id(source)] for source in sources]
        kind = type(layer).__name__
        if getattr(layer, "data_format", "channels_last") == "channels_first":
            raise Unsupported(f"{layer.name} has its channels first")
        if kind in IDENTITIES:
            return self.same_bytes(names[0], image(out))
        method = getattr(self, "convert_" + kind, None)
        if method is None:
            raise Unsupported(f"layer {layer.name} of kind {kind} is not supported")
        return method(layer, node, sources, names, out)

    def same_bytes(self, name, shape):
        """A reshape: the same tensor under another shape."""
        if tuple(shape) == self.network.shapes[name]:
            return name
        if list(shape[:2]) != [1, 1]:
            raise Unsupported(f"a reshape from {list(self.network.shapes[name])} to {shape}")
        return name

    def once(self, tensor):
        return self.readers[id(tensor)] == 1

    def activate(self, name, activation, foldable):
        """The tensor after an activation that is named as Keras names it."""
        if not isinstance(activation, str):
            activation = getattr(activation, "__name__", str(activation))
        if activation == "linear":
            return name
        network, writer = self.network, self.network.writer(name)
        if activation in ("relu", "relu6"):
            if foldable and writer is not None and writer["op"] in ABSORB_ACTIVATION and "activation" not in writer:
                writer["activation"] = activation
                return name
            return network.elementwise(activation, name)
        if activation in ("swish", "silu"):
            gate = network.elementwise("logistic", name)
            return network.add("multiply", [name, gate], network.shapes[name])
        if activation == "hard_sigmoid":
            return network.elementwise("add", name, constant="scalar", activation="relu6")
        if activation == "softmax":
            return network.elementwise("softmax", name)
        if activation in UNARIES:
            return network.elementwise(UNARIES[activation], name)
        raise Unsupported(f"activation {activation} is not supported")

    def windowed(self, layer, name, kernel, out):
        """Fields of a window, with the zero padding before it. Padding that no output reads is left out."""
        stride, dilation = pair(layer.strides), pair(getattr(layer, "dilation_rate", 1))
        name, *before = self.network.pads.get(name, (name, 0, 0, 0, 0))
        shape = self.network.shapes[name]
        pads = list(before)
        if layer.padding == "same":
            for axis in (0, 1):
                extent = shape[axis] + before[2 * axis] + before[2 * axis + 1]
                first, last = same_pads(extent, kernel[axis], stride[axis], dilation[axis])
                pads[2 * axis], pads[2 * axis + 1] = pads[2 * axis] + first, pads[2 * axis + 1] + last
        elif layer.padding != "valid":
            raise Unsupported(f"{layer.name} has padding {layer.padding}")
        for axis in (0, 1):
            needed = (image(out)[axis] - 1) * stride[axis] + (kernel[axis] - 1) * dilation[axis] + 1
            pads[2 * axis + 1] = max(0, needed - shape[axis] - pads[2 * axis])
        return name, window(shape, kernel, stride, pads, dilation)

    def convert_Functional(self, layer, node, sources, names, out):
        """A model inside the model, perhaps one of several calls of it."""
        if len(layer.outputs) != 1:
            raise Unsupported(f"{layer.name} is a model with {len(layer.outputs)} outputs inside another")
        inner, outer = layer.outputs[0], self.done
        self.readers |= self.count_readers([inner])
        self.readers[id(out)] += self.readers[id(inner)] - 1
        self.done = {id(tensor): name for tensor, name in zip(layer.inputs, names)}
        made = self.visit(inner)
        self.done = outer
        return made

    convert_Sequential = convert_Functional

    def convert_Conv2D(self, layer, node, sources, names, out):
        name, fields = self.windowed(layer, names[0], pair(layer.kernel_size), out)
        if layer.groups != 1:
            fields["groups"] = layer.groups
        made = self.network.add("conv", [name], image(out), channels=layer.filters, **fields)
        return self.activate(made, layer.activation, True)

    def convert_DepthwiseConv2D(self, layer, node, sources, names, out):
        name, fields = self.windowed(layer, names[0], pair(layer.kernel_size), out)
        if layer.depth_multiplier != 1:
            fields["multiplier"] = layer.depth_multiplier
        made = self.network.add("depthwise", [name], image(out), **fields)
        return self.activate(made, layer.activation, True)

    def convert_SeparableConv2D(self, layer, node, sources, names, out):
        name, fields = self.windowed(layer, names[0], pair(layer.kernel_size), out)
        if layer.depth_multiplier != 1:
            fields["multiplier"] = layer.depth_multiplier
        height, width, channels = image(out)
        between = [height, width, self.network.shapes[name][2] * layer.depth_multiplier]
        made = self.network.add("depthwise", [name], between, **fields)
        made = self.network.add("conv", [made], [height, width, channels], channels=channels, kernel=1)
        return self.activate(made, layer.activation, True)

    def convert_Dense(self, layer, node, sources, names, out):
        height, width, _ = self.network.shapes[names[0]]
        if (height, width) == (1, 1) or len(sources[0].shape) == 2:
            made = self.network.add("fully_connected", names, image(out), channels=layer.units)
        else:
            made = self.network.add("conv", names, image(out), channels=layer.units, kernel=1)
        return self.activate(made, layer.activation, True)

    def pool(self, kind, layer, names, out):
        name, fields = self.windowed(layer, names[0], pair(layer.pool_size), out)
        return self.network.add(kind, [name], image(out), **fields)

    def convert_MaxPooling2D(self, layer, node, sources, names, out):
        return self.pool("max_pool", layer, names, out)

    def convert_AveragePooling2D(self, layer, node, sources, names, out):
        if names[0] in self.network.pads:
            raise Unsupported(f"{layer.name} averages over zeros that another layer padded")
        return self.pool("average_pool", layer, names, out)

    def convert_GlobalAveragePooling2D(self, layer, node, sources, names, out):
        return self.network.add("mean", names, [1, 1, self.network.shapes[names[0]][2]])

    def convert_ZeroPadding2D(self, layer, node, sources, names, out):
        """No operator: its readers pad, and must be able to."""
        if names[0] in self.network.pads:
            raise Unsupported(f"{layer.name} pads what is padded already")
        (top, bottom), (left, right) = layer.padding
        height, width, channels = self.network.shapes[names[0]]
        name = self.network.tensor([height + top + bottom, width + left + right, channels])
        self.network.pads[name] = (names[0], top, bottom, left, right)
        return name

    def convert_BatchNormalization(self, layer, node, sources, names, out):
        axis = layer.axis if isinstance(layer.axis, int) else layer.axis[-1]
        if axis not in (-1, len(out.shape) - 1):
            raise Unsupported(f"{layer.name} normalises axis {axis}, not the channels")
        writer = self.network.writer(names[0])
        weighted = writer is not None and writer["op"] in ("conv", "depthwise", "fully_connected")
        if weighted and self.once(sources[0]) and "activation" not in writer:
            return names[0]
        scaled = self.network.elementwise("multiply", names[0], constant="channels")
        return self.network.elementwise("add", scaled, constant="channels")

    def convert_Activation(self, layer, node, sources, names, out):
        return self.activate(names[0], layer.activation, self.once(sources[0]))

    def convert_Softmax(self, layer, node, sources, names, out):
        return self.activate(names[0], "softmax", False)

    def convert_ReLU(self, layer, node, sources, names, out):
        if layer.negative_slope or layer.threshold or layer.max_value not in (None, 6, 6.0):
            raise Unsupported(f"{layer.name}: only relu and relu6")
        return self.activate(names[0], "relu" if layer.max_value is None else "relu6", self.once(sources[0]))

    def convert_LeakyReLU(self, layer, node, sources, names, out):
        return self.activate(names[0], "leaky_relu", False)

    def convert_Rescaling(self, layer, node, sources, names, out):
        made = names[0]
        for kind, value, neutral in (("multiply", layer.scale, 1), ("add", layer.offset, 0)):
            a_channel = isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0
            if a_channel or value != neutral:
                made = self.network.elementwise(kind, made, constant="channels" if a_channel else "scalar")
        return made

    def convert_Normalization(self, layer, node, sources, names, out):
        made = self.network.elementwise("add", names[0], constant="channels")
        return self.network.elementwise("multiply", made, constant="channels")

    def merge(self, kind, node, names, out):
        """A sum or product of tensors, or of one tensor and a number."""
        if len(names) == 2:
            return self.network.add(kind, names, image(out))
        if len(names) == 1:
            return self.with_number(kind, node, names[0])
        made = names[0]
        for name in names[1:]:
            made = self.network.add(kind, [made, name], image(out))
        return made

    def with_number(self, kind, node, name):
        writer = self.network.writer(name)
        numbers = [value for value in node.arguments.args if isinstance(value, (int, float))]
        sixth = kind == "multiply" and numbers and abs(numbers[0] - 1 / 6) < 1e-6
        if sixth and writer["op"] == "add" and writer.get("activation") == "relu6" and "constant" in writer:
            return name  # of a hard sigmoid: a matter of the scale
        return self.network.elementwise(kind, name, constant="scalar")

    def convert_Add(self, layer, node, sources, names, out):
        return self.merge("add", node, names, out)

    def convert_Multiply(self, layer, node, sources, names, out):
        return self.merge("multiply", node, names, out)

    def convert_Subtract(self, layer, node, sources, names, out):
        return self.merge("subtract", node, names, out)

    def convert_CustomScaleLayer(self, layer, node, sources, names, out):
        """Inception-ResNet: the sum of a tensor and a scaled one; the scale goes into the convolution before."""
        return self.merge("add", node, names, out)

    def convert_Concatenate(self, layer, node, sources, names, out):
        if layer.axis not in (-1, 3) and len(out.shape) == 4:
            raise Unsupported(f"{layer.name} joins along axis {layer.axis}, not the channels")
        return self.network.add("concat", names, image(out))

    def convert_UpSampling2D(self, layer, node, sources, names, out):
        if layer.interpolation != "nearest":
            raise Unsupported(f"{layer.name} interpolates: only nearest")
        rows, columns = pair(layer.size)
        return self.network.add("resize_nearest", names, image(out), scale=rows if rows == columns else [rows, columns])


def network_of(model, name=None, logits=False):
    """The text of the JSON file for a Keras model of fixed shapes."""
    exporter = Exporter(model)
    ops, outputs = exporter.network.ops, exporter.outputs
    if logits and ops[-1]["op"] == "softmax" and ops[-1]["out"] in outputs:
        outputs[outputs.index(ops[-1]["out"])] = ops[-1]["in"][0]
        ops.pop()
    return network_text(name or model.name, exporter.network.inputs, ops)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--logits"]
    if len(arguments) != 2:
        raise SystemExit(__doc__)
    try:
        import keras.applications  # the folder keras/ beside this file would pass for a package without it
    except ImportError:
        raise SystemExit("from_keras.py: Keras is not installed; pip install keras jax, and set KERAS_BACKEND=jax")
    model, out = arguments
    try:
        if pathlib.Path(model).exists():
            loaded = keras.models.load_model(model, compile=False)
        else:
            loaded = getattr(keras.applications, model)(weights=None)
        text = network_of(loaded, pathlib.Path(model).stem, "--logits" in sys.argv)
    except (Unsupported, AttributeError, OSError, ValueError) as error:
        raise SystemExit(f"from_keras.py: {model}: {error}")
    pathlib.Path(out).write_text(text)


if __name__ == "__main__":
    main()
