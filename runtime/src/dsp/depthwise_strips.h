/* The kernels of rip_depthwise_dsp for one size of kernel: included once a size, with KERNEL (3, 5 or 7). A strip holds
 * two rows of one channel: word x has the rows' scalars at column x, the upper row's in the low half.
 * SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/flash.h"
#include "rip/halves.h"
#include "rip/kernels.h"
#include "rip/requantize.h"
#include "strip_gather.h"
#include "strip_sums.h"

#define LANES 4 /* channels that the row kernel gathers together */

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

static void clamp_row(const rip_depthwise_dsp* op, int8_t* out, int32_t pitch, int32_t count) {
  int32_t channel;
  if (op->act_min <= -128 && op->act_max >= 127) return;
  for (; count > 0; count--, out += pitch) {
    for (channel = 0; channel < op->channels; channel++) {
      out[channel] = (int8_t)rip_clamp(out[channel], op->act_min, op->act_max);
    }
  }
}

/* Where the scalars of an input row lie. */
static void set_row(const int8_t** at, int32_t* pitch, const int8_t* row, const rip_row_call* call,
                    const int32_t* zeros) {
  *at = row != NULL ? row : (const int8_t*)zeros;
  *pitch = row != NULL ? call->in_pitch : 0;
}

/* What one output row of LANES channels takes. */
typedef struct lanes {
  gathering pairs[STRIPS - 1];
  const int8_t* last; /* row of the window */
  int32_t last_pitch;
  int32_t* last_to;
  outputs o;
} lanes;

/* The channels from start + first up to start + LANES. */
static void set_lanes(lanes* l, const rip_depthwise_dsp* op, const rip_row_call* call, int32_t start, int32_t first,
                      const int32_t* zeros) {
  const int32_t words = op->strip_words;
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
      g->to = lines + LANES * j / 2 * words + op->pad_w;
      g->strip_bytes = 4 * words;
      g->count = columns_of(op);
    }
  }
  l->last_to = lines + LANES * (STRIPS - 1) * words + op->pad_w;
  for (j = 0; j < STRIPS; j++) {
    l->o.strips[j] = lines + call->x0 * op->stride_w + (LANES * j + (j < STRIPS - 1 ? first : first % 2)) * words;
  }
  l->o.record = op->stream + (start + first) * RECORD;
  l->o.out = call->out + call->x0 * call->out_pitch + start + first;
  l->o.pitch = call->out_pitch;
  l->o.count = call->x1 - call->x0;
  l->o.odd_rounding = op->odd_rounding;
  l->o.lanes = LANES - first;
  l->o.strip_bytes = 4 * words;
  l->o.record_bytes = 4 * 3;
  /* The strips of the last row are those of two lanes each. */
  l->o.last_bytes = first % 2 == 0 ? 4 * words : -4 * words;
  l->o.then_bytes = -l->o.last_bytes;
}

static void make_lanes(const lanes* l, int32_t words, int32_t count, int32_t stride) {
  int32_t j;
  for (j = 0; j < STRIPS - 1; j++) gather_pair(&l->pairs[j]);
  gather_one(l->last_to, words, l->last, l->last_pitch, count);
  make_outputs(&l->o, stride);
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

/* One output row, as rip_depthwise*_dsp_row. Channels that do not fill all lanes come last, gathered with those before
 * them, which are made already. */
static void make_row(const rip_depthwise_dsp* op, const rip_row_call* call) {
  const int32_t odd = op->channels % LANES, words = op->strip_words, count = columns_of(op);
  const int32_t zeros = four_zeros(op);
  int32_t groups = op->channels / LANES;
  lanes l;
  if (call->x0 >= call->x1) return;
  fill_padding(op, lines_of(call), LANES * (STRIPS - 1) + 2);
  set_lanes(&l, op, call, 0, 0, &zeros);
  for (; groups > 0; groups--, next_lanes(&l)) make_lanes(&l, words, count, op->stride_w);
  if (odd > 0) {
    set_lanes(&l, op, call, op->channels - LANES, LANES - odd, &zeros);
    make_lanes(&l, words, count, op->stride_w);
  }
  clamp_row(op, call->out + call->x0 * call->out_pitch, call->out_pitch, call->x1 - call->x0);
}

/* The strips of LANES planes: strip `pair` has the rows 2 * pair and 2 * pair + 1, counted from the first row of the
 * padding. o.strips are the newest, the oldest of them first. */
typedef struct planes {
  const int8_t* in;
  const int32_t* zeros;
  int32_t row_bytes;
  int32_t loaded; /* strips so far */
  gathering pair;
  outputs o;
} planes;

static void set_plane_row(const planes* p, const rip_depthwise_dsp* op, const rip_row_call* call, int32_t y,
                          const int8_t** at, int32_t* pitch) {
  const int inside = y >= 0 && y < op->in_height;
  set_row(at, pitch, inside ? p->in + y * p->row_bytes : NULL, call, p->zeros);
}

/* Brings strip p->loaded into the place of the oldest. */
static void load_pair(planes* p, const rip_depthwise_dsp* op, const rip_row_call* call, int32_t first_lane) {
  int32_t* const oldest = p->o.strips[0];
  const int32_t y = 2 * p->loaded++ - op->pad_h;
  int32_t j;
  set_plane_row(p, op, call, y, &p->pair.upper, &p->pair.upper_pitch);
  set_plane_row(p, op, call, y + 1, &p->pair.lower, &p->pair.lower_pitch);
  p->pair.to = oldest - first_lane * op->strip_words + op->pad_w;
  gather_pair(&p->pair);
  for (j = 0; j + 1 < STRIPS; j++) p->o.strips[j] = p->o.strips[j + 1];
  p->o.strips[j] = oldest;
}

/* The planes of the channels from start + first_lane up to start + LANES. */
static void make_planes(const rip_depthwise_dsp* op, const rip_row_call* call, int32_t start, int32_t first_lane) {
  const int32_t words = op->strip_words, records = op->stride_h % 2 + 1; /* of a channel */
  const int32_t* const record = op->stream + (start + first_lane) * records * RECORD;
  const int32_t zeros = four_zeros(op);
  int32_t row, top, j;
  planes p;
  p.in = call->rows[0] + start;
  p.zeros = &zeros;
  p.row_bytes = op->in_width * call->in_pitch;
  p.loaded = 0;
  p.pair.strip_bytes = 4 * words;
  p.pair.count = columns_of(op);
  for (j = 0; j < STRIPS; j++) p.o.strips[j] = lines_of(call) + (LANES * j + first_lane) * words;
  p.o.out = call->out + start + first_lane;
  p.o.pitch = call->out_pitch;
  p.o.count = op->out_width;
  p.o.odd_rounding = op->odd_rounding;
  p.o.lanes = LANES - first_lane;
  p.o.strip_bytes = p.o.last_bytes = p.o.then_bytes = 4 * words;
  p.o.record_bytes = 4 * (3 + (records - 1) * RECORD);
  for (row = 0, top = 0; row < op->out_height; row++, top += op->stride_h) {
    if (p.loaded < top / 2) p.loaded = top / 2; /* no output needs what lies between */
    while (p.loaded < top / 2 + STRIPS) load_pair(&p, op, call, first_lane);
    p.o.record = record + top % 2 * RECORD;
    make_outputs(&p.o, op->stride_w);
    p.o.out += op->out_width * call->out_pitch;
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
