/* Layers in the style of TensorFlow Lite Micro's reference kernels: one loop an axis, the offset of every access
 * computed from four indices, 64-bit products in requantisation. They are what fast kernels are compared with. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdint.h>

typedef struct shape {
  int32_t size[4]; /* 1, height, width, channels; of convolution weights: output channels first */
} shape;

typedef struct operands {
  const int8_t *in, *other; /* `other`: the second operand of an addition */
  const int8_t* weights;
  const int32_t *bias, *multiplier, *shift; /* one a channel; a negative shift goes right */
  int8_t* out;
} operands;

typedef struct layer {
  void (*run)(const struct layer* layer, operands operands);
  int op; /* of the network */
  shape in, weights, out;
  int32_t stride[2], dilation[2], pad[2]; /* height before width */
} layer;

void reference_convolution(const layer* layer, operands v);
void reference_depthwise(const layer* layer, operands v);
void reference_fully_connected(const layer* layer, operands v);
void reference_addition(const layer* layer, operands v);
void reference_average(const layer* layer, operands v);

#endif
