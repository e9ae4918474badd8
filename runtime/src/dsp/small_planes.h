/* The small planes of rip_depthwise_dsp: one channel after another, whose rows pass through a ring of KERNEL of them.
 * Included once a size of kernel. SPDX-License-Identifier: MIT-0 */
#include "clamp_row.h"
#include "load_row.h"
#include "pair_sums.h"
#include "rip/kernels.h"
#include "rip/memory.h"
#include "rip/scalars.h"

/* A channel on its way down the image. A row outside of the image is one of zero points. Short rows have their padding;
 * of others the columns that the first SUMS outputs need are copied, and those of the last, with padding. */
typedef struct plane {
  int8_t *ring[KERNEL], *first[KERNEL], *last[KERNEL]; /* the oldest row comes first */
  int32_t row_bytes;
  int32_t left, inside;             /* columns of padding at the begin of a row, and of the image behind them */
  int32_t columns;                  /* of the image, for the first outputs; 0: rows have their padding        */
  int32_t last_start, last_columns; /* and for the last                                                       */
  outputs o;
} plane;

/* The last word may hold some bytes of the one before it. */
static void copy_bytes(int8_t* to, const int8_t* from, int32_t count) {
  int32_t i;
  if (count < 4) {
    for (i = 0; i < count; i++) to[i] = from[i];
    return;
  }
  for (i = 0; i < count - 4; i += 4) rip_store_s32(to + i, rip_load_s32(from + i));
  rip_store_s32(to + (count - 4), rip_load_s32(from + (count - 4)));
}

/* The oldest row becomes the newest, and is returned. */
static inline int8_t* turn(int8_t** rows) {
  int8_t* const oldest = rows[0];
  int8_t* others[KERNEL - 1];
  memcpy(others, rows + 1, sizeof others);
  memcpy(rows, others, sizeof others);
  rows[KERNEL - 1] = oldest;
  return oldest;
}

/* Brings input row y of the channel at `in` into the place of the oldest. */
static void next_row(plane* p, const rip_depthwise_dsp* op, const int8_t* in, int32_t pitch, int32_t y) {
  int8_t* const row = turn(p->ring);
  if (y >= 0 && y < op->in_height) {
    load_row(row + p->left, in + y * op->in_width * pitch, pitch, p->inside);
  } else {
    memset(row, op->in_zero, (size_t)p->row_bytes);
  }
  if (p->columns == 0) return;
  copy_bytes(turn(p->first) + op->pad_w, row, p->columns);
  copy_bytes(turn(p->last), row + p->last_start, p->last_columns);
}

static void make_some(const plane* p, int32_t stride, int8_t* const* rows, int32_t x, int32_t offset, int32_t count) {
  outputs o = p->o;
  o.rows = rows;
  o.out += x * o.pitch;
  o.count = count;
  o.offset = offset;
  make_outputs(&o, stride);
}

/* One output row. */
static void make_row(const plane* p, const rip_depthwise_dsp* op) {
  const int32_t stride = op->stride_w, width = op->out_width;
  if (p->columns == 0) {
    make_outputs(&p->o, stride);
    return;
  }
  make_some(p, stride, p->first, 0, 0, SUMS);
  make_some(p, stride, p->ring, SUMS, SUMS * stride - op->pad_w, width - 2 * SUMS);
  make_some(p, stride, p->last, width - SUMS, 0, SUMS);
}

static void set_rows(int8_t** rows, int8_t* at, int32_t bytes) {
  int32_t j;
  for (j = 0; j < KERNEL; j++, at += bytes) rows[j] = at;
}

/* Where the rows lie: with their padding on the stack, if they are short. */
static void set_plane(plane* p, const rip_depthwise_dsp* op, const rip_row_call* call, int8_t stack[RIP_SMALL_STACK]) {
  const int32_t width = op->out_width > SUMS ? op->out_width : SUMS;
  const int32_t padded = (width - 1) * op->stride_w + KERNEL, room = padded - op->pad_w;
  memset(stack, op->in_zero, RIP_SMALL_STACK);
  if (KERNEL * padded <= RIP_SMALL_STACK) {
    p->row_bytes = padded;
    p->left = op->pad_w;
    p->inside = room < op->in_width ? room : op->in_width;
    p->columns = 0;
    set_rows(p->ring, stack, padded);
  } else {
    const int32_t columns = (SUMS - 1) * op->stride_w + KERNEL;
    p->row_bytes = p->inside = op->in_width;
    p->left = 0;
    p->columns = columns - op->pad_w;
    p->last_start = padded - columns - op->pad_w;
    p->last_columns = op->in_width - p->last_start < columns ? op->in_width - p->last_start : columns;
    set_rows(p->ring, (int8_t*)call->scratch, p->row_bytes);
    set_rows(p->first, stack, columns);
    set_rows(p->last, stack + KERNEL * columns, columns);
  }
}

/* All output rows, as rip_depthwise*_dsp_small_plane. */
static void make_image(const rip_depthwise_dsp* op, const rip_row_call* call) {
  int8_t stack[RIP_SMALL_STACK];
  int32_t channel;
  plane p;
  set_plane(&p, op, call, stack);
  p.o.rows = p.ring;
  p.o.record = op->stream;
  p.o.pitch = call->out_pitch;
  p.o.count = op->out_width;
  p.o.odd_rounding = op->odd_rounding;
  p.o.offset = 0;
  for (channel = 0; channel < op->channels; channel++, p.o.record += RECORD) {
    int32_t row, top = -op->pad_h, y = top; /* the first input row of the output row, and the next one to load */
    p.o.out = call->out + channel;
    for (row = 0; row < op->out_height; row++, top += op->stride_h) {
      if (y < top) y = top; /* no output needs what lies between */
      for (; y < top + KERNEL; y++) next_row(&p, op, call->rows[0] + channel, call->in_pitch, y);
      make_row(&p, op);
      p.o.out += op->out_width * call->out_pitch;
    }
  }
  clamp_row(op, call->out, call->out_pitch, op->out_height * op->out_width);
}
