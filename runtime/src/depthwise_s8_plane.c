/* Depthwise convolution of a whole image, one channel plane after another, some columns together.
 * SPDX-License-Identifier: MIT-0 */
#include "depthwise_s8_plane.h"

/* Adds `count` taps outside of the image; returns the weights after theirs. */
static const int8_t* add_padding(int32_t* sum, int32_t zero, const int8_t* w, int32_t count) {
  for (; count > 0; count--, w += RIP_BLOCK) *sum += zero * rip_flash_s8(w);
  return w;
}

/* The sum of one output column, whose first tap lies in input column `start`. */
static int32_t sum_one(const plane* p, int32_t start) {
  const rip_depthwise_s8* op = p->op;
  const rip_columns columns = rip_columns_from(start, op->kernel_w, op->dilation_w, op->in_width);
  const int8_t* w = p->weights;
  place at = first_place(p);
  const int32_t after = op->kernel_w - columns.end, dilation = op->dilation_w;
  int32_t sum = 0, j, i;
  for (j = 0; j < op->kernel_h; j++, move_on(p, &at)) {
    const int8_t* x = at.row;
    if (!is_inside(p, &at)) {
      w = add_padding(&sum, op->in_zero, w, op->kernel_w);
      continue;
    }
    x += columns.column;
    if (columns.first > 0) w = add_padding(&sum, op->in_zero, w, columns.first);
    for (i = columns.end - columns.first; i > 0; i--, x += dilation, w += RIP_BLOCK) {
      sum += rip_product(*x, rip_flash_s8(w));
    }
    if (after > 0) w = add_padding(&sum, op->in_zero, w, after);
  }
  return sum;
}

/* The sums of RIP_BLOCK output columns whose taps all lie inside the image's columns. */
static void sum_block(int32_t sums[RIP_BLOCK], const plane* p, int32_t start) {
  const rip_depthwise_s8* op = p->op;
  const ptrdiff_t dilation = (ptrdiff_t)op->dilation_w, stride = (ptrdiff_t)op->stride_w;
  const int8_t* w = p->weights;
  place at = first_place(p);
  int32_t padding = 0, sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0, j;
  ptrdiff_t i;
  for (j = 0; j < op->kernel_h; j++, move_on(p, &at)) {
    const int8_t* x = at.row;
    if (!is_inside(p, &at)) {
      w = add_padding(&padding, op->in_zero, w, op->kernel_w);
      continue;
    }
    x += start;
    for (i = (ptrdiff_t)op->kernel_w; i > 0; i--, x += dilation, w += RIP_BLOCK) {
      const rip_factor weight = rip_flash_s8(w);
      sum0 += rip_product(x[0], weight);
      sum1 += rip_product(x[stride], weight);
      sum2 += rip_product(x[2 * stride], weight);
      sum3 += rip_product(x[3 * stride], weight);
    }
  }
  sums[0] = sum0 + padding;
  sums[1] = sum1 + padding;
  sums[2] = sum2 + padding;
  sums[3] = sum3 + padding;
}

static void make_row(const plane* p, const rip_output* output, int8_t* out, int32_t pitch) {
  const rip_depthwise_s8* op = p->op;
  const int32_t reach = (RIP_BLOCK - 1) * op->stride_w + (op->kernel_w - 1) * op->dilation_w; /* of a block */
  int32_t x = 0;
  while (x < op->out_width) {
    const int32_t start = x * op->stride_w - op->pad_w;
    int32_t sums[RIP_BLOCK], count = 1, i;
    if (start >= 0 && start + reach < op->in_width && x + RIP_BLOCK <= op->out_width) {
      sum_block(sums, p, start);
      count = RIP_BLOCK;
    } else {
      sums[0] = sum_one(p, start);
    }
    for (i = 0; i < count; i++, x++, out += pitch) *out = rip_output_s8(output, 0, sums[i]);
  }
}

RIP_HOT void rip_depthwise_s8_plane(const rip_depthwise_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_s8, op, params);
  int32_t channel;
  for (channel = 0; channel < op->channels; channel++) make_plane(op, call, channel, 1);
}
