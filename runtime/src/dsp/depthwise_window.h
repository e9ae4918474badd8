/* Outputs of rip_depthwise_dsp without strips: of LANES channels the columns of one window, which moves along the row.
 * Included once a size of kernel. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_DEPTHWISE_WINDOW_H
#define RIP_DEPTHWISE_WINDOW_H

#include "depthwise_strips.h"

/* The scalars of one column as they lie in memory, of two rows together: word 2 * j has lanes 0 and 1 of the rows 2 * j
 * and 2 * j + 1, the next one lanes 2 and 3; the last word is the last row's. */
typedef struct window_column {
  int32_t words[KERNEL];
} window_column;

static void load_column(window_column* c, const rip_depthwise_dsp* op, const rip_row_call* call, int32_t start,
                        int32_t x) {
  const int32_t zeros = four_zeros(op), inside = x >= 0 && x < op->in_width;
  int32_t rows[KERNEL], j;
  for (j = 0; j < KERNEL; j++) {
    const int8_t* const row = call->rows[j];
    rows[j] = inside && row != NULL ? rip_load_s32(row + x * call->in_pitch + start) : zeros;
  }
  for (j = 0; j + 1 < KERNEL; j += 2) {
    c->words[j] = rip_join_low(rows[j], rows[j + 1]);
    c->words[j + 1] = rip_join_high(rows[j], rows[j + 1]);
  }
  c->words[j] = rows[j];
}

/* One output of a lane: `record` is its channel's. From column to column of the window it is `next` further. */
static int32_t output_of(const window_column* window, int32_t next, int32_t lane, const int32_t* record,
                         int32_t odd_rounding) {
  const int32_t odd = lane % 2, half = lane / 2;
  int32_t sum = rip_flash_s32(record++), addend, j, i;
  for (j = 0; j < STRIPS; j++) {
    const window_column* c = window;
    const int32_t word = j < STRIPS - 1 ? 2 * j + half : KERNEL - 1;
    for (i = 0; i < KERNEL; i++, c += next) {
      sum =
          rip_smlad(odd ? rip_odd_bytes(c->words[word]) : rip_even_bytes(c->words[word]), rip_flash_s32(record++), sum);
    }
  }
  addend = rip_flash_s32(record + 1) + (odd_rounding ? sum >> 31 : 0);
  return rip_saturate_byte(rip_smmlar(sum, rip_flash_s32(record), addend) >> rip_flash_s32(record + 2));
}

/* The channels from start + first up to start + LANES, in the order of `step`. Every column is read once, before an
 * output of its number is written. */
static void make_pixels(const rip_depthwise_dsp* op, const rip_row_call* call, int32_t start, int32_t first) {
  const int32_t stride = op->stride_w, forward = call->step > 0, to_right = forward ? 1 : -1;
  const int32_t count = call->x1 - call->x0, x0 = forward ? call->x0 : call->x1 - 1;
  /* The window's columns in the order of `step`. */
  window_column window[KERNEL];
  const window_column* const left = forward ? window : window + KERNEL - 1;
  int32_t next = x0 * stride - op->pad_w + (forward ? 0 : KERNEL - 1); /* column to be loaded */
  int8_t* out = call->out + x0 * call->out_pitch + start;
  int32_t n, i, known = 0;
  for (n = 0; n < count; n++, out += to_right * call->out_pitch) {
    for (i = 0; i < known; i++) window[i] = window[i + stride];
    for (; i < KERNEL; i++, next += to_right) load_column(&window[i], op, call, start, next);
    for (i = first; i < LANES; i++) {
      out[i] = (int8_t)output_of(left, to_right, i, op->stream + (start + i) * RECORD, op->odd_rounding);
    }
    known = KERNEL - stride;
  }
}

#endif
