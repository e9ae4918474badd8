/* The row kernels of rip_depthwise_m0: with strips of the whole row, or as long as there is room for, of stretches of
 * it one after another. A stretch loads only what the one before it did not, so that a column of a channel is read
 * once. Included once a size. SPDX-License-Identifier: MIT-0 */
#include "strips_m0.h"

static inline const int8_t* channel_of(const int8_t* row, int32_t channel) {
  return row != NULL ? row + channel : NULL;
}

/* Loads so many columns of one row of a channel; null is a row of padding. */
static void load_row_columns(const rip_depthwise_m0* op, int32_t* to, const int8_t* row, int32_t pitch, int32_t count) {
  if (row == NULL) {
    fill(to, op->in_zero, count);
  } else if (count > 0) {
    copy_row(to, row, pitch, count);
  }
}

/* The rows of a call, and the strips that they are loaded into. */
typedef struct row_strips {
  const int8_t* const* rows;
  int32_t room; /* words of a strip */
  int whole;    /* all rows are of the image */
  last_rows last;
} row_strips;

static void start_strips(row_strips* s, const rip_row_call* call, int32_t room) {
  int32_t j;
  s->rows = call->rows;
  s->room = room;
  s->whole = 1;
  for (j = 0; j < KERNEL; j++) s->whole &= call->rows[j] != NULL;
  s->last.upper = call->rows[KERNEL - 3];
  s->last.lower = call->rows[KERNEL - 2];
  s->last.last = call->rows[KERNEL - 1];
  s->last.pitch = call->in_pitch;
  s->last.beyond = 4 * room;
}

/* The columns of the first strip that are to be loaded next. */
static inline void load_into(row_strips* s, int32_t* to, int32_t count) {
  s->last.to = to + (STRIPS - 2) * s->room;
  s->last.end = s->last.to + count;
}

/* Loads them of a channel of whole rows, of which `offset` bytes into a row is the first. */
static inline void load_whole_rows(const row_strips* s, int32_t offset, int32_t count) {
  int32_t* to = s->last.to - (STRIPS - 2) * s->room;
  int32_t j;
  for (j = 0; j < KERNEL - 3; j += 2, to += s->room) {
    pair_rows(to, s->rows[j] + offset, s->rows[j + 1] + offset, s->last.pitch, count);
  }
  load_last_rows(&s->last, offset);
}

/* The same of rows of which some are padding. */
static void load_some_rows(const rip_depthwise_m0* op, const row_strips* s, int32_t offset, int32_t count) {
  const int32_t pitch = s->last.pitch;
  int32_t* to = s->last.to - (STRIPS - 2) * s->room;
  int32_t j;
  for (j = 0; j < KERNEL - 1; j += 2, to += s->room) {
    load_pair_columns(op, to, channel_of(s->rows[j], offset), channel_of(s->rows[j + 1], offset), pitch, count);
  }
  load_row_columns(op, to, channel_of(s->rows[j], offset), pitch, count);
}

/* Strips of so many words of padding. */
static void fill_strips(const rip_depthwise_m0* op, int32_t* to, int32_t room, int32_t count) {
  const int32_t zero = op->in_zero;
  int32_t j;
  for (j = 0; j < STRIPS - 1; j++, to += room) fill(to, pair_of(zero, zero), count);
  fill(to, zero, count);
}

/* Columns [first, first + count) of the image, padding included, of a channel. */
static void load_columns(const rip_depthwise_m0* op, row_strips* s, int32_t channel, int32_t* to, int32_t first,
                         int32_t count) {
  const int32_t left = first >= 0 ? 0 : -first < count ? -first : count;
  const int32_t rest = count - left, width = op->in_width - (first + left);
  const int32_t inside = rest < width ? rest : width > 0 ? width : 0;
  if (left > 0) fill_strips(op, to, s->room, left);
  if (inside < rest) fill_strips(op, to + (left + inside), s->room, rest - inside);
  if (inside == 0) return;
  load_into(s, to + left, inside);
  if (s->whole) {
    load_whole_rows(s, (first + left) * s->last.pitch + channel, inside);
  } else {
    load_some_rows(op, s, (first + left) * s->last.pitch + channel, inside);
  }
}

