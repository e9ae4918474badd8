/* The planes of rip_depthwise_dsp. Included once a size of kernel. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_DEPTHWISE_PLANES_H
#define RIP_DEPTHWISE_PLANES_H

#include "depthwise_strips.h"

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
  p.o.strip_bytes = 4 * words;
  p.o.last_bytes = p.o.then_bytes = p.o.strip_bytes;
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

#endif
