#include "reference.h"

enum { INPUT_OFFSET = 128, OUTPUT_OFFSET = -128, LEAST = -128, MOST = 127, ADD_LEFT_SHIFT = 20 };

/* Height, width and channels of a shape in locals: a compiler keeps these in registers. */
#define EXTENTS(name, shape) \
  const int32_t name##_height = (shape).size[1], name##_width = (shape).size[2], name##_channels = (shape).size[3]
#define AT(name, i, y, x, c) ((((i)*name##_height + (y)) * name##_width + (x)) * name##_channels + (c))

/* The rounded high half of twice the product. */
static int32_t doubling_high_product(int32_t a, int32_t b) {
  if (a == b && a == INT32_MIN) return INT32_MAX;
  const int64_t product = (int64_t)a * b;
  const int64_t half = product >= 0 ? 1 << 30 : 1 - (1 << 30);
  return (int32_t)((product + half) / ((int64_t)1 << 31));
}

/* x / 2^exponent, halves away from zero. */
static int32_t rounding_quotient(int32_t x, int32_t exponent) {
  const int32_t mask = (int32_t)(((int64_t)1 << exponent) - 1);
  const int32_t rest = x & mask, threshold = (mask >> 1) + (x < 0);
  return (x >> exponent) + (rest > threshold);
}

static int32_t requantise(int32_t x, int32_t multiplier, int32_t shift) {
  const int32_t left = shift > 0 ? shift : 0, right = shift > 0 ? 0 : -shift;
  return rounding_quotient(doubling_high_product(x * (1 << left), multiplier), right);
}

static int8_t output_of(int32_t sum, int32_t multiplier, int32_t shift) {
  int32_t y = requantise(sum, multiplier, shift) + OUTPUT_OFFSET;
  if (y < LEAST) y = LEAST;
  if (y > MOST) y = MOST;
  return (int8_t)y;
}

void reference_convolution(const layer* layer, operands v) {
  EXTENTS(in, layer->in);
  EXTENTS(weights, layer->weights);
  EXTENTS(out, layer->out);
  int32_t y, x, c, ky, kx, k;
  for (y = 0; y < out_height; y++) {
    const int32_t top = y * layer->stride[0] - layer->pad[0];
    for (x = 0; x < out_width; x++) {
      const int32_t left = x * layer->stride[1] - layer->pad[1];
      for (c = 0; c < out_channels; c++) {
        int32_t sum = 0;
        for (ky = 0; ky < weights_height; ky++) {
          const int32_t in_y = top + layer->dilation[0] * ky;
          for (kx = 0; kx < weights_width; kx++) {
            const int32_t in_x = left + layer->dilation[1] * kx;
            if (in_x < 0 || in_x >= in_width || in_y < 0 || in_y >= in_height) continue;
            for (k = 0; k < weights_channels; k++) {
              const int32_t value = v.in[AT(in, 0, in_y, in_x, k)];
              const int32_t weight = v.weights[AT(weights, c, ky, kx, k)];
              sum += weight * (value + INPUT_OFFSET);
            }
          }
        }
        if (v.bias) sum += v.bias[c];
        v.out[AT(out, 0, y, x, c)] = output_of(sum, v.multiplier[c], v.shift[c]);
      }
    }
  }
}

void reference_depthwise(const layer* layer, operands v) {
  EXTENTS(in, layer->in);
  EXTENTS(weights, layer->weights);
  EXTENTS(out, layer->out);
  const int32_t copies = out_channels / in_channels;
  int32_t y, x, k, m, ky, kx;
  for (y = 0; y < out_height; y++) {
    for (x = 0; x < out_width; x++) {
      for (k = 0; k < in_channels; k++) {
        for (m = 0; m < copies; m++) {
          const int32_t c = m + k * copies;
          const int32_t top = y * layer->stride[0] - layer->pad[0], left = x * layer->stride[1] - layer->pad[1];
          int32_t sum = 0;
          for (ky = 0; ky < weights_height; ky++) {
            for (kx = 0; kx < weights_width; kx++) {
              const int32_t in_y = top + layer->dilation[0] * ky, in_x = left + layer->dilation[1] * kx;
              if (in_x >= 0 && in_x < in_width && in_y >= 0 && in_y < in_height) {
                const int32_t value = v.in[AT(in, 0, in_y, in_x, k)];
                const int32_t weight = v.weights[AT(weights, 0, ky, kx, c)];
                sum += weight * (value + INPUT_OFFSET);
              }
            }
          }
          if (v.bias) sum += v.bias[c];
          v.out[AT(out, 0, y, x, c)] = output_of(sum, v.multiplier[c], v.shift[c]);
        }
      }
    }
  }
}

void reference_fully_connected(const layer* layer, operands v) {
  const int32_t depth = layer->weights.size[3], outputs = layer->out.size[3];
  int32_t c, k;
  for (c = 0; c < outputs; c++) {
    int32_t sum = 0;
    for (k = 0; k < depth; k++) sum += v.weights[c * depth + k] * (v.in[k] + INPUT_OFFSET);
    if (v.bias) sum += v.bias[c];
    v.out[c] = output_of(sum, v.multiplier[0], v.shift[0]);
  }
}

void reference_addition(const layer* layer, operands v) {
  const int32_t count = layer->out.size[1] * layer->out.size[2] * layer->out.size[3];
  int32_t i;
  for (i = 0; i < count; i++) {
    const int32_t a = (v.in[i] + INPUT_OFFSET) * (1 << ADD_LEFT_SHIFT);
    const int32_t b = (v.other[i] + INPUT_OFFSET) * (1 << ADD_LEFT_SHIFT);
    const int32_t sum = requantise(a, v.multiplier[0], -1) + requantise(b, v.multiplier[1], -2);
    v.out[i] = output_of(sum, v.multiplier[2], -ADD_LEFT_SHIFT + 1);
  }
}

void reference_average(const layer* layer, operands v) {
  EXTENTS(in, layer->in);
  EXTENTS(window, layer->weights);
  EXTENTS(out, layer->out);
  int32_t y, x, c, ky, kx;
  for (y = 0; y < out_height; y++) {
    for (x = 0; x < out_width; x++) {
      for (c = 0; c < out_channels; c++) {
        const int32_t top = y * layer->stride[0] - layer->pad[0], left = x * layer->stride[1] - layer->pad[1];
        int32_t sum = 0, count = 0;
        for (ky = 0; ky < window_height; ky++) {
          for (kx = 0; kx < window_width; kx++) {
            const int32_t in_y = top + ky, in_x = left + kx;
            if (in_x < 0 || in_x >= in_width || in_y < 0 || in_y >= in_height) continue;
            sum += v.in[AT(in, 0, in_y, in_x, c)];
            count++;
          }
        }
        if (count > 0) sum = sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
        v.out[AT(out, 0, y, x, c)] = (int8_t)(sum < LEAST ? LEAST : sum > MOST ? MOST : sum);
      }
    }
  }
}
