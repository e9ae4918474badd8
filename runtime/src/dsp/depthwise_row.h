/* One output row of rip_depthwise_dsp, from strips as long as the scratch has room for: of the whole row, of stretches
 * of it one after another, or without any. Included once a size of kernel. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_DEPTHWISE_ROW_H
#define RIP_DEPTHWISE_ROW_H

#include "depthwise_strips.h"
#include "depthwise_window.h"

#define LINES (LANES * (STRIPS - 1) + 2) /* strips of LANES channels: the last row of two channels shares one */

/* What one output row of LANES channels takes. */
typedef struct lanes {
  gathering pairs[STRIPS - 1];
  const int8_t* last; /* row of the window */
  int32_t last_pitch;
  int32_t* last_to;
  int32_t column; /* of the image: at which the rows' pointers are */
  outputs o;
} lanes;

/* Columns of a row, from left to right: of padding, of the image, and of padding again. */
typedef struct span {
  int32_t left;
  int32_t first, count; /* of the image */
  int32_t right;
} span;

/* So many columns, the first of which may be one of padding. */
static span span_of(const rip_depthwise_dsp* op, int32_t from, int32_t columns) {
  span s;
  s.left = from < 0 ? -from : 0;
  s.first = from + s.left;
  s.count = columns - s.left;
  if (s.count > op->in_width - s.first) s.count = op->in_width - s.first;
  if (s.count < 0) s.count = 0;
  s.right = columns - s.left - s.count;
  return s;
}

static void fill_columns(int32_t* line, int32_t words, int32_t columns, int32_t zeros) {
  int32_t lines, i;
  for (; columns >= 2; columns -= 2, line += 2) {
    for (lines = 0; lines < LINES; lines++) line[lines * words] = line[lines * words + 1] = zeros;
  }
  for (i = 0; i < columns * LINES; i++) line[i * words] = zeros;
}

/* Where the padding of a span lies in strips of `words` words, of which it fills those from `at` on. */
static void fill_span(const rip_depthwise_dsp* op, int32_t* line, int32_t words, int32_t at, const span* s) {
  const int32_t zeros = rip_halves(op->in_zero, op->in_zero);
  fill_columns(line + at, words, s->left, zeros);
  fill_columns(line + at + s->left + s->count, words, s->right, zeros);
}

/* The channels from start + first up to start + LANES, whose strips have `words` words. */
static void set_lanes(lanes* l, const rip_depthwise_dsp* op, const rip_row_call* call, int32_t words, int32_t start,
                      int32_t first, const int32_t* zeros) {
  int32_t* const lines = lines_of(call);
  int32_t j;
  for (j = 0; j < KERNEL; j++) {
    const int8_t* const row = call->rows[j] != NULL ? call->rows[j] + start : NULL;
    gathering* const g = &l->pairs[j / 2];
    if (j == KERNEL - 1) {
      set_row(&l->last, &l->last_pitch, row, call, zeros);
    } else if (j % 2 != 0) {
      set_row(&g->lower, &g->lower_pitch, row, call, zeros);
    } else {
      set_row(&g->upper, &g->upper_pitch, row, call, zeros);
      g->strip_bytes = 4 * words;
    }
  }
  l->column = 0;
  for (j = 0; j < STRIPS; j++) l->o.strips[j] = lines + (LANES * j + (j < STRIPS - 1 ? first : first % 2)) * words;
  l->o.record = op->stream + (start + first) * RECORD;
  l->o.out = call->out + start + first;
  l->o.pitch = call->out_pitch;
  l->o.odd_rounding = op->odd_rounding;
  l->o.lanes = LANES - first;
  l->o.strip_bytes = 4 * words;
  l->o.record_bytes = 4 * 3;
  /* The strips of the last row are those of two lanes each. */
  l->o.last_bytes = first % 2 == 0 ? 4 * words : -4 * words;
  l->o.then_bytes = -l->o.last_bytes;
}

/* Goes to the columns of a span, for the words from `at` on of strips of `words` words. */
static void move_to(lanes* l, const span* s, int32_t* lines, int32_t words, int32_t at) {
  const int32_t columns = s->first - l->column;
  int32_t* to = lines + at + s->left;
  int32_t j;
  for (j = 0; j < STRIPS - 1; j++, to += LANES * words) {
    gathering* const g = &l->pairs[j];
    g->to = to;
    g->upper += columns * g->upper_pitch;
    g->lower += columns * g->lower_pitch;
    g->count = s->count;
  }
  l->last_to = to;
  l->last += columns * l->last_pitch;
  l->column = s->first;
}

static void gather_lanes(const lanes* l, int32_t words, int32_t count) {
  int32_t j;
  for (j = 0; j < STRIPS - 1; j++) gather_pair(&l->pairs[j]);
  gather_one(l->last_to, words, l->last, l->last_pitch, count);
}

/* Goes on to the next LANES channels. */
static void next_lanes(lanes* l) {
  int32_t j;
  for (j = 0; j < STRIPS - 1; j++) {
    gathering* const g = &l->pairs[j];
    if (g->upper_pitch != 0) g->upper += LANES;
    if (g->lower_pitch != 0) g->lower += LANES;
  }
  if (l->last_pitch != 0) l->last += LANES;
  l->o.record += LANES * RECORD;
  l->o.out += LANES;
}

