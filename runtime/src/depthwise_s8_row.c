/* Depthwise convolution: one output row from kernel_h input rows. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/block.h"
#include "rip/columns.h"
#include "rip/flash.h"
#include "rip/kernels.h"

/* Where the taps of a pixel lie. */
typedef struct taps {
  const int8_t* const* rows;
  int32_t kernel_h, kernel_w;
  int32_t block_weights;          /* weights from block to block */
  int32_t before, count, after;   /* taps of a kernel row left of the image, in it, right of it */
  ptrdiff_t in_offset, in_stride; /* bytes to the first of them, and from each to the next */
  int inside;                     /* none lies outside of the image */
  int32_t zero;                   /* what the taps outside of the image read */
} taps;

static inline taps taps_of(const rip_depthwise_s8* op, const rip_row_call* call, int null_rows, int32_t x) {
  const rip_columns columns =
      rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, op->dilation_w, op->in_width);
  taps t;
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
static inline void add_tap(int32_t* sums, const int8_t* x, const int8_t* w, int one) {
#if RIP_AVX2
  if (!one) {
    rip_avx2_add_four(sums, x, w);
    return;
  }
#endif
  sums[0] += (int32_t)x[0] * rip_flash_s8(w);
  if (one) return;
  sums[1] += (int32_t)x[1] * rip_flash_s8(w + 1);
  sums[2] += (int32_t)x[2] * rip_flash_s8(w + 2);
  sums[3] += (int32_t)x[3] * rip_flash_s8(w + 3);
}

/* Adds `count` taps outside of the image; returns the weights after theirs. */
static inline const int8_t* add_padding(int32_t* sums, int32_t zero, const int8_t* w, int32_t count, int one) {
  for (; count > 0; count--, w += RIP_BLOCK) rip_add_tap(sums, zero, w, 1, one);
  return w;
}

/* Adds all taps of a pixel. */
static inline void add_taps(int32_t* sums, const taps* t, const int8_t* w, int32_t channel, int one) {
  const ptrdiff_t in_stride = t->in_stride;
  int32_t row, i;
  for (row = 0; row < t->kernel_h; row++) {
    const int8_t* x = t->rows[row];
    if (x == NULL) {
      w = add_padding(sums, t->zero, w, t->kernel_w, one);
      continue;
    }
    x += t->in_offset + channel;
    w = add_padding(sums, t->zero, w, t->before, one);
    for (i = t->count; i > 0; i--, x += in_stride, w += RIP_BLOCK) add_tap(sums, x, w, one);
    w = add_padding(sums, t->zero, w, t->after, one);
  }
}

/* Makes full blocks of a pixel, `count` of them. */
static void make_blocks(const taps* t, const int8_t* w, const rip_output* output, int32_t channel, int32_t count,
                        int32_t step, int8_t* out) {
  for (; count > 0; count--, channel += step * RIP_BLOCK, w += step * t->block_weights) {
    int32_t sums[RIP_BLOCK] = {0, 0, 0, 0};
    add_taps(sums, t, w, channel, 0);
    rip_write_block(output, channel, sums, out);
  }
}

/* The same for a kernel of three columns inside of the image, by far the most frequent. */
static void make_blocks_of_three(const taps* t, const int8_t* w, const rip_output* output, int32_t channel,
                                 int32_t count, int32_t step, int8_t* out) {
  const ptrdiff_t in_stride = t->in_stride;
  for (; count > 0; count--, channel += step * RIP_BLOCK, w += step * t->block_weights) {
    const ptrdiff_t offset = t->in_offset + (ptrdiff_t)channel;
    const int8_t* v = w;
    int32_t sums[RIP_BLOCK] = {0, 0, 0, 0};
    int32_t row;
    for (row = 0; row < t->kernel_h; row++, v += 3 * RIP_BLOCK) {
      const int8_t* x = t->rows[row] + offset;
      add_tap(sums, x, v, 0);
      add_tap(sums, x + in_stride, v + RIP_BLOCK, 0);
      add_tap(sums, x + 2 * in_stride, v + 2 * RIP_BLOCK, 0);
    }
    rip_write_block(output, channel, sums, out);
  }
}

/* Makes the last channels, too few for a block, one by one. */
static void make_rest(const taps* t, const int8_t* w, const rip_output* output, int32_t channel, int32_t count,
                      int32_t step, int8_t* out) {
  int32_t i = step > 0 ? 0 : count - 1;
  for (; count > 0; count--, i += step) {
    int32_t sum = 0;
    add_taps(&sum, t, w + i, channel + i, 1);
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
    const taps t = taps_of(op, call, null_rows, x);
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
