/* Depthwise convolution: one output row from kernel_h input rows. SPDX-License-Identifier: MIT-0 */
#include "rip/depthwise.h"

/* Makes full blocks of a pixel, `count` of them. */
static void make_blocks(const rip_depthwise_taps* t, const int8_t* w, const rip_output* output, int32_t channel,
                        int32_t count, int32_t step, int8_t* out) {
  for (; count > 0; count--, channel += step * RIP_BLOCK, w += step * t->block_weights) {
    int32_t sums[RIP_BLOCK] = {0, 0, 0, 0};
    rip_depthwise_add_taps(sums, t, w, channel, 0);
    rip_write_block(output, channel, sums, out);
  }
}

/* The same for a kernel of three columns inside of the image, by far the most frequent. */
static void make_blocks_of_three(const rip_depthwise_taps* t, const int8_t* w, const rip_output* output,
                                 int32_t channel, int32_t count, int32_t step, int8_t* out) {
  const ptrdiff_t in_stride = t->in_stride;
  for (; count > 0; count--, channel += step * RIP_BLOCK, w += step * t->block_weights) {
    const ptrdiff_t offset = t->in_offset + (ptrdiff_t)channel;
    const int8_t* v = w;
    int32_t sums[RIP_BLOCK] = {0, 0, 0, 0};
    int32_t row;
    for (row = 0; row < t->kernel_h; row++, v += 3 * RIP_BLOCK) {
      const int8_t* x = t->rows[row] + offset;
      rip_depthwise_add_tap(sums, x, v, 0);
      rip_depthwise_add_tap(sums, x + in_stride, v + RIP_BLOCK, 0);
      rip_depthwise_add_tap(sums, x + 2 * in_stride, v + 2 * RIP_BLOCK, 0);
    }
    rip_write_block(output, channel, sums, out);
  }
}

/* Makes the last channels, too few for a block, one by one. */
static void make_rest(const rip_depthwise_taps* t, const int8_t* w, const rip_output* output, int32_t channel,
                      int32_t count, int32_t step, int8_t* out) {
  int32_t i = step > 0 ? 0 : count - 1;
  for (; count > 0; count--, i += step) {
    int32_t sum = 0;
    rip_depthwise_add_taps(&sum, t, w + i, channel + i, 1);
    out[channel + i] = rip_output_s8(output, channel + i, sum);
  }
}

RIP_HOT void rip_depthwise_s8_row(const rip_depthwise_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_s8, op, params);
  const rip_output output = RIP_OUTPUT_OF(op);
  const int32_t step = call->step;
  const int32_t count = op->channels / RIP_BLOCK, rest = op->channels % RIP_BLOCK;
  const int null_rows = rip_any_null(call->rows, op->kernel_h);
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const rip_depthwise_taps t = rip_depthwise_taps_of(op, call, null_rows, x);
    const int32_t first = step > 0 ? 0 : count - 1;
    const int8_t *w = op->weights + first * t.block_weights, *rest_weights = op->weights + count * t.block_weights;
    int8_t* out = call->out + x * call->out_pitch;
    if (step < 0) make_rest(&t, rest_weights, &output, count * RIP_BLOCK, rest, step, out);
    if (t.inside && t.kernel_w == 3) {
      make_blocks_of_three(&t, w, &output, first * RIP_BLOCK, count, step, out);
    } else {
      make_blocks(&t, w, &output, first * RIP_BLOCK, count, step, out);
    }
    if (step > 0) make_rest(&t, rest_weights, &output, count * RIP_BLOCK, rest, step, out);
  }
}
