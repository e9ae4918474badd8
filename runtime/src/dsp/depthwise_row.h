/* One output row of rip_depthwise_dsp, from strips as long as the scratch has room for: of the whole row, of parts of
 * it one after another, or without any. Included once a size of kernel. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_DEPTHWISE_ROW_H
#define RIP_DEPTHWISE_ROW_H

#include "depthwise_strips.h"
#include "depthwise_window.h"
#include "row_gather.h"

/* Strips of LANES channels: the last row of two channels shares one. Those of a row that the scratch is too short for
 * are packed for a kernel of 3: in half of the memory, from which outputs take a little longer. */
#define LINES (LANES * (STRIPS - 1) + 2)
#if KERNEL == 3
#include "packed_gather.h"
#include "packed_sums.h"
#define SHORT_LINES 3
#else
#define SHORT_LINES LINES
#endif

/* Where the strips of LANES channels lie. */
typedef struct strips {
  int32_t* begin;       /* one after another ... */
  int32_t lines, words; /* so many of so many words */
  int32_t* last;        /* ... but for the last one, if they are not packed */
} strips;

/* Words of a last strip that the scratch has no room for. Those of larger kernels would lie too deep. */
#define STRIP_ON_STACK (KERNEL == 3 ? 52 : 1)

/* What one output row of LANES channels takes. */
typedef struct lanes {
  row_gathering g;
  int32_t column; /* of the image: at which the rows' pointers are */
  int padded;     /* 1: some row is one of padding */
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

static int32_t are_packed(const strips* to) { return SHORT_LINES < LINES && to->lines == SHORT_LINES; }

/* Word `at` of every strip. */
static inline void fill_column(const strips* by, int32_t at, int32_t zeros) {
  const int32_t words = by->words;
  int32_t *word = by->begin + at, lines;
  for (lines = SHORT_LINES - 1; lines > 0; lines--, word += words) *word = zeros;
  if (!are_packed(by)) {
    for (lines = LINES - SHORT_LINES; lines > 0; lines--, word += words) *word = zeros;
    word = by->last + at;
  }
  *word = zeros;
}

/* Writes the padding of a span, which goes from word `at` on. */
static void fill_span(const rip_depthwise_dsp* op, const strips* by, int32_t at, const span* s) {
  const int32_t zeros = are_packed(by) ? four_zeros(op) : rip_halves(op->in_zero, op->in_zero);
  const int32_t columns = s->left + s->right;
  int32_t i;
  for (i = 0; i < columns; i++) fill_column(by, at + i + (i >= s->left ? s->count : 0), zeros);
}

static void set_row_at(const int8_t** at, int32_t* pitch, const int8_t* row, int32_t offset, const rip_row_call* call,
                       const int32_t* zeros) {
  set_row(at, pitch, row != NULL ? row + offset : NULL, call, zeros);
}

/* The first LANES channels of the columns of a span, which goes from the first word on. */
static inline void set_lanes(lanes* l, const rip_depthwise_dsp* op, const rip_row_call* call, const strips* by,
                             const span* s, const int32_t* zeros) {
  const int32_t offset = s->first * call->in_pitch, words = by->words, bytes = 4 * words;
  const int32_t lanes_words = (are_packed(by) ? LANES / 2 : LANES) * words;
  const int8_t* const* const rows = call->rows;
  int32_t *line = by->begin, j;
  for (j = 0; j < STRIPS - 1; j++, line += lanes_words) {
    gathering* const g = &l->g.pairs[j];
    set_row_at(&g->upper, &g->upper_pitch, rows[2 * j], offset, call, zeros);
    set_row_at(&g->lower, &g->lower_pitch, rows[2 * j + 1], offset, call, zeros);
    g->to = line + s->left;
    g->strip_bytes = bytes;
    g->count = s->count;
    l->o.strips[j] = line;
  }
  set_row_at(&l->g.last, &l->g.last_pitch, rows[2 * j], offset, call, zeros);
  l->g.even = line + s->left;
  l->g.odd = by->last + s->left;
  l->g.count = s->count;
  l->column = s->first;
  l->padded = has_padding(rows);
  l->o.strips[j] = line;
  l->o.record = op->stream;
  l->o.out = call->out;
  l->o.pitch = call->out_pitch;
  l->o.odd_rounding = op->odd_rounding;
  l->o.lanes = LANES;
  l->o.strip_bytes = bytes;
  l->o.record_bytes = 4 * 3;
  /* The strips of the last row are those of two lanes each. */
  l->o.last_bytes = (intptr_t)by->last - (intptr_t)line;
  l->o.then_bytes = -l->o.last_bytes;
}

/* Goes to so many columns from `column` on, which go into the strips from word `at` on. */
static void move_to(lanes* l, const strips* by, int32_t at, int32_t column, int32_t count) {
  const int32_t further = column - l->column, words = by->words;
  int32_t* word = by->begin + at;
  int32_t j;
  for (j = 0; j < STRIPS - 1; j++, word += LANES * words) {
    gathering* const g = &l->g.pairs[j];
    g->to = word;
    g->upper += further * g->upper_pitch;
    g->lower += further * g->lower_pitch;
    g->count = count;
  }
  l->g.even = word;
  l->g.odd = by->last + at;
  l->g.last += further * l->g.last_pitch;
  l->g.count = count;
  l->column = column;
}

/* Goes so many channels on; a row of padding is the same for all of them. */
static void move_rows(lanes* l, int32_t channels) {
  int32_t j;
  for (j = 0; j < STRIPS - 1; j++) {
    gathering* const g = &l->g.pairs[j];
    if (g->upper_pitch != 0) g->upper += channels;
    if (g->lower_pitch != 0) g->lower += channels;
  }
  if (l->g.last_pitch != 0) l->g.last += channels;
}

/* Goes on to the next LANES channels. */
static inline void next_lanes(lanes* l) {
  int32_t j;
  l->o.record += LANES * RECORD;
  l->o.out += LANES;
  if (l->padded) {
    move_rows(l, LANES);
    return;
  }
  for (j = 0; j < STRIPS - 1; j++) {
    l->g.pairs[j].upper += LANES;
    l->g.pairs[j].lower += LANES;
  }
  l->g.last += LANES;
}

/* To the channels that do not fill all lanes: they are gathered with those before them, which are made already. */
static void take_rest(lanes* l, const strips* by, int32_t channels) {
  const int32_t first = LANES - channels, words = by->words, packed = are_packed(by);
  int32_t j;
  move_rows(l, -first);
  for (j = 0; j < STRIPS - 1; j++) l->o.strips[j] += (packed ? first / 2 : first) * words;
  l->o.lanes = channels;
  if (packed || first % 2 == 0) return;
  l->o.strips[j] = by->last;
  l->o.last_bytes = -l->o.last_bytes;
  l->o.then_bytes = -l->o.then_bytes;
}

/* What gathers the strips of LANES channels, and what makes outputs of them. */
typedef struct makers {
  void (*gather)(const row_gathering* g);
  outputs_maker* make;
} makers;

static makers makers_for(const strips* by, int32_t stride) {
  makers m;
  m.gather = gather_rows;
  m.make = maker_for(stride);
#if KERNEL == 3
  if (are_packed(by)) {
    m.gather = gather_packed;
    m.make = packed_maker_for(stride);
  }
#else
  (void)by;
#endif
  return m;
}

static void make_groups(lanes* l, makers m, int32_t groups) {
  for (; groups > 0; groups--, next_lanes(l)) {
    m.gather(&l->g);
    m.make(&l->o);
  }
}

/* `count` outputs of all channels from x on, whose columns the strips have room for: the padding is the same for all.
 */
static void make_part(const rip_depthwise_dsp* op, const rip_row_call* call, const strips* by, int32_t x,
                      int32_t count) {
  const int32_t stride = op->stride_w, zeros = four_zeros(op);
  const uint32_t channels = (uint32_t)op->channels;
  const span s = span_of(op, x * stride - op->pad_w, (count - 1) * stride + KERNEL);
  const makers m = makers_for(by, stride);
  lanes l;
  if (s.left + s.right > 0) fill_span(op, by, 0, &s);
  set_lanes(&l, op, call, by, &s, &zeros);
  l.o.out += x * l.o.pitch;
  l.o.count = count;
  make_groups(&l, m, (int32_t)(channels / LANES));
  if (channels % LANES == 0) return;
  take_rest(&l, by, (int32_t)(channels % LANES));
  make_groups(&l, m, 1);
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
    for (lines = SHORT_LINES; lines > 0; lines--, from += words, to += words) {
      *(shared_by_1*)to = *(const shared_by_1*)from;
    }
  } else {
    for (lines = SHORT_LINES; lines > 0; lines--, from += words, to += words) {
      *(shared_by_2*)to = *(const shared_by_2*)from;
    }
  }
}

