/* Transposed convolution, gathered: each output pixel sums the input pixels that reach it, so that no sum outlives its
 * pixel. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/block.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "transpose_columns.h"

/* Adds all taps of a pixel to the sum of one channel or of RIP_BLOCK channels, whose first weight is `w`. */
static inline void add_taps(int32_t* sums, const rip_transpose_conv_s8* op, const rip_row_call* call,
                            transpose_columns t, const int8_t* w, int one) {
  const ptrdiff_t channel_weights = (ptrdiff_t)op->kernel_h * op->kernel_w * op->in_channels;
  const int32_t row_weights = op->kernel_w * op->in_channels;
  int32_t row, tap, i;
  for (row = 0; row < op->kernel_h; row++, w += row_weights) {
    const int8_t *x = call->rows[row], *v = w + t.first * op->in_channels;
    if (x == NULL) continue;
    x += t.column * call->in_pitch;
    for (tap = 0; tap < t.count; tap++, x += call->in_pitch, v += op->upsample_w * op->in_channels) {
      for (i = 0; i < op->in_channels; i++) rip_add_tap(sums, x[i] - op->in_zero, v + i, channel_weights, one);
    }
  }
}

RIP_HOT void rip_transpose_conv_s8_row(const rip_transpose_conv_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_transpose_conv_s8, op, params);
  const rip_output output = RIP_OUTPUT_OF(op);
  const ptrdiff_t channel_weights = (ptrdiff_t)op->kernel_h * op->kernel_w * op->in_channels;
  const rip_blocks blocks = rip_blocks_of(0, op->out_channels, call->step);
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, i;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    int8_t* out = call->out + x * call->out_pitch;
    const transpose_columns t = transpose_columns_of(x - op->pad_w, op->kernel_w, op->upsample_w, op->in_width);
    int32_t channel = blocks.odd_channel;
    int32_t sums[RIP_BLOCK] = {0, 0, 0, 0};
    for (i = 0; i < blocks.odd; i++) add_taps(sums + i, op, call, t, op->weights + (channel + i) * channel_weights, 1);
    for (i = 0; i < blocks.odd; i++) out[channel + i] = rip_output_s8(&output, channel + i, sums[i]);
    channel = blocks.channel;
    for (i = blocks.count; i > 0; i--, channel += blocks.advance) {
      sums[0] = sums[1] = sums[2] = sums[3] = 0;
      add_taps(sums, op, call, t, op->weights + channel * channel_weights, 0);
      rip_write_block(&output, channel, sums, out);
    }
  }
}