/* Moves words that two stretches share from where they lie in the strips of the one to where in the other's. */
static void carry(int32_t* line, int32_t room, int32_t from, int32_t to, int32_t count) {
  int32_t strip, i;
  for (strip = 0; strip < STRIPS; strip++, line += room) {
    if (from > to) {
      for (i = 0; i < count; i++) line[to + i] = line[from + i];
    } else {
      for (i = count - 1; i >= 0; i--) line[to + i] = line[from + i];
    }
  }
}

/* One channel in stretches of so many outputs, in the order of `step`. */
static void make_stretches(const rip_depthwise_m0* op, const rip_row_call* call, row_strips* s, int32_t channel,
                           int32_t* lines, int32_t most) {
  const int32_t stride = op->stride_w, shared = stride < KERNEL ? KERNEL - stride : 0;
  const int32_t forward = call->step > 0, room = s->room;
  int32_t left, x = forward ? call->x0 : call->x1, count, carried = 0;
  outputs o;
  int32_t j;
  o.first = lines;
  for (j = 0; j < STRIPS - 1; j++) o.gaps[j] = 4 * (room - KERNEL);
  o.record = op->stream + channel * RECORD;
  o.step = 4 * stride;
  o.pitch = call->out_pitch;
  for (left = call->x1 - call->x0; left > 0; left -= count) {
    int32_t first, columns, before;
    count = left < most ? left : most;
    if (!forward) x -= count;
    first = x * stride - op->pad_w;
    columns = (count - 1) * stride + KERNEL;
    before = forward ? carried : 0;
    if (!forward && carried > 0) carry(lines, room, 0, columns - carried, carried);
    load_columns(op, s, channel, lines + before, first + before, columns - carried);
    o.out = call->out + (x * o.pitch + channel);
    o.end = o.out + count * o.pitch;
    make_row_outputs(&o);
    if (forward) carry(lines, room, columns - shared, 0, shared);
    carried = shared;
    if (forward) x += count;
  }
}

/* One output row from strips of the whole row. */
static void make_whole_row(const rip_depthwise_m0* op, const rip_row_call* call, row_strips* s, int32_t* lines) {
  const int32_t bytes = (call->x1 - call->x0) * call->out_pitch, inside = image_words(op);
  const int whole = s->whole && inside > 0;
  int32_t channel, j;
  outputs o;
  fill_padding(op, lines, STRIPS - 1);
  o.first = lines + call->x0 * op->stride_w;
  for (j = 0; j < STRIPS - 1; j++) o.gaps[j] = 4 * (s->room - KERNEL);
  o.record = op->stream;
  o.step = 4 * op->stride_w;
  o.out = call->out + call->x0 * call->out_pitch;
  o.pitch = call->out_pitch;
  load_into(s, lines + op->pad_w, inside);
  for (channel = 0; channel < op->channels; channel++, o.record += RECORD, o.out++) {
    if (whole) {
      load_whole_rows(s, channel, inside);
    } else {
      load_some_rows(op, s, channel, inside);
    }
    o.end = o.out + bytes;
    make_row_outputs(&o);
  }
}

/* One output row, as rip_depthwise*_m0_row. */
static void make_row(const rip_depthwise_m0* op, const rip_row_call* call) {
  const int32_t words = words_of(call);
  int32_t stack[RIP_M0_STACK];
  int32_t room = words / STRIPS, channel;
  int32_t* lines = lines_of(call);
  row_strips s;
  if (call->x0 >= call->x1) return;
  if (room < op->strip_words && words < RIP_M0_STACK) {
    lines = stack;
    room = RIP_M0_STACK / STRIPS;
  }
  if (room >= op->strip_words) {
    start_strips(&s, call, op->strip_words);
    make_whole_row(op, call, &s, lines);
    return;
  }
  start_strips(&s, call, room);
  for (channel = 0; channel < op->channels; channel++) {
    make_stretches(op, call, &s, channel, lines, (room - KERNEL) / op->stride_w + 1);
  }
}
