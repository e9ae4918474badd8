/* The taps of a pixel of a depthwise convolution: what its kernels share. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_DEPTHWISE_H
#define RIP_DEPTHWISE_H

#include <stddef.h>

#include "rip/block.h"
#include "rip/columns.h"
#include "rip/flash.h"
#include "rip/kernels.h"

/* Where the taps of a pixel lie. */
typedef struct rip_depthwise_taps {
  const int8_t* const* rows;
  int32_t kernel_h, kernel_w;
  int32_t block_weights;          /* weights from block to block */
  int32_t before, count, after;   /* taps of a kernel row left of the image, in it, right of it */
  ptrdiff_t in_offset, in_stride; /* bytes to the first of them, and from each to the next */
  int inside;                     /* none lies outside of the image */
  int32_t zero;                   /* what the taps outside of the image read */
} rip_depthwise_taps;

static inline rip_depthwise_taps rip_depthwise_taps_of(const rip_depthwise_s8* op, const rip_row_call* call,
                                                       int null_rows, int32_t x) {
  const rip_columns columns =
      rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, op->dilation_w, op->in_width);
  rip_depthwise_taps t;
  t.rows = call->rows;
  t.kernel_h = op->kernel_h;
  t.kernel_w = op->kernel_w;
  t.block_weights = op->kernel_h * op->kernel_w * RIP_BLOCK;
  t.before = columns.first;
  t.count = columns.end - columns.first;
  t.after = op->kernel_w - columns.end;
  t.in_offset = (ptrdiff_t)(columns.column * call->in_pitch);
  t.in_stride = (ptrdiff_t)(op->dilation_w * call->in_pitch);
  t.inside = !null_rows && t.count == op->kernel_w;
  t.zero = op->in_zero;
  return t;
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

#endif