/* With strips of the whole row, whose padding is the same for all channels. */
static void make_whole(lanes* l, const rip_depthwise_dsp* op, const rip_row_call* call, int32_t groups) {
  const int32_t words = op->strip_words, count = call->x1 - call->x0;
  const span s = span_of(op, call->x0 * op->stride_w - op->pad_w, (count - 1) * op->stride_w + KERNEL);
  fill_span(op, lines_of(call), words, 0, &s);
  move_to(l, &s, lines_of(call), words, 0);
  l->o.out += call->x0 * call->out_pitch;
  l->o.count = count;
  for (; groups > 0; groups--, next_lanes(l)) {
    gather_lanes(l, words, s.count);
    make_outputs(&l->o, op->stride_w);
  }
}

/* The columns that two stretches share, if the stride is 1 and if it is 2. */
typedef struct shared_by_1 {
  int32_t columns[KERNEL - 1];
} shared_by_1;
typedef struct shared_by_2 {
  int32_t columns[KERNEL - 2];
} shared_by_2;

/* Moves them from where they lie in the strips of the one to where in the other's. */
static void carry(const int32_t* from, int32_t* to, int32_t words, int32_t stride) {
  int32_t lines;
  if (stride == 1) {
    for (lines = LINES; lines > 0; lines--, from += words, to += words) *(shared_by_1*)to = *(const shared_by_1*)from;
  } else {
    for (lines = LINES; lines > 0; lines--, from += words, to += words) *(shared_by_2*)to = *(const shared_by_2*)from;
  }
}

/* LANES channels in stretches of so many outputs, in the order of `step`. A stretch gathers what the one before it did
 * not, so that every column is read once, before an output of its number is written. */
static void make_stretches(lanes* l, const rip_depthwise_dsp* op, const rip_row_call* call, int32_t words,
                           int32_t most) {
  const int32_t stride = op->stride_w, forward = call->step > 0, step = forward ? most : -most;
  const int32_t from = forward ? most * stride : 0, to = most * stride - from;
  int32_t* const lines = lines_of(call);
  int8_t* const out = l->o.out;
  int32_t known = 0, left = call->x1 - call->x0;
  int32_t x = forward ? call->x0 : call->x0 + (left - 1) / most * most;
  for (; left > 0; x += step) {
    const int32_t count = x + most < call->x1 ? most : call->x1 - x;
    const int32_t at = forward ? known : 0; /* those are at the other end */
    const span s = span_of(op, x * stride - op->pad_w + at, (count - 1) * stride + KERNEL - known);
    if (known > 0) carry(lines + from, lines + to, words, stride);
    if (s.left + s.right > 0) fill_span(op, lines, words, at, &s);
    if (s.count > 0) {
      move_to(l, &s, lines, words, at);
      gather_lanes(l, words, s.count);
    }
    l->o.out = out + x * call->out_pitch;
    l->o.count = count;
    make_outputs(&l->o, stride);
    known = KERNEL - stride;
    left -= count;
  }
  l->o.out = out;
}

/* Outputs that strips of so many bytes are long enough for, a multiple of those that the inner loop makes together. */
static int32_t stretch_of(const rip_depthwise_dsp* op, int32_t bytes) {
  const int32_t words = bytes / (4 * LINES);
  return words < KERNEL ? 0 : ((words - KERNEL) / op->stride_w + 1) / SUMS * SUMS;
}

static void make_without_strips(const rip_depthwise_dsp* op, const rip_row_call* call) {
  const int32_t odd = op->channels % LANES;
  int32_t start;
  for (start = 0; start + LANES <= op->channels; start += LANES) make_pixels(op, call, start, 0);
  if (odd > 0) make_pixels(op, call, op->channels - LANES, LANES - odd);
}

/* With strips of `words` words, for stretches of `most` outputs; of the whole row if that is 0. */
static void make_with_strips(const rip_depthwise_dsp* op, const rip_row_call* call, int32_t words, int32_t most) {
  const int32_t odd = op->channels % LANES, zeros = four_zeros(op);
  int32_t groups = op->channels / LANES;
  lanes l;
  set_lanes(&l, op, call, words, 0, 0, &zeros);
  if (most == 0) {
    make_whole(&l, op, call, groups);
  } else {
    for (; groups > 0; groups--, next_lanes(&l)) make_stretches(&l, op, call, words, most);
  }
  if (odd == 0) return;
  set_lanes(&l, op, call, words, op->channels - LANES, LANES - odd, &zeros);
  if (most == 0) {
    make_whole(&l, op, call, 1);
  } else {
    make_stretches(&l, op, call, words, most);
  }
}

/* One output row, as rip_depthwise*_dsp_row. Channels that do not fill all lanes come last, gathered with those before
 * them, which are made already. */
static void make_row(const rip_depthwise_dsp* op, const rip_row_call* call) {
  const int32_t bytes = call->scratch_bytes - (int32_t)((0U - (uintptr_t)call->scratch) & 3U);
  if (call->x0 >= call->x1) return;
  if (bytes >= 4 * LINES * op->strip_words) {
    make_with_strips(op, call, op->strip_words, 0);
  } else {
    const int32_t most = stretch_of(op, bytes);
    if (most > 0) {
      make_with_strips(op, call, (most - 1) * op->stride_w + KERNEL, most);
    } else {
      make_without_strips(op, call);
    }
  }
  clamp_row(op, call->out + call->x0 * call->out_pitch, call->out_pitch, call->x1 - call->x0);
}

#endif
