/* 2-D convolution with groups: one output row from kernel_h input rows. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/block.h"
#include "rip/columns.h"
#include "rip/flash.h"
#include "rip/kernels.h"

/* Where the taps of a pixel lie: in each kernel row, `runs` stretches of `length` scalars without a hole. */
typedef struct taps {
  const int8_t* const* rows;
  int32_t kernel_h;
  int32_t in_offset; /* bytes from the start of an input row to the first tap */
  int32_t runs, length;
  int32_t in_stride, weight_stride; /* from stretch to stretch */
  int32_t before, after;            /* weights of a kernel row whose taps lie outside of the image */
  int32_t row_weights;              /* weights of a channel in a kernel row */
  ptrdiff_t channel_weights;        /* and in all of them */
  int32_t zero;                     /* what the taps outside of the image read */
#if RIP_AVR
  int8_t whole;  /* no row of padding, and a kernel row is one stretch of taps, short enough for rip_avr_dot */
  int8_t inside; /* and none of this pixel's taps lies outside of the image */
#endif
} taps;

/* What the taps of all pixels of a row have in common. */
static inline taps taps_of(const rip_conv2d_s8* op, const rip_row_call* call) {
  taps t;
  t.rows = call->rows;
  t.kernel_h = op->kernel_h;
  t.in_stride = op->dilation_w * call->in_pitch;
  t.weight_stride = op->group_in;
  t.row_weights = op->kernel_w * op->group_in;
  t.channel_weights = (ptrdiff_t)(op->kernel_h * t.row_weights);
  t.zero = op->in_zero;
#if RIP_AVR
  t.whole = !rip_any_null(t.rows, t.kernel_h) && (t.in_stride == op->group_in || op->kernel_w == 1) &&
            t.row_weights <= RIP_AVR_RUN;
#endif
  return t;
}

/* Those of the pixel at output column x, for the first group. */
static inline void set_column(taps* t, const rip_conv2d_s8* op, const rip_row_call* call, int32_t x) {
  const rip_columns columns =
      rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, op->dilation_w, op->in_width);
  const int32_t count = columns.end - columns.first;
  t->in_offset = columns.column * call->in_pitch;
  t->before = columns.first * op->group_in;
  t->after = (op->kernel_w - columns.end) * op->group_in;
  t->runs = count;
  t->length = op->group_in;
  if (t->in_stride == op->group_in) { /* neighbouring taps touch */
    t->runs = 1;
    t->length = count * op->group_in;
  }
#if RIP_AVR
  t->inside = t->whole && count == op->kernel_w;
#endif
}

static inline void add_padding(int32_t* sums, const taps* t, const int8_t* w, int32_t count, int one) {
  for (; count > 0; count--, w++) rip_add_tap(sums, t->zero, w, t->channel_weights, one);
}

/* Adds all taps of a pixel to the sum of one channel or of RIP_BLOCK channels, whose first weight is `w`. */
static inline void add_taps(int32_t* sums, const taps* t, const int8_t* w, int one) {
  const ptrdiff_t channel_weights = t->channel_weights;
  const int32_t length = t->length, after = t->row_weights - t->after;
  int32_t row, run;
#if RIP_AVR
  if (t->inside) {
    const uint8_t rows = (uint8_t)t->kernel_h, columns = (uint8_t)t->row_weights, channels = one ? 1 : RIP_BLOCK;
    uint8_t i;
    for (i = 0; i < channels; i++, w += channel_weights) {
      sums[i] = rip_avr_dot(t->rows, rows, (int16_t)t->in_offset, columns, w);
    }
    return;
  }
#endif
  for (row = 0; row < t->kernel_h; row++, w += t->row_weights) {
    const int8_t *x = t->rows[row], *v = w + t->before;
    if (x == NULL) {
      add_padding(sums, t, w, t->row_weights, one);
      continue;
    }
    x += t->in_offset;
    add_padding(sums, t, w, t->before, one);
    for (run = t->runs; run > 0; run--, x += t->in_stride, v += t->weight_stride) {
      rip_add_run(sums, x, v, channel_weights, length, one);
    }
    add_padding(sums, t, w + after, t->after, one);
  }
}

/* Makes the channels of one group. */
static void make_group(const taps* t, const int8_t* weights, const rip_output* output, const rip_blocks* blocks,
                       int8_t* out) {
  int32_t channel = blocks->odd_channel, i;
  int32_t sums[RIP_BLOCK] = {0, 0, 0, 0};
  for (i = 0; i < blocks->odd; i++) add_taps(sums + i, t, weights + (channel + i) * t->channel_weights, 1);
  for (i = 0; i < blocks->odd; i++) out[channel + i] = rip_output_s8(output, channel + i, sums[i]);
  channel = blocks->channel;
  for (i = blocks->count; i > 0; i--, channel += blocks->advance) {
    sums[0] = sums[1] = sums[2] = sums[3] = 0;
    add_taps(sums, t, weights + channel * t->channel_weights, 0);
    rip_write_block(output, channel, sums, out);
  }
}

RIP_HOT void rip_conv2d_s8_row(const rip_conv2d_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_conv2d_s8, op, params);
  const rip_output output = RIP_OUTPUT_OF(op);
  const int32_t step = call->step;
  const int32_t group = step > 0 ? 0 : op->groups - 1; /* the first one made */
  const int32_t next_in = step * op->group_in, next_out = step * op->group_out;
  const rip_blocks first = rip_blocks_of(group * op->group_out, op->group_out, step);
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, groups;
  taps t = taps_of(op, call);
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    int8_t* out = call->out + x * call->out_pitch;
    rip_blocks blocks = first;
    set_column(&t, op, call, x);
    t.in_offset += group * op->group_in;
    for (groups = op->groups; groups > 0; groups--, t.in_offset += next_in) {
      make_group(&t, op->weights, &output, &blocks, out);
      blocks.channel += next_out;
      blocks.odd_channel += next_out;
    }
  }
}
