/* Depthwise convolution of a whole image, one channel plane after another: the output may take the input's very place.
 * SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/block.h"
#include "rip/columns.h"
#include "rip/flash.h"
#include "rip/kernels.h"

/* One channel of an image. Its input rows pass through a ring: row y lies in slot y mod ring_rows. */
typedef struct plane {
  const rip_depthwise_s8* op;
  const int8_t* weights; /* the next tap's lies RIP_BLOCK further on */
  int8_t* ring;
  const int8_t* ring_end;
  int32_t ring_rows, row_step; /* bytes from one kernel row to the next */
  int32_t first_row;           /* input row of the first kernel row; may lie above the image */
  int32_t first_slot;          /* that of the ring which is or would be its */
} plane;

/* No division: `slot` has gone round once at most. */
static int32_t wrapped(const plane* p, int32_t slot) { return slot < p->ring_rows ? slot : slot - p->ring_rows; }

/* Copies input row y, whose pixels are `pitch` bytes apart, into a slot of the ring. */
static void load_row(const plane* p, int32_t y, int32_t slot, const int8_t* in, int32_t pitch) {
  const int32_t width = p->op->in_width;
  int8_t* row = p->ring + slot * width;
  int32_t x;
  in += y * width * pitch;
  for (x = 0; x < width; x++, in += pitch) row[x] = *in;
}

/* A kernel row on its way down the image and round the ring. */
typedef struct place {
  int32_t y;
  const int8_t* row;
} place;

static inline place first_place(const plane* p) {
  const place first = {p->first_row, p->ring + p->first_slot * p->op->in_width};
  return first;
}

static inline int is_inside(const plane* p, const place* at) { return at->y >= 0 && at->y < p->op->in_height; }

static inline void move_on(const plane* p, place* at) {
  at->y += p->op->dilation_h;
  at->row += p->row_step;
  if (at->row >= p->ring_end) at->row -= p->ring_end - p->ring;
}

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

/* Makes the output row that starts at `out`, of one channel. */
static void make_row(const plane* p, const rip_output* output, int32_t channel, int8_t* out, int32_t pitch) {
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
    for (i = 0; i < count; i++, x++, out += pitch) *out = rip_output_s8(output, channel, sums[i]);
  }
}

RIP_HOT void rip_depthwise_s8_plane(const rip_depthwise_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_s8, op, params);
  const rip_output output = RIP_OUTPUT_OF(op);
  const int32_t block_weights = op->kernel_h * op->kernel_w * RIP_BLOCK;
  plane p;
  int32_t channel, row, advance, start;
  p.op = op;
  p.ring = (int8_t*)call->scratch;
  p.ring_rows = (op->kernel_h - 1) * op->dilation_h + 1;
  p.ring_end = p.ring + p.ring_rows * op->in_width;
  p.row_step = op->kernel_h > 1 ? op->dilation_h * op->in_width : 0;
  advance = op->stride_h % p.ring_rows;
  start = op->pad_h % p.ring_rows;
  if (start > 0) start = p.ring_rows - start;
  for (channel = 0; channel < op->channels; channel++) {
    int32_t loaded = 0, slot = 0;
    p.first_slot = start;
    p.weights = op->weights + channel / RIP_BLOCK * block_weights + channel % RIP_BLOCK;
    for (row = 0; row < op->out_height; row++, p.first_slot = wrapped(&p, p.first_slot + advance)) {
      int8_t* out = call->out + row * op->out_width * call->out_pitch + channel;
      p.first_row = row * op->stride_h - op->pad_h;
      for (; loaded < op->in_height && loaded < p.first_row + p.ring_rows; loaded++) {
        load_row(&p, loaded, slot, call->rows[0] + channel, call->in_pitch);
        slot = wrapped(&p, slot + 1);
      }
      make_row(&p, &output, channel, out, call->out_pitch);
    }
  }
}