/* LANES channels in stretches of so many outputs, in the order of `step`. A stretch gathers what the one before it did
 * not, so that every column is read once, before an output of its number is written. */
static void make_stretches(lanes* l, const rip_depthwise_dsp* op, const rip_row_call* call, const strips* by,
                           int32_t most) {
  const int32_t stride = op->stride_w, forward = call->step > 0, step = forward ? most : -most;
  const int32_t from = forward ? most * stride : 0, to = most * stride - from;
  const makers m = makers_for(by, stride);
  int8_t* const out = l->o.out;
  int32_t known = 0, left = call->x1 - call->x0;
  int32_t x = forward ? call->x0 : call->x0 + (left - 1) / most * most;
  for (; left > 0; x += step) {
    const int32_t count = smaller(most, call->x1 - x);
    const int32_t at = forward ? known : 0; /* those are at the other end */
    const span s = span_of(op, x * stride - op->pad_w + at, (count - 1) * stride + KERNEL - known);
    if (known > 0) carry(by->begin + from, by->begin + to, by->words, stride);
    fill_span(op, by, at, &s);
    move_to(l, by, at + s.left, s.first, s.count);
    m.gather(&l->g);
    l->o.out = out + x * l->o.pitch;
    l->o.count = count;
    m.make(&l->o);
    known = KERNEL - stride;
    left -= count;
  }
  l->o.out = out;
}

