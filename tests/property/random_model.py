"""Random small networks of Keras, and the int8 .tflite files that TensorFlow's converter makes of them.

A network is a random walk: each step takes a source of random numbers and an image, a tensor of shape
(1, height, width, channels), and returns another image, or None where that step does not fit the shape.
"""

import contextlib
import logging
import os
import random
import warnings

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import keras
import numpy as np
import tensorflow as tf

logging.getLogger("absl").setLevel(logging.ERROR)

layers = keras.layers

MOST_ELEMENTS = 12000  # of one tensor: networks stay quick to convert
MOST_CHANNELS = 40
SAMPLES = 8            # of the representative data


@contextlib.contextmanager
def quiet():
    """Warnings, and the converter's notes, which its C++ writes to stderr, go nowhere."""
    kept = os.dup(2)
    with open(os.devnull, "w", encoding="utf-8") as nowhere, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def some_activation(rng):
    return rng.choice([None, None, "relu", "relu6"])


def some_bias(rng):
    """A bias of random numbers, or none."""
    return {"use_bias": rng.random() < 0.8, "bias_initializer": keras.initializers.RandomNormal(stddev=0.2)}


def some_padding(rng, image, kernel, dilation=(1, 1)):
    """"same" or "valid"; None if the window is not inside the image without padding and chance says "valid"."""
    inside = all((k - 1) * d < extent for k, d, extent in zip(kernel, dilation, image.shape[1:3]))
    return rng.choice(["same", "valid"]) if inside else "same"


def some_kernel(rng, most=5):
    square = rng.randint(1, most)
    return (square, square) if rng.random() < 0.6 else (rng.randint(1, most), rng.randint(1, most))


def strides_or_dilation(rng, square):
    """Strides and dilation, one of them 1; both axes alike where `square` says so."""
    numbers = (rng.choice([1, 1, 1, 2, 2, 3]), rng.choice([1, 1, 2, 3]))
    if square or rng.random() < 0.6:
        numbers = (numbers[0], numbers[0])
    return (numbers, (1, 1)) if rng.random() < 0.7 else ((1, 1), numbers)


def convolution(rng, image):
    kernel = some_kernel(rng)
    strides, dilation = strides_or_dilation(rng, square=False)
    return layers.Conv2D(rng.randint(1, 16), kernel, strides, some_padding(rng, image, kernel, dilation),
                         dilation_rate=dilation, activation=some_activation(rng), **some_bias(rng))(image)


def pointwise(rng, image):
    return layers.Conv2D(rng.randint(1, 24), 1, activation=some_activation(rng), **some_bias(rng))(image)


def grouped_convolution(rng, image):
    groups = rng.choice([2, 3, 4])
    if image.shape[3] % groups:
        return None
    kernel = some_kernel(rng, 3)
    return layers.Conv2D(groups * rng.randint(1, 4), kernel, rng.randint(1, 2), some_padding(rng, image, kernel),
                         groups=groups, activation=some_activation(rng), **some_bias(rng))(image)


def depthwise_convolution(rng, image):
    kernel = some_kernel(rng)
    strides, dilation = strides_or_dilation(rng, square=True)
    return layers.DepthwiseConv2D(kernel, strides, some_padding(rng, image, kernel, dilation), rng.choice([1, 1, 1, 2, 3]),
                                  dilation_rate=dilation, activation=some_activation(rng), **some_bias(rng))(image)


def transposed_convolution(rng, image):
    strides = (rng.randint(1, 3), rng.randint(1, 3))
    return layers.Conv2DTranspose(rng.randint(1, 8), some_kernel(rng, 4), strides, rng.choice(["same", "valid"]),
                                  activation=some_activation(rng), **some_bias(rng))(image)


def pooling(rng, image):
    pool = rng.choice([layers.MaxPool2D, layers.AveragePooling2D])
    window = some_kernel(rng, 4)
    return pool(window, rng.choice([None, 1, 2, (1, 2), (2, 1)]), some_padding(rng, image, window))(image)


def padding(rng, image):
    amounts = [(rng.randint(0, 3), rng.randint(0, 3)) for _ in range(2)]
    return layers.ZeroPadding2D(amounts)(image)


