/* A pixel of a depthwise convolution, all of its channels or some: what its kernels share. SPDX-License-Identifier:
 * MIT-0 */
#ifndef RIP_DEPTHWISE_H
#define RIP_DEPTHWISE_H

#include <stddef.h>

#include "rip/block.h"
#include "rip/columns.h"
#include "rip/flash.h"
#include "rip/kernels.h"

/* What makes the outputs of the channels from `first` on. */
static inline rip_output rip_output_from(const rip_depthwise_s8* op, int32_t first) {
  const rip_output output = {op->bias + first, op->multiplier + first, op->shift + first, op->out_zero, op->act_min,
                             op->act_max};
  return output;
}

/* Where the taps of a pixel lie. */
typedef struct rip_depthwise_taps {
  const int8_t* const* rows;
  const int8_t* weights; /* of the first channel */
  int32_t channel;       /* the first one, in a pixel of the rows */
  int32_t blocks, rest;  /* full blocks of channels, and channels beyond them */
  int32_t kernel_h, kernel_w;
  int32_t block_weights;          /* weights from block to block */
  int32_t before, count, after;   /* taps of a kernel row left of the image, in it, right of it */
  ptrdiff_t in_offset, in_stride; /* bytes to the first of them, and from each to the next */
  int null_rows;                  /* some row lies outside of the image ... */
  int inside;                     /* ... and neither a row nor a column does */
  int32_t zero;                   /* what the taps outside of the image read */
} rip_depthwise_taps;

/* Those of `channels` channels from `first` on, a multiple of RIP_BLOCK, of no pixel yet. In a pixel of the rows the
 * first of them lies at `channel`. */
static inline rip_depthwise_taps rip_depthwise_taps_of(const rip_depthwise_s8* op, const int8_t* const* rows,
                                                       int32_t in_pitch, int32_t first, int32_t channels,
                                                       int32_t channel) {
  rip_depthwise_taps t;
  t.rows = rows;
  t.kernel_h = op->kernel_h;
  t.kernel_w = op->kernel_w;
  t.block_weights = op->kernel_h * op->kernel_w * RIP_BLOCK;
  t.weights = op->weights + first / RIP_BLOCK * t.block_weights;
  t.channel = channel;
  t.blocks = channels / RIP_BLOCK;
  t.rest = channels % RIP_BLOCK;
  t.in_stride = (ptrdiff_t)(op->dilation_w * in_pitch);
  t.null_rows = rip_any_null(rows, op->kernel_h);
  t.zero = op->in_zero;
  t.before = t.count = t.after = t.inside = 0;
  t.in_offset = 0;
  return t;
}

/* Those of pixel x of the row. */
static inline void rip_depthwise_move(rip_depthwise_taps* t, const rip_depthwise_s8* op, int32_t in_pitch, int32_t x) {
  const rip_columns columns =
      rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, op->dilation_w, op->in_width);
  t->before = columns.first;
  t->count = columns.end - columns.first;
  t->after = op->kernel_w - columns.end;
  t->in_offset = (ptrdiff_t)(columns.column * in_pitch + t->channel);
  t->inside = !t->null_rows && t->count == op->kernel_w;
}

/* Adds one tap to the sum of one channel or of RIP_BLOCK channels. */
static inline void rip_depthwise_add_tap(int32_t* sums, const int8_t* x, const int8_t* w, int one) {
#if RIP_AVX2
  if (!one) {
    rip_avx2_add_four(sums, x, w);
    return;
  }
#endif
  sums[0] += rip_product(x[0], rip_flash_s8(w));
  if (one) return;
  sums[1] += rip_product(x[1], rip_flash_s8(w + 1));
  sums[2] += rip_product(x[2], rip_flash_s8(w + 2));
  sums[3] += rip_product(x[3], rip_flash_s8(w + 3));
}

/* Adds `count` taps outside of the image; returns the weights after theirs. */
static inline const int8_t* rip_depthwise_add_padding(int32_t* sums, int32_t zero, const int8_t* w, int32_t count,
                                                      int one) {
  for (; count > 0; count--, w += RIP_BLOCK) rip_add_tap(sums, zero, w, 1, one);
  return w;
}

/* Adds all taps of a pixel. */
static inline void rip_depthwise_add_taps(int32_t* sums, const rip_depthwise_taps* t, const int8_t* w, int32_t channel,
                                          int one) {
  const ptrdiff_t in_stride = t->in_stride;
  int32_t row, i;
  for (row = 0; row < t->kernel_h; row++) {
    const int8_t* x = t->rows[row];
    if (x == NULL) {
      w = rip_depthwise_add_padding(sums, t->zero, w, t->kernel_w, one);
      continue;
    }
    x += t->in_offset + channel;
    w = rip_depthwise_add_padding(sums, t->zero, w, t->before, one);
    for (i = t->count; i > 0; i--, x += in_stride, w += RIP_BLOCK) rip_depthwise_add_tap(sums, x, w, one);
    w = rip_depthwise_add_padding(sums, t->zero, w, t->after, one);
  }
}

/* Makes full blocks of a pixel, `count` of them. */
static inline void rip_depthwise_blocks(const rip_depthwise_taps* t, const int8_t* w, const rip_output* output,
                                        int32_t channel, int32_t count, int32_t step, int8_t* out) {
  for (; count > 0; count--, channel += step * RIP_BLOCK, w += step * t->block_weights) {
    int32_t sums[RIP_BLOCK] = {0, 0, 0, 0};
    rip_depthwise_add_taps(sums, t, w, channel, 0);
    rip_write_block(output, channel, sums, out);
  }
}

/* The same for a kernel of three columns inside of the image, by far the most frequent. */
static inline void rip_depthwise_blocks_of_three(const rip_depthwise_taps* t, const int8_t* w, const rip_output* output,
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
static inline void rip_depthwise_rest(const rip_depthwise_taps* t, const int8_t* w, const rip_output* output,
                                      int32_t channel, int32_t count, int32_t step, int8_t* out) {
  int32_t i = step > 0 ? 0 : count - 1;
  for (; count > 0; count--, i += step) {
    int32_t sum = 0;
    rip_depthwise_add_taps(&sum, t, w + i, channel + i, 1);
    out[channel + i] = rip_output_s8(output, channel + i, sum);
  }
}

/* Makes the channels of a pixel from the first up or, with a step of -1, from the last down; each is written after its
 * own taps are read. `output` and `out` are those of the first. */
static inline void rip_depthwise_pixel(const rip_depthwise_taps* t, const rip_output* output, int32_t step,
                                       int8_t* out) {
  const int32_t count = t->blocks, rest = t->rest;
  const int32_t first = step > 0 ? 0 : count - 1;
  const int8_t *w = t->weights + first * t->block_weights, *rest_weights = t->weights + count * t->block_weights;
  if (step < 0) rip_depthwise_rest(t, rest_weights, output, count * RIP_BLOCK, rest, step, out);
  if (t->inside && t->kernel_w == 3) {
    rip_depthwise_blocks_of_three(t, w, output, first * RIP_BLOCK, count, step, out);
  } else {
    rip_depthwise_blocks(t, w, output, first * RIP_BLOCK, count, step, out);
  }
  if (step > 0) rip_depthwise_rest(t, rest_weights, output, count * RIP_BLOCK, rest, step, out);
}

#endif
