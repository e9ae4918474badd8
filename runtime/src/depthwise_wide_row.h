/* Depthwise convolution for scalars of more than a byte: included once a type, after wide_f32.h or wide_s16.h. Taps
 * outside of the image add nothing; the sum of a channel is taken row by row, then the bias.
 * SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/block.h"
#include "rip/columns.h"
#include "rip/flash.h"
#include "rip/kernels.h"

/* Where the taps of a pixel lie. */
typedef struct taps {
  const int8_t* const* rows;
  const wide_weight* weights; /* of the first channel's first tap; channels lie side by side */
  int32_t kernel_h;
  int32_t in_offset, in_stride; /* bytes to the first tap inside of the image, and from tap to tap */
  int32_t count;                /* of them in a kernel row */
  int32_t before;               /* weights of a kernel row left of the image */
  int32_t channels;
  int32_t row_weights; /* weights of all channels in a kernel row */
} taps;

/* Makes one channel, or RIP_BLOCK channels. */
static inline void make_channels(const taps* t, int32_t channel, const wide_output* output, int8_t* out, int one) {
  wide_sum sums[RIP_BLOCK] = {0, 0, 0, 0};
  int32_t row, i;
  for (row = 0; row < t->kernel_h; row++) {
    const int8_t* x = t->rows[row];
    const wide_weight* w = t->weights + row * t->row_weights + t->before + channel;
    if (x == NULL) continue;
    x += t->in_offset + channel * WIDE_BYTES;
    for (i = t->count; i > 0; i--, x += t->in_stride, w += t->channels) {
      sums[0] = wide_add(sums[0], wide_load(x), w);
      if (one) continue;
      sums[1] = wide_add(sums[1], wide_load(x + WIDE_BYTES), w + 1);
      sums[2] = wide_add(sums[2], wide_load(x + 2 * WIDE_BYTES), w + 2);
      sums[3] = wide_add(sums[3], wide_load(x + 3 * WIDE_BYTES), w + 3);
    }
  }
  for (i = 0; i < (one ? 1 : RIP_BLOCK); i++) wide_write(output, channel + i, sums[i], out);
}

static inline void depthwise_row(const WIDE_OP* op, const rip_row_call* call) {
  const wide_output output = WIDE_OUTPUT_OF(op);
  const rip_blocks blocks = rip_blocks_of(0, op->channels, call->step);
  const int32_t step = call->step;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels;
  taps t;
  t.rows = call->rows;
  t.weights = op->weights;
  t.kernel_h = op->kernel_h;
  t.in_stride = op->dilation_w * call->in_pitch;
  t.channels = op->channels;
  t.row_weights = op->kernel_w * op->channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const rip_columns columns =
        rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, op->dilation_w, op->in_width);
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = step > 0 ? blocks.odd_channel : blocks.odd_channel + blocks.odd - 1, i;
    t.count = columns.end - columns.first;
    t.before = columns.first * op->channels;
    t.in_offset = columns.column * call->in_pitch;
    for (i = blocks.odd; i > 0; i--, channel += step) make_channels(&t, channel, &output, out, 1);
    channel = blocks.channel;
    for (i = blocks.count; i > 0; i--, channel += blocks.advance) make_channels(&t, channel, &output, out, 0);
  }
}
