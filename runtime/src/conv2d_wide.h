/* 2-D convolution with groups for scalars of more than a byte: included once a type, after wide_f32.h or wide_s16.h.
 * Taps outside of the image add nothing. The sum of a channel is taken row by row, column by column, input channel by
 * input channel, then the bias: binary32 gives other bits in another order. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/block.h"
#include "rip/columns.h"
#include "rip/flash.h"
#include "rip/kernels.h"

/* Where the taps of a pixel lie. */
typedef struct taps {
  const int8_t* const* rows;
  int32_t kernel_h;
  int32_t in_offset, in_stride; /* bytes to the first tap inside of the image, and from tap to tap */
  int32_t count;                /* of them in a kernel row */
  int32_t before;               /* weights of a kernel row left of the image */
  int32_t length;               /* channels of a group */
  int32_t row_weights;          /* weights of a channel in a kernel row */
  ptrdiff_t channel_weights;    /* and in all of them */
} taps;

/* Adds the products of `length` scalars to the sum of one channel, or of RIP_BLOCK channels. */
static inline void add_run(wide_sum* sums, const int8_t* x, const wide_weight* w, ptrdiff_t stride, int32_t length,
                           int one) {
  for (; length > 0; length--, x += WIDE_BYTES, w++) {
    sums[0] = wide_add(sums[0], wide_load(x), w);
    if (one) continue;
    sums[1] = wide_add(sums[1], wide_load(x), w + stride);
    sums[2] = wide_add(sums[2], wide_load(x), w + 2 * stride);
    sums[3] = wide_add(sums[3], wide_load(x), w + 3 * stride);
  }
}

static inline void add_taps(wide_sum* sums, const taps* t, const wide_weight* w, int one) {
  int32_t row, i;
  for (row = 0; row < t->kernel_h; row++, w += t->row_weights) {
    const int8_t* x = t->rows[row];
    const wide_weight* v = w + t->before;
    if (x == NULL) continue;
    x += t->in_offset;
    for (i = t->count; i > 0; i--, x += t->in_stride, v += t->length) {
      add_run(sums, x, v, t->channel_weights, t->length, one);
    }
  }
}

/* Makes the channels of one group. */
static void make_group(const taps* t, const wide_weight* weights, const wide_output* output, const rip_blocks* blocks,
                       int8_t* out) {
  int32_t channel = blocks->odd_channel, i, j;
  wide_sum sums[RIP_BLOCK] = {0, 0, 0, 0};
  for (i = 0; i < blocks->odd; i++) add_taps(sums + i, t, weights + (channel + i) * t->channel_weights, 1);
  for (i = 0; i < blocks->odd; i++) wide_write(output, channel + i, sums[i], out);
  channel = blocks->channel;
  for (i = blocks->count; i > 0; i--, channel += blocks->advance) {
    sums[0] = sums[1] = sums[2] = sums[3] = 0;
    add_taps(sums, t, weights + channel * t->channel_weights, 0);
    for (j = 0; j < RIP_BLOCK; j++) wide_write(output, channel + j, sums[j], out);
  }
}

static inline void conv2d_row(const WIDE_OP* op, const rip_row_call* call) {
  const wide_output output = WIDE_OUTPUT_OF(op);
  const int32_t step = call->step;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, groups;
  taps t;
  t.rows = call->rows;
  t.kernel_h = op->kernel_h;
  t.in_stride = op->dilation_w * call->in_pitch;
  t.length = op->group_in;
  t.row_weights = op->kernel_w * op->group_in;
  t.channel_weights = (ptrdiff_t)(op->kernel_h * t.row_weights);
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const rip_columns columns =
        rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, op->dilation_w, op->in_width);
    const int32_t group_bytes = op->group_in * WIDE_BYTES;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t group = step > 0 ? 0 : op->groups - 1;
    t.count = columns.end - columns.first;
    t.before = columns.first * op->group_in;
    t.in_offset = columns.column * call->in_pitch + group * group_bytes;
    for (groups = op->groups; groups > 0; groups--, group += step, t.in_offset += step * group_bytes) {
      const rip_blocks blocks = rip_blocks_of(group * op->group_out, op->group_out, step);
      make_group(&t, op->weights, &output, &blocks, out);
    }
  }
}
