/* The kernels of rip_depthwise_dsp for one size of kernel: included once a size, with KERNEL (3, 5 or 7). A strip holds
 * two rows of one channel: word x has the rows' scalars at column x, the upper row's in the low half.
 * SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/flash.h"
#include "rip/halves.h"
#include "rip/kernels.h"
#include "rip/requantize.h"
#include "rip/scalars.h"
#include "strip_sums.h"

#define LANES 4 /* channels that the row kernel gathers together */

/* Where the scalars of one input row and of some channel lie. A row of padding is one pixel again and again. */
typedef struct source {
  const int8_t* at;
  int32_t pitch;
} source;

/* Where the strips lie. */
static int32_t* lines_of(const rip_row_call* call) {
  return (int32_t*)(void*)(((uintptr_t)call->scratch + 3U) & ~(uintptr_t)3U);
}

/* A pixel of padding, of LANES channels. */
static int32_t four_zeros(const rip_depthwise_dsp* op) {
  return (int32_t)(((uint32_t)op->in_zero & 0xffU) * 0x01010101U);
}

/* Writes the words around those of the image, the same for all channels. */
static void fill_padding(const rip_depthwise_dsp* op, int32_t* line, int32_t lines) {
  const int32_t words = op->strip_words, zeros = rip_halves(op->in_zero, op->in_zero);
  int32_t i;
  for (; lines > 0; lines--, line += words) {
    for (i = 0; i < op->pad_w; i++) line[i] = zeros;
    for (i = op->pad_w + op->in_width; i < words; i++) line[i] = zeros;
  }
}

/* Columns of the image that a strip has room for. */
static int32_t columns_of(const rip_depthwise_dsp* op) {
  const int32_t room = op->strip_words - op->pad_w;
  return room < op->in_width ? room : op->in_width;
}

static source source_of(const int8_t* row, int32_t pitch, const int8_t* padding) {
  source s;
  s.at = row != NULL ? row : padding;
  s.pitch = row != NULL ? pitch : 0;
  return s;
}

static void clamp_row(const rip_depthwise_dsp* op, int8_t* out, int32_t pitch, int32_t count) {
  int32_t channel;
  if (op->act_min <= -128 && op->act_max >= 127) return;
  for (; count > 0; count--, out += pitch) {
    for (channel = 0; channel < op->channels; channel++) {
      out[channel] = (int8_t)rip_clamp(out[channel], op->act_min, op->act_max);
    }
  }
}

/* Strips of LANES channels, `words` apart, from two rows. */
static void gather_two(int32_t* to, int32_t words, source upper, source lower, int32_t count) {
  int32_t *lane0 = to, *lane1 = to + words, *lane2 = lane1 + words, *lane3 = lane2 + words;
  for (; count > 0; count--, upper.at += upper.pitch, lower.at += lower.pitch) {
    const int32_t a = rip_load_s32(upper.at), b = rip_load_s32(lower.at);
    const int32_t low = rip_join_low(a, b), high = rip_join_high(a, b);
    *lane0++ = rip_even_bytes(low);
    *lane1++ = rip_odd_bytes(low);
    *lane2++ = rip_even_bytes(high);
    *lane3++ = rip_odd_bytes(high);
  }
}

/* Of one row: lanes 0 and 2 together, then lanes 1 and 3. */
static void gather_one(int32_t* to, int32_t words, source row, int32_t count) {
  int32_t *even = to, *odd = to + words;
  for (; count > 0; count--, row.at += row.pitch) {
    const int32_t a = rip_load_s32(row.at);
    *even++ = rip_even_bytes(a);
    *odd++ = rip_odd_bytes(a);
  }
}

/* Strips of the LANES channels from `channel` on. */
static void gather_lanes(const rip_depthwise_dsp* op, const rip_row_call* call, int32_t channel, int32_t* lines) {
  const int32_t words = op->strip_words, count = columns_of(op), pitch = call->in_pitch;
  const int32_t zeros = four_zeros(op);
  source rows[KERNEL];
  int32_t j;
  for (j = 0; j < KERNEL; j++) {
    const int8_t* row = call->rows[j];
    rows[j] = source_of(row != NULL ? row + channel : NULL, pitch, (const int8_t*)&zeros);
  }
  lines += op->pad_w;
  for (j = 0; j < STRIPS - 1; j++, lines += LANES * words)
    gather_two(lines, words, rows[2 * j], rows[2 * j + 1], count);
  gather_one(lines, words, rows[KERNEL - 1], count);
}

