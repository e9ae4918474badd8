#!/usr/bin/env python3
"""Models of keras.applications written by networks/from_keras.py say what the networks of networks/keras say, operator
by operator; small models of what those do not have. Exits 77 where Keras is absent."""

import json
import os
import pathlib
import sys

os.environ.setdefault("KERAS_BACKEND", "jax")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
NETWORKS = pathlib.Path(__file__).resolve().parents[2] / "networks"
sys.path.insert(0, str(NETWORKS))

try:
    import keras.applications
except ImportError as error:
    print(f"from_keras: skipped, Keras cannot be imported ({error})")
    sys.exit(77)

import from_keras  # noqa: E402

# Model of keras.applications: the network's name, and the operator of preprocessing that only trained weights bring.
MODELS = {
    "MobileNet": ("MobileNet", None),
    "MobileNetV2": ("MobileNetV2", None),
    "MobileNetV3Small": ("MobileNetV3-S", None),
    "VGG16": ("VGG-16", None),
    "ResNet50": ("ResNet-50", None),
    "ResNet50V2": ("ResNet-50v2", None),
    "DenseNet121": ("DenseNet-121", None),
    "InceptionV3": ("Inception-v3", None),
    "Xception": ("Xception", None),
    "EfficientNetB0": ("EfficientNet-B0", 3),
    "EfficientNetV2B0": ("EffNetV2-B0", None),
}
# A walk from the outputs meets the shortcut, which has no convolution, before the branch that the network runs first.
OTHER_ORDER = ("ResNet50V2",)


def numbered(text, without=None):
    """The operators with tensors as numbers, the operands of a sum in one order, without fused activations."""
    network = json.loads(text)
    number = {name: -1 - i for i, name in enumerate(network["inputs"])}
    last = next(iter(number))
    ops = []
    for i, op in enumerate(network["ops"]):
        reads = op.get("in", last)
        out = op.get("out", f"{op['op']}_{i}")
        if op["op"] == "add":
            reads = sorted(reads, key=number.get) if isinstance(reads, list) else reads
        entry = {"op": op["op"], "in": [number[name] for name in ([reads] if isinstance(reads, str) else reads)]}
        for key in ("channels", "kernel", "stride", "pad", "dilation", "groups", "multiplier", "constant"):
            if key in op:
                entry[key] = op[key]
        number[out], last = i, out
        ops.append(entry)
    if without is not None:
        ops = [{**op, "in": [i - (i >= without) for i in op["in"]]} for op in ops[:without] + ops[without + 1:]]
    return ops


def signatures(ops):
    """Each operator with all that it depends on, whatever the order."""
    trees = []
    for op in ops:
        inputs = tuple(trees[i] if i >= 0 else i for i in op["in"])
        rest = tuple((key, str(value)) for key, value in op.items() if key != "in")
        trees.append(hash((tuple(sorted(inputs)) if op["op"] == "add" else inputs, rest)))
    return sorted(trees)


def check(model, known, without):
    shape = {"input_shape": (224, 224, 3)} if model.startswith("MobileNetV3") else {}
    built = getattr(keras.applications, model)(weights=None, classifier_activation=None, **shape)
    made = numbered(from_keras.network_of(built))
    expected = numbered((NETWORKS / "keras" / f"{known}.json").read_text(), without)
    assert len(made) == len(expected), f"{model}: {len(made)} operators, not {len(expected)}"
    different = [(got, want) for got, want in zip(made, expected) if got != want]
    if model in OTHER_ORDER:
        assert signatures(made) == signatures(expected), f"{model}: another network than {known}.json"
    elif different:
        raise AssertionError(f"{model}: {{}} instead of {{}}".format(*different[0]))
    print(f"{model}: the {len(made)} operators of {known}.json" + (", in another order" if different else ""))


def kinds(model, logits=False):
    return [op["op"] for op in json.loads(from_keras.network_of(model, logits=logits))["ops"]]


def check_small():
    layers = keras.layers
    image = keras.Input((8, 8, 4))
    base = keras.Sequential([layers.Input((8, 8, 4)), layers.Conv2D(8, 3, padding="same"), layers.BatchNormalization()])
    whole = keras.Sequential([layers.Input((8, 8, 4)), base, layers.ReLU(6.0), layers.Flatten(), layers.Dense(3),
                              layers.Softmax()])
    ops = json.loads(from_keras.network_of(whole))["ops"]
    assert [op["op"] for op in ops] == ["conv", "fully_connected", "softmax"], ops
    assert ops[0]["activation"] == "relu6", ops
    assert kinds(whole, logits=True) == ["conv", "fully_connected"]

    made = layers.Conv2D(4, 3, padding="same")(image)
    both = layers.Add()([layers.Activation("relu")(made), made])  # read twice: the ReLU stays an operator
    assert kinds(keras.Model(image, both)) == ["conv", "relu", "add"]
    swish = layers.Activation("swish")(layers.ZeroPadding2D(2)(image))
    try:
        from_keras.network_of(keras.Model(image, swish))
        raise AssertionError("padding before an activation passed")
    except from_keras.Unsupported as error:
        assert "zero padding before logistic" in str(error), error
    for bad in (layers.Conv2DTranspose(4, 3)(image), layers.LayerNormalization()(image)):
        try:
            from_keras.network_of(keras.Model(image, bad))
            raise AssertionError("an unsupported layer passed")
        except from_keras.Unsupported:
            pass
    assert kinds(keras.Model(image, layers.LeakyReLU()(image) - 1.0)) == ["leaky_relu", "subtract"]
    padded = layers.Conv2D(8, 3, strides=2)(layers.ZeroPadding2D(((0, 1), (0, 1)))(image))
    assert json.loads(from_keras.network_of(keras.Model(image, padded)))["ops"][0]["pad"] == "same"
    print("small models: as expected")


def main():
    check_small()
    for model in sys.argv[1:] or MODELS:
        check(model, *MODELS[model])


if __name__ == "__main__":
    main()
