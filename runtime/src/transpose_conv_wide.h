/* Transposed convolution for scalars of more than a byte, gathered: included once a type, after wide_f32.h or
 * wide_s16.h. The sum of a channel is taken input row by row, column by column, input channel by input channel, then
 * the bias. */
#include <stddef.h>

#include "rip/block.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "transpose_columns.h"

/* Adds all taps of a pixel to the sum of one channel, whose first weight is `w`. */
static inline wide_sum add_taps(const WIDE_OP* op, const rip_row_call* call, transpose_columns t,
                                const wide_weight* w) {
  const int32_t row_weights = op->kernel_w * op->in_channels;
  wide_sum sum = 0;
  int32_t row, tap, i;
  for (row = 0; row < op->kernel_h; row++, w += row_weights) {
    const int8_t* x = call->rows[row];
    const wide_weight* v = w + t.first * op->in_channels;
    if (x == NULL) continue;
    x += t.column * call->in_pitch;
    for (tap = 0; tap < t.count; tap++, x += call->in_pitch, v += op->upsample_w * op->in_channels) {
      for (i = 0; i < op->in_channels; i++) sum = wide_add(sum, wide_load(x + i * WIDE_BYTES), v + i);
    }
  }
  return sum;
}

/* Channels are made in blocks, as the kernel of int8 makes them: each block is summed before it is written. */
static inline void transpose_conv_row(const WIDE_OP* op, const rip_row_call* call) {
  const wide_output output = WIDE_OUTPUT_OF(op);
  const ptrdiff_t channel_weights = (ptrdiff_t)op->kernel_h * op->kernel_w * op->in_channels;
  const rip_blocks blocks = rip_blocks_of(0, op->out_channels, call->step);
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, block, i;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    int8_t* out = call->out + x * call->out_pitch;
    const transpose_columns t = transpose_columns_of(x - op->pad_w, op->kernel_w, op->upsample_w, op->in_width);
    int32_t channel = blocks.odd_channel, count = blocks.odd;
    for (block = 0; block <= blocks.count; block++) {
      wide_sum sums[RIP_BLOCK];
      for (i = 0; i < count; i++) sums[i] = add_taps(op, call, t, op->weights + (channel + i) * channel_weights);
      for (i = 0; i < count; i++) wide_write(&output, channel + i, sums[i], out);
      channel = blocks.channel + block * blocks.advance;
      count = RIP_BLOCK;
    }
  }
}