/* All channels so. */
static void make_in_stretches(const rip_depthwise_dsp* op, const rip_row_call* call, const strips* by, int32_t most) {
  const span none = {0, 0, 0, 0};
  const int32_t odd = op->channels % LANES, zeros = four_zeros(op);
  int32_t groups;
  lanes l;
  set_lanes(&l, op, call, by, &none, &zeros);
  for (groups = op->channels / LANES; groups > 0; groups--, next_lanes(&l)) make_stretches(&l, op, call, by, most);
  if (odd == 0) return;
  take_rest(&l, by, odd);
  make_stretches(&l, op, call, by, most);
}

/* Whether the output row takes bytes of a row that it is made of. */
static int32_t lies_over_input(const rip_depthwise_dsp* op, const rip_row_call* call) {
  const uintptr_t out = (uintptr_t)call->out, out_bytes = (uintptr_t)(op->out_width * call->out_pitch);
  const uintptr_t row_bytes = (uintptr_t)(op->in_width * call->in_pitch);
  int32_t j;
  for (j = 0; j < KERNEL; j++) {
    if (call->rows[j] != NULL && out + out_bytes - (uintptr_t)call->rows[j] < row_bytes + out_bytes) return 1;
  }
  return 0;
}

/* Outputs that so many words are enough for, a multiple of those that the inner loop makes together. */
static int32_t outputs_by(const rip_depthwise_dsp* op, int32_t words) {
  return words < KERNEL ? 0 : ((words - KERNEL) / op->stride_w + 1) / SUMS * SUMS;
}

/* So many outputs at a time, in parts of all channels, or where a part overwrites what the next one reads, each LANES
 * channels in stretches. */
static void make_in_parts(const rip_depthwise_dsp* op, const rip_row_call* call, strips* by, int32_t most) {
  const int32_t x1 = call->x1;
  int32_t x = call->x0;
  if (by->words >= op->strip_words) {
    by->words = op->strip_words;
    most = x1 - x;
  } else {
    by->words = (most - 1) * op->stride_w + KERNEL;
  }
  by->last = by->begin + (SHORT_LINES - 1) * by->words;
  if (most < x1 - x && lies_over_input(op, call)) {
    make_in_stretches(op, call, by, most);
  } else {
    for (; x < x1; x += most) make_part(op, call, by, x, smaller(most, x1 - x));
  }
}

static void make_without_strips(const rip_depthwise_dsp* op, const rip_row_call* call) {
  const int32_t odd = op->channels % LANES;
  int32_t start;
  for (start = 0; start + LANES <= op->channels; start += LANES) make_pixels(op, call, start, 0);
  if (odd > 0) make_pixels(op, call, op->channels - LANES, LANES - odd);
}

/* A whole row. In a frame of its own, so that other rows do not lie deeper. */
__attribute__((noinline)) static void make_with_stack(const rip_depthwise_dsp* op, const rip_row_call* call,
                                                      strips* by) {
  int32_t last[STRIP_ON_STACK];
  by->last = last;
  make_part(op, call, by, call->x0, call->x1 - call->x0);
}

/* One output row, as rip_depthwise*_dsp_row. Channels that do not fill all lanes come last, gathered with those before
 * them, which are made already. */
static void make_row(const rip_depthwise_dsp* op, const rip_row_call* call) {
  const int32_t bytes = call->scratch_bytes - (int32_t)((0U - (uintptr_t)call->scratch) & 3U);
  const int32_t words = op->strip_words;
  int32_t most;
  strips by;
  if (call->x0 >= call->x1) return;
  by.begin = lines_of(call);
  by.lines = LINES;
  by.words = words;
  by.last = by.begin + (LINES - 1) * words;
  if (bytes >= 4 * LINES * words) {
    make_part(op, call, &by, call->x0, call->x1 - call->x0);
  } else if (bytes >= 4 * (LINES - 1) * words && words <= STRIP_ON_STACK) {
    make_with_stack(op, call, &by);
  } else {
    by.lines = SHORT_LINES;
    by.words = bytes / (4 * SHORT_LINES);
    most = outputs_by(op, by.words);
    if (most > 0) {
      make_in_parts(op, call, &by, most);
    } else {
      make_without_strips(op, call);
    }
  }
  if (op->act_min > -128 || op->act_max < 127) {
    clamp_row(op, call->out + call->x0 * call->out_pitch, call->out_pitch, call->x1 - call->x0);
  }
}

#endif