def cropping(rng, image):
    amounts = [(rng.randint(0, (extent - 1) // 2), rng.randint(0, (extent - 1) // 2)) for extent in image.shape[1:3]]
    return layers.Cropping2D(amounts)(image)


def upsampling(rng, image):
    """By whole factors, with any of the conventions of where a pixel's centre lies."""
    extents = [extent * rng.randint(1, 3) for extent in image.shape[1:3]]
    resize = rng.choice([tf.compat.v1.image.resize_nearest_neighbor, tf.compat.v1.image.resize_bilinear])
    convention = rng.choice([{}, {"align_corners": True}, {"half_pixel_centers": True}])
    return layers.Lambda(lambda t: resize(t, extents, **convention))(image)


def resizing(rng, image):
    extents = [rng.randint(1, 2 * extent) for extent in image.shape[1:3]]
    return layers.Resizing(*extents, interpolation=rng.choice(["nearest", "bilinear"]))(image)


def activation(rng, image):
    name = rng.choice(["relu", "relu6", "tanh", "sigmoid", "hard_swish", "swish", "elu", "softmax", "log_softmax"])
    return layers.Activation(name)(image)


def leaky_relu(rng, image):
    return layers.LeakyReLU(negative_slope=rng.choice([0.01, 0.1, 0.3, 0.7]))(image)


def prelu(rng, image):
    return layers.PReLU(alpha_initializer=keras.initializers.RandomUniform(-0.5, 0.8), shared_axes=[1, 2])(image)


def absolute(_, image):
    return layers.Lambda(tf.abs)(image)


def batch_normalization(_, image):
    spread = keras.initializers.RandomUniform(0.3, 2.0)
    shift = keras.initializers.RandomNormal(stddev=0.5)
    return layers.BatchNormalization(beta_initializer=shift, gamma_initializer=spread, moving_mean_initializer=shift,
                                     moving_variance_initializer=spread)(image)


def like(rng, image):
    """A branch from `image` of its own shape."""
    channels = image.shape[3]
    kernel = some_kernel(rng, 3)
    made = layers.Conv2D(channels, kernel, padding="same", activation=some_activation(rng), **some_bias(rng))(image)
    return layers.DepthwiseConv2D(3, padding="same", **some_bias(rng))(made) if rng.random() < 0.4 else made


def residual(rng, image):
    merge = rng.choice([layers.Add, layers.Add, layers.Subtract, layers.Multiply, layers.Maximum, layers.Minimum])
    operands = [image, like(rng, image)]
    rng.shuffle(operands)
    made = merge()(operands)
    return layers.ReLU()(made) if rng.random() < 0.4 else made


def squeeze_and_excite(rng, image):
    mean = layers.GlobalAveragePooling2D(keepdims=True)(image)
    hidden = layers.Conv2D(rng.randint(1, 6), 1, activation="relu")(mean)
    gate = layers.Conv2D(image.shape[3], 1, activation=rng.choice(["sigmoid", "hard_sigmoid"]))(hidden)
    return layers.Multiply()([image, gate])


def with_constant(rng, image):
    """A sum, difference or product with a constant vector over the channels, or a number."""
    shape = rng.choice([(), (image.shape[3],)])
    constant = np.array(np.random.default_rng(rng.randrange(2**32)).normal(size=shape), np.float32)
    operation = rng.choice([tf.add, tf.subtract, tf.multiply])
    return layers.Lambda(lambda t: operation(t, constant))(image)


def matrix_product(rng, image):
    """By a constant matrix over the channels."""
    shape = (image.shape[3], rng.randint(1, 12))
    matrix = np.array(np.random.default_rng(rng.randrange(2**32)).normal(size=shape), np.float32)
    return layers.Lambda(lambda t: tf.matmul(t, matrix))(image)


def normalized(_, image):
    """Every vector of channels at length 1."""
    return layers.Lambda(lambda t: tf.math.l2_normalize(t, axis=3))(image)


def joined_with_constant(rng, image):
    """More channels, which are the same for every input."""
    shape = (*image.shape[:3], rng.randint(1, 3))
    constant = np.array(np.random.default_rng(rng.randrange(2**32)).normal(size=shape), np.float32)
    return layers.Lambda(lambda t: tf.concat([t, constant], axis=3))(image)


def concatenation(rng, image):
    """Of two or three branches, sometimes with the image itself, along the channels, rows or columns."""
    branches = [like(rng, image) for _ in range(rng.randint(1, 2))] + [image]
    rng.shuffle(branches)
    return layers.Concatenate(axis=rng.choice([3, 3, 3, 1, 2]))(branches)


def two_halves(rng, image):
    """The channels in two halves, one through a branch, and joined again."""
    if image.shape[3] % 2:
        return None
    first = layers.Lambda(lambda t: tf.split(t, 2, axis=3)[0])(image)
    second = layers.Lambda(lambda t: tf.split(t, 2, axis=3)[1])(image)
    return layers.Concatenate()([like(rng, first), second])


def reshaping(rng, image):
    _, height, width, channels = image.shape
    return layers.Reshape(rng.choice([(height * width, 1, channels), (width, height, channels),
                                      (1, height * width, channels), (height, 1, width * channels)]))(image)


def permuting(rng, image):
    return layers.Permute(rng.sample([1, 2, 3], 3))(image)


def reducing(rng, image):
    """Over one or two axes, which stay with extent 1."""
    reduce = rng.choice([tf.reduce_mean, tf.reduce_mean, tf.reduce_max, tf.reduce_sum])
    axes = sorted(rng.sample([1, 2, 3], rng.randint(1, 2)))
    return layers.Lambda(lambda t: reduce(t, axis=axes, keepdims=True))(image)


def blocks(rng, image):
    """SPACE_TO_DEPTH or DEPTH_TO_SPACE."""
    _, height, width, channels = image.shape
    if rng.random() < 0.5 and height % 2 == 0 and width % 2 == 0:
        return layers.Lambda(lambda t: tf.nn.space_to_depth(t, 2))(image)
    return layers.Lambda(lambda t: tf.nn.depth_to_space(t, 2))(image) if channels % 4 == 0 else None


# A step and how often it is taken.
STEPS = {convolution: 6, pointwise: 2, grouped_convolution: 1, depthwise_convolution: 5, transposed_convolution: 2,
         pooling: 4, padding: 2, cropping: 1, upsampling: 1, resizing: 1, activation: 3, leaky_relu: 1, prelu: 1,
         absolute: 0.5, batch_normalization: 1, residual: 5, squeeze_and_excite: 1, with_constant: 1, concatenation: 4,
         two_halves: 1, reshaping: 1, permuting: 1, reducing: 0.5, blocks: 0.5, matrix_product: 0.5, normalized: 0.3,
         joined_with_constant: 0.5}


def fits(image):
    return image is not None and image.shape[3] <= MOST_CHANNELS and np.prod(image.shape) <= MOST_ELEMENTS


def walk(rng, image, steps):
    while steps > 0:
        step, = rng.choices(list(STEPS), STEPS.values())
        made = step(rng, image)
        if fits(made):
            image, steps = made, steps - 1
    return image


def head(rng, image):
    """Nothing, or what makes classes of an image."""
    if rng.random() < 0.5:
        return image
    flat = rng.choice([layers.Flatten, layers.GlobalAveragePooling2D])()(image)
    if rng.random() < 0.4:
        flat = layers.Dense(rng.randint(2, 20), activation=some_activation(rng), **some_bias(rng))(flat)
    return layers.Dense(rng.randint(2, 12), activation=rng.choice([None, "softmax", "sigmoid"]), **some_bias(rng))(flat)


@quiet()
def network(seed):
    """The network of this seed, a string: the same at every call."""
    rng = random.Random(seed)
    keras.utils.set_random_seed(rng.randrange(2**31))
    image = keras.Input((rng.randint(3, 20), rng.randint(3, 20), rng.choice([1, 2, 3, 4, 8])), batch_size=1)
    end = walk(rng, image, rng.randint(1, 7))
    outputs = [head(rng, end)]
    if rng.random() < 0.15:
        outputs.append(walk(rng, end, 1))
    return keras.Model(image, outputs)


def as_int8(model, seed):
    """The bytes of the int8 .tflite of `model`; ranges from random data that may be nowhere negative, or far from 0.

    Raises whatever TensorFlow does where it cannot convert the model."""
    rng = np.random.default_rng(list(seed.encode()))
    low, high = [(-1.0, 1.0), (0.0, 1.0), (-3.0, 5.0)][rng.integers(3)]
    shape = model.inputs[0].shape
    samples = rng.uniform(low, high, (SAMPLES, *shape)).astype(np.float32)
    call = tf.function(lambda image: model(image, training=False), input_signature=[tf.TensorSpec(shape, tf.float32)])
    converter = tf.lite.TFLiteConverter.from_concrete_functions([call.get_concrete_function()])
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ([sample] for sample in samples)
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    with quiet():
        return converter.convert()