/* The channels from start + lane up to start + LANES. */
static void make_channels(const rip_depthwise_dsp* op, const rip_row_call* call, int32_t start, int32_t lane,
                          int32_t* lines) {
  const int32_t words = op->strip_words;
  const int32_t* const first = lines + call->x0 * op->stride_w;
  outputs o;
  int32_t j;
  gather_lanes(op, call, start, lines);
  o.record = op->stream + (start + lane) * RECORD;
  o.out = call->out + call->x0 * call->out_pitch + start + lane;
  o.pitch = call->out_pitch;
  o.count = call->x1 - call->x0;
  o.odd_rounding = op->odd_rounding;
  for (; lane < LANES; lane++, o.record += RECORD, o.out++) {
    for (j = 0; j < STRIPS; j++) o.strips[j] = first + (LANES * j + (j < STRIPS - 1 ? lane : lane % 2)) * words;
    make_outputs(&o, op->stride_w);
  }
}

/* One output row, as rip_depthwise*_dsp_row. */
static void make_row(const rip_depthwise_dsp* op, const rip_row_call* call) {
  const int32_t odd = op->channels % LANES;
  int32_t* const lines = lines_of(call);
  int32_t channel;
  if (call->x0 >= call->x1) return;
  fill_padding(op, lines, LANES * (STRIPS - 1) + 2);
  /* Channels that do not fill all lanes come first: they are gathered with others that nothing has written over. */
  if (odd > 0) make_channels(op, call, op->channels - LANES, LANES - odd, lines);
  for (channel = 0; channel < op->channels - odd; channel += LANES) make_channels(op, call, channel, 0, lines);
  clamp_row(op, call->out + call->x0 * call->out_pitch, call->out_pitch, call->x1 - call->x0);
}

/* Where the strips of all rows of a whole image go: a ring of STRIPS, of which strip `pair` has the rows 2 * pair and
 * 2 * pair + 1, counted from the first row of the padding. */
typedef struct ring {
  int32_t* lines;
  int32_t loaded; /* strips so far */
  int32_t oldest; /* its place */
} ring;

/* Brings strip r->loaded of the LANES channels from `in` on into the place of the oldest. */
static void load_pair(const rip_depthwise_dsp* op, const int8_t* in, int32_t pitch, ring* r) {
  const int32_t zeros = four_zeros(op), words = op->strip_words;
  source rows[2];
  int32_t i;
  for (i = 0; i < 2; i++) {
    const int32_t y = 2 * r->loaded + i - op->pad_h;
    const int inside = y >= 0 && y < op->in_height;
    rows[i] = source_of(inside ? in + y * op->in_width * pitch : NULL, pitch, (const int8_t*)&zeros);
  }
  gather_two(r->lines + r->oldest * LANES * words + op->pad_w, words, rows[0], rows[1], columns_of(op));
  r->loaded++;
  r->oldest = r->oldest + 1 < STRIPS ? r->oldest + 1 : 0;
}

/* The planes of the channels from start + lane up to start + LANES. */
static void make_planes(const rip_depthwise_dsp* op, const rip_row_call* call, int32_t start, int32_t first_lane) {
  const int32_t words = op->strip_words, records = op->stride_h % 2 + 1; /* of a channel */
  const int32_t* const record = op->stream + (start + first_lane) * records * RECORD;
  int8_t* out = call->out + start + first_lane;
  int32_t row, top, j, lane;
  ring r;
  outputs o;
  r.lines = lines_of(call);
  r.loaded = r.oldest = 0;
  o.pitch = call->out_pitch;
  o.count = op->out_width;
  o.odd_rounding = op->odd_rounding;
  for (row = 0, top = 0; row < op->out_height; row++, top += op->stride_h, out += op->out_width * call->out_pitch) {
    if (r.loaded < top / 2) r.loaded = top / 2; /* no output needs what lies between */
    while (r.loaded < top / 2 + STRIPS) load_pair(op, call->rows[0] + start, call->in_pitch, &r);
    for (j = 0; j < STRIPS; j++) {
      const int32_t slot = r.oldest + j < STRIPS ? r.oldest + j : r.oldest + j - STRIPS;
      o.strips[j] = r.lines + (LANES * slot + first_lane) * words;
    }
    o.record = record + top % 2 * RECORD;
    o.out = out;
    for (lane = first_lane; lane < LANES; lane++, o.record += records * RECORD, o.out++) {
      make_outputs(&o, op->stride_w);
      for (j = 0; j < STRIPS; j++) o.strips[j] += words;
    }
  }
}

/* All output rows, as rip_depthwise*_dsp_plane. */
static void make_image(const rip_depthwise_dsp* op, const rip_row_call* call) {
  const int32_t odd = op->channels % LANES;
  int32_t channel;
  fill_padding(op, lines_of(call), LANES * STRIPS);
  if (odd > 0) make_planes(op, call, op->channels - LANES, LANES - odd);
  for (channel = 0; channel < op->channels - odd; channel += LANES) make_planes(op, call, channel, 0);
  clamp_row(op, call->out, call->out_pitch, op->out_height * op->out_width);
}
