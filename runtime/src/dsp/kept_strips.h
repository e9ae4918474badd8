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

/* What brings the strips of LANES channels into their slots. */
typedef struct gathers {
  gathering pairs[STRIPS];
  single singles[2]; /* the first row and the last of the window */
  int32_t pair_count, single_count;
} gathers;

static void set_kept_row(const kept* k, const rip_row_call* call, int32_t row, const int32_t* zeros, const int8_t** at,
                         int32_t* pitch) {
  const int8_t* const start = call->rows[row];
  set_row(at, pitch, start != NULL ? start + k->from * call->in_pitch : NULL, call, zeros);
}

/* Of the first LANES channels. */
static void set_gathers(gathers* g, const kept* k, const rip_depthwise_dsp* op, const rip_row_call* call,
                        const int32_t* zeros) {
  const int32_t words = op->strip_words;
  int32_t pair;
  g->pair_count = g->single_count = 0;
  if (k->count <= 0) return;
  for (pair = k->first; pair < k->end; pair++) {
    const int32_t upper = 2 * pair - k->top, lower = upper + 1; /* rows of the window */
    int32_t* const to = k->slots + pair % STRIPS * LANES * words + k->column;
    if (upper >= 0 && lower < KERNEL) {
      gathering* const both = &g->pairs[g->pair_count++];
      set_kept_row(k, call, upper, zeros, &both->upper, &both->upper_pitch);
      set_kept_row(k, call, lower, zeros, &both->lower, &both->lower_pitch);
      both->to = to;
      both->strip_bytes = 4 * words;
      both->count = k->count;
    } else {
      single* const one = &g->singles[g->single_count++];
      set_kept_row(k, call, upper >= 0 ? upper : lower, zeros, &one->row, &one->pitch);
      one->straight = upper >= 0 ? to : to + 2 * words;
      one->turned = upper >= 0 ? to + 2 * words : to;
      one->strip_bytes = 4 * words;
      one->count = k->count;
    }
  }
}

/* Then goes on to channels so much further, whose slots are `words` further. */
static void gather_kept(gathers* g, int32_t channels, int32_t words) {
  int32_t i;
  for (i = 0; i < g->pair_count; i++) {
    gathering* const both = &g->pairs[i];
    gather_pair(both);
    if (both->upper_pitch != 0) both->upper += channels;
    if (both->lower_pitch != 0) both->lower += channels;
    both->to += words;
  }
  for (i = 0; i < g->single_count; i++) {
    single* const one = &g->singles[i];
    gather_single(one);
    if (one->pitch != 0) one->row += channels;
    one->straight += words;
    one->turned += words;
  }
}

/* One output row, as rip_depthwise*_dsp_kept_row. Channels that do not fill all lanes come last, as in make_row. */
static void make_kept_row(const rip_depthwise_dsp* op, const rip_row_call* call) {
  const int32_t words = op->strip_words, records = op->stride_h % 2 + 1; /* of a channel */
  const int32_t group_words = STRIPS * LANES * words, groups = (op->channels + LANES - 1) / LANES;
  const int32_t zeros = four_zeros(op), forward = call->step > 0, odd = op->channels % LANES;
  const kept k = kept_of(op, call);
  int32_t group, j;
  gathers g;
  outputs o;
  if (call->x0 >= call->x1) return;
  if (call->y == (forward ? 0 : op->out_height - 1) && (forward ? call->x0 == 0 : call->x1 == op->out_width)) {
    fill_padding(op, k.slots, groups * STRIPS * LANES);
  }
  set_gathers(&g, &k, op, call, &zeros);
  for (j = 0; j < STRIPS; j++) {
    o.strips[j] = k.slots + (k.top / 2 + j) % STRIPS * LANES * words + call->x0 * op->stride_w;
  }
  o.record = op->stream + k.top % 2 * RECORD;
  o.out = call->out + call->x0 * call->out_pitch;
  o.pitch = call->out_pitch;
  o.count = call->x1 - call->x0;
  o.odd_rounding = op->odd_rounding;
  o.lanes = LANES;
  o.strip_bytes = 4 * words;
  o.last_bytes = o.then_bytes = o.strip_bytes;
  o.record_bytes = 4 * (3 + (records - 1) * RECORD);
  for (group = 1; group <= groups; group++) {
    const int last_but_one = group == groups - 1;
    if (group == groups && odd > 0) { /* the first lanes are channels of the group before */
      o.lanes = odd;
      for (j = 0; j < STRIPS; j++) o.strips[j] += (LANES - odd) * words;
    }
    gather_kept(&g, last_but_one && odd > 0 ? odd : LANES, group_words);
    make_outputs(&o, op->stride_w);
    o.record += LANES * records * RECORD;
    o.out += LANES;
    for (j = 0; j < STRIPS; j++) o.strips[j] += group_words;
  }
  clamp_row(op, call->out + call->x0 * call->out_pitch, call->out_pitch, call->x1 - call->x0);
}

#endif
