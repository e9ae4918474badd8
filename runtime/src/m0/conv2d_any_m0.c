/* 2-D convolution as conv2d_m0.c's with any scratch. Where the taps of a pixel do not fit, they are widened piece by
 * piece, and each piece is used for a group of output channels, whose sums wait on the stack. SPDX-License-Identifier:
 * MIT-0 */
#include <stddef.h>

#include "gather_m0.h"
#include "rip/flash.h"

#define LEAST_PIECE (RIP_M0_STACK - RIP_M0_GROUP) /* words; the sums of a group take the others */

/* Walks over the taps of a pixel as runs of scalars: of each kernel row those outside of the image, its stretches,
 * those outside. */
typedef struct tap_reader {
  row_taps taps;
  const int8_t* const* rows; /* the next one */
  const int8_t* row;
  const int8_t* at; /* the next scalar; null: outside of the image */
  int32_t left;     /* scalars of this run */
  int32_t run;      /* the next one of this row */
  int32_t scalars;  /* left in all */
} tap_reader;

static void rewind_taps(tap_reader* r, const rip_conv2d_m0* op, const rip_row_call* call) {
  r->rows = call->rows;
  r->row = r->at = NULL;
  r->left = 0;
  r->run = r->taps.stretches + 2;
  r->scalars = op->kernel_h * op->kernel_w * op->in_channels;
}

static void next_run(tap_reader* r, int32_t step) {
  const row_taps* const t = &r->taps;
  if (r->run == t->stretches + 2) {
    r->row = *r->rows++;
    r->run = 0;
  }
  r->at = NULL;
  if (r->run == 0) {
    r->left = t->before;
  } else if (r->run > t->stretches) {
    r->left = t->after;
  } else {
    r->left = t->length;
    if (r->row != NULL) r->at = r->row + (t->offset + (r->run - 1) * step);
  }
  r->run++;
}

/* Takes up to `most` scalars of a run. Returns their number; `from`: where they are. */
static int32_t take(tap_reader* r, int32_t step, int32_t most, const int8_t** from) {
  int32_t count;
  while (r->left == 0) next_run(r, step);
  count = r->left < most ? r->left : most;
  *from = r->at;
  if (r->at != NULL) r->at += count;
  r->left -= count;
  r->scalars -= count;
  return count;
}

/* The next taps as `words` words, an even number. */
static void read_piece(tap_reader* r, const rip_conv2d_m0* op, int32_t step, int32_t* to, int32_t words) {
  const int8_t zero = (int8_t)op->in_zero;
  const int8_t* from;
  if (op->in_channels % 4 == 0) {
    const int32_t zeros = (int32_t)((uint32_t)op->in_zero * 0x10001U);
    int32_t* const end = to + words;
    while (to != end) {
      const int32_t count = take(r, step, 2 * (int32_t)(end - to), &from);
      to = from != NULL ? rip_m0_widen(to, from, count / 4) : fill(to, zeros, count / 2);
    }
  } else { /* as in gather_any */
    int8_t *const bytes = (int8_t*)to + 2 * words, *const end = bytes + 2 * words;
    int8_t* next = bytes;
    while (next != end && r->scalars > 0) {
      const int32_t count = take(r, step, (int32_t)(end - next), &from);
      next = from != NULL ? copy_bytes(next, from, count) : fill_bytes(next, zero, count);
    }
    fill_bytes(next, 0, (int32_t)(end - next));
    rip_m0_widen(to, bytes, words / 2);
  }
}

/* What is made together of a pixel. */
typedef struct group {
  const int32_t* stream; /* of the first channel */
  int8_t* out;
  int32_t channels;
  int32_t* taps; /* room for `words` */
  int32_t words;
} group;

/* Makes the outputs of the group from the sums of its channels. Returns where the stream goes on. */
static const int32_t* make_outputs(const group* g, const int32_t* sums, int32_t pair_words) {
  const int32_t* stream = g->stream;
  int32_t c;
  for (c = 0; c < g->channels; c += 2) {
    const int32_t bias0 = rip_flash_s32(stream), bias1 = rip_flash_s32(stream + 1);
    stream += 2 + pair_words;
    stream += 1 + 3 * rip_flash_s32(stream);
    g->out[c] = rip_m0_output(sums[c] + bias0, stream);
    if (c + 1 < g->channels) g->out[c + 1] = rip_m0_output(sums[c + 1] + bias1, stream + RIP_M0_OUTPUT);
    stream += 2 * RIP_M0_OUTPUT;
  }
  return stream;
}

static const int32_t* make_group(const rip_conv2d_m0* op, const rip_row_call* call, tap_reader* r, const group* g,
                                 int32_t* sums) {
  const int32_t words = words_of(op), step = op->dilation_w * call->in_pitch;
  rip_m0_piece piece;
  int32_t begin, count;
  piece.sums = sums;
  piece.sums_end = fill(sums, 0, (g->channels + 1) / 2 * 2);
  rewind_taps(r, op, call);
  for (begin = 0; begin < words; begin += count) {
    count = words - begin < g->words ? words - begin : g->words;
    read_piece(r, op, step, g->taps, count);
    piece.taps_end = g->taps + count;
    piece.before = 8 * (1 + begin);
    piece.after = 8 * (words - begin - count);
    piece.begin = 4 * begin;
    piece.bytes = 4 * count;
    rip_m0_add_piece(g->stream, g->taps, &piece);
  }
  return make_outputs(g, sums, 2 * words);
}

/* The row; `taps` has room for `piece_words`, `sums` for a group. */
static void make_pieces(const rip_conv2d_m0* op, const rip_row_call* call, int32_t* taps, int32_t piece_words,
                        int32_t* sums) {
  const int32_t left_over = op->out_channels % RIP_M0_GROUP, first = left_over + left_over % 2;
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1, pixels;
  group g;
  g.taps = taps;
  g.words = piece_words;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    int32_t left = op->out_channels;
    tap_reader r;
    r.taps = taps_of(op, x, call->in_pitch);
    g.stream = op->stream;
    g.out = call->out + x * call->out_pitch;
    g.channels = first != 0 ? first : RIP_M0_GROUP;
    while (left > 0) {
      if (g.channels > left) g.channels = left;
      g.stream = make_group(op, call, &r, &g, sums);
      g.out += g.channels;
      left -= g.channels;
      g.channels = RIP_M0_GROUP;
    }
  }
}

RIP_HOT void rip_conv2d_any_m0_row(const rip_conv2d_m0* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_conv2d_m0, op, params);
  int32_t stack[RIP_M0_STACK];
  int32_t* const scratch = aligned(call->scratch);
  const int32_t unused = (int32_t)((uintptr_t)scratch - (uintptr_t)call->scratch);
  const int32_t given = (call->scratch_bytes - unused) / 8 * 2;
  const int32_t words = words_of(op);
  if (given >= words) {
    rip_m0_make_row(op, call, scratch);
  } else if (given > LEAST_PIECE) {
    make_pieces(op, call, scratch, given, stack);
  } else {
    make_pieces(op, call, stack + RIP_M0_GROUP, LEAST_PIECE, stack);
  }
}
