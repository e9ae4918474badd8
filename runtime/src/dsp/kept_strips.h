/* Rows of rip_depthwise_dsp in a stage, whose strips are kept from row to row: every input row is gathered when the
 * first output row needs it, and once more when the row that it shares strips with is there. Included once a size of
 * kernel, after depthwise_strips.h. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_KEPT_STRIPS_H
#define RIP_KEPT_STRIPS_H

#include "depthwise_strips.h"

/* Strip `pair` has the rows 2 * pair and 2 * pair + 1, counted from the first row of the padding, and lies in slot
 * pair % STRIPS of its channels. */
typedef struct kept {
  int32_t* slots;       /* of LANES channels: [STRIPS][LANES][strip_words]; then those of the next */
  int32_t top;          /* the first row of the window */
  int32_t first, end;   /* pairs to be gathered */
  int32_t from, column; /* columns to be gathered: of the image, and where they go in a strip */
  int32_t count;
} kept;

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

/* Which strips, and which of their columns, no earlier call has gathered. */
static kept kept_of(const rip_depthwise_dsp* op, const rip_row_call* call) {
  const int32_t stride = op->stride_h, columns = columns_of(op);
  const int32_t left = call->x0 * op->stride_w - op->pad_w, right = (call->x1 - 1) * op->stride_w - op->pad_w + KERNEL;
  int32_t until = columns;
  kept k;
  k.slots = (int32_t*)(void*)(((uintptr_t)call->kept + 3U) & ~(uintptr_t)3U);
  k.top = call->y * stride;
  k.first = k.top / 2;
  k.end = (k.top + KERNEL + 1) / 2;
  k.from = 0;
  if (call->step > 0) {
    if (call->y > 0) k.first = larger(k.first, (k.top - stride + KERNEL) / 2);
    if (call->x0 > 0) k.from = larger(0, left - op->stride_w + KERNEL);
    if (call->x1 < op->out_width) until = smaller(columns, larger(0, right));
  } else {
    if (call->y < op->out_height - 1) k.end = smaller(k.end, (k.top + stride + 1) / 2);
    if (call->x0 > 0) k.from = larger(0, left);
    if (call->x1 < op->out_width) until = smaller(columns, larger(0, call->x1 * op->stride_w - op->pad_w));
  }
  k.column = k.from + op->pad_w;
  k.count = until - k.from;
  return k;
}

/* Brings strips of the LANES channels from `channel` on into their slots. */
static void gather_kept(const kept* k, const rip_depthwise_dsp* op, const rip_row_call* call, int32_t* slots,
                        int32_t channel, const int32_t* zeros) {
  const int32_t words = op->strip_words, offset = k->from * call->in_pitch + channel;
  int32_t pair;
  for (pair = k->first; pair < k->end; pair++) {
    const int32_t upper = 2 * pair - k->top, lower = upper + 1; /* rows of the window */
    int32_t* const to = slots + pair % STRIPS * LANES * words + k->column;
    if (upper >= 0 && lower < KERNEL) {
      gathering g;
      set_row(&g.upper, &g.upper_pitch, call->rows[upper] != NULL ? call->rows[upper] + offset : NULL, call, zeros);
      set_row(&g.lower, &g.lower_pitch, call->rows[lower] != NULL ? call->rows[lower] + offset : NULL, call, zeros);
      g.to = to;
      g.strip_bytes = 4 * words;
      g.count = k->count;
      gather_pair(&g);
    } else {
      const int8_t* const row = call->rows[upper >= 0 ? upper : lower];
      single g;
      set_row(&g.row, &g.pitch, row != NULL ? row + offset : NULL, call, zeros);
      g.straight = upper >= 0 ? to : to + 2 * words;
      g.turned = upper >= 0 ? to + 2 * words : to;
      g.strip_bytes = 4 * words;
      g.count = k->count;
      gather_single(&g);
    }
  }
}

/* One output row, as rip_depthwise*_dsp_kept_row. Channels that do not fill all lanes come last, as in make_row. */
static void make_kept_row(const rip_depthwise_dsp* op, const rip_row_call* call) {
  const int32_t words = op->strip_words, records = op->stride_h % 2 + 1; /* of a channel */
  const int32_t group_words = STRIPS * LANES * words, groups = (op->channels + LANES - 1) / LANES;
  const int32_t zeros = four_zeros(op), forward = call->step > 0;
  const kept k = kept_of(op, call);
  int32_t *slots = k.slots, group, j;
  outputs o;
  if (call->x0 >= call->x1) return;
  if (call->y == (forward ? 0 : op->out_height - 1) && (forward ? call->x0 == 0 : call->x1 == op->out_width)) {
    fill_padding(op, slots, groups * STRIPS * LANES);
  }
  for (j = 0; j < STRIPS; j++) {
    o.strips[j] = slots + (k.top / 2 + j) % STRIPS * LANES * words + call->x0 * op->stride_w;
  }
  o.record = op->stream + k.top % 2 * RECORD;
  o.out = call->out + call->x0 * call->out_pitch;
  o.pitch = call->out_pitch;
  o.count = call->x1 - call->x0;
  o.odd_rounding = op->odd_rounding;
  o.lanes = LANES;
  o.strip_bytes = o.last_bytes = o.then_bytes = 4 * words;
  o.record_bytes = 4 * (3 + (records - 1) * RECORD);
  for (group = 0; group < groups; group++, slots += group_words) {
    const int32_t start = smaller(LANES * group, op->channels - LANES), made = LANES * group - start;
    if (made > 0) { /* lanes of the last group that are the group's before it */
      o.lanes = LANES - made;
      for (j = 0; j < STRIPS; j++) o.strips[j] += made * words;
    }
    if (k.count > 0) gather_kept(&k, op, call, slots, start, &zeros);
    make_outputs(&o, op->stride_w);
    o.record += LANES * records * RECORD;
    o.out += LANES;
    for (j = 0; j < STRIPS; j++) o.strips[j] += group_words;
  }
  clamp_row(op, call->out + call->x0 * call->out_pitch, call->out_pitch, call->x1 - call->x0);
}

#endif
