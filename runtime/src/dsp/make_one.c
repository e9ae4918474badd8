/* One pixel of the convolutions of rip/dsp.h, with whatever scratch there is. SPDX-License-Identifier: MIT-0 */
#include "rip/dsp_pixel.h"
#include "rip/flash.h"
#include "rip/halves.h"
#include "rip/memory.h"

/* Makes four channels, and copies as many of them as there are. */
static void make_some(rip_dsp_make_channels* make, rip_dsp_pixel* pixel, int8_t* out, int32_t channels) {
  int8_t four[4];
  pixel->out = four;
  pixel->out_end = four + 4;
  make(pixel);
  memcpy(out, four, (size_t)channels);
}

/* Both make all channels of a pixel, whose stream lies in records of two channels. Of an even number all but four, at
 * most, are written before the taps are read for the last time. */

/* The first of an odd number of records goes alone, then two after two. */
static void make_channels(const rip_conv2d_dsp* op, rip_dsp_make_channels* make, rip_dsp_pixel* pixel, int32_t record,
                          int8_t* out) {
  int32_t left = op->out_channels;
  pixel->stream = op->stream;
  if ((left + 1) / 2 % 2 != 0) {
    const int32_t alone = left < 2 ? left : 2;
    pixel->second = pixel->stream;
    make_some(make, pixel, out, alone);
    pixel->stream += record;
    out += alone;
    left -= alone;
  }
  pixel->second = pixel->stream + record;
  if (left >= 4) {
    pixel->out = out;
    pixel->out_end = out + left / 4 * 4;
    make(pixel);
    pixel->stream += left / 4 * 2 * record;
    pixel->second = pixel->stream + record;
    out += left / 4 * 4;
    left %= 4;
  }
  if (left > 0) make_some(make, pixel, out, left);
}

/* From the last channels down. */
static void make_channels_backwards(const rip_conv2d_dsp* op, rip_dsp_make_channels* make, rip_dsp_pixel* pixel,
                                    int32_t record, int8_t* out) {
  const int32_t channels = op->out_channels;
  int32_t first;
  for (first = (channels - 1) / 4 * 4; first >= 0; first -= 4) {
    const int32_t count = channels - first < 4 ? channels - first : 4;
    pixel->stream = op->stream + first / 2 * record;
    pixel->second = count > 2 ? pixel->stream + record : pixel->stream;
    make_some(make, pixel, out + first, count);
  }
}

RIP_HOT void rip_dsp_make_one(const rip_conv2d_dsp* op, const rip_row_call* call, const rip_dsp_loops* loops,
                              const rip_dsp_room* room, int32_t x) {
  const int32_t own_taps = (op->kernel_h * op->kernel_w * op->in_channels + 3) & -4;
  const int32_t taps = (own_taps + loops->step - 1) & -loops->step, words = taps / 2;
  const int32_t record = 8 + taps / 4 * loops->words_of_four;
  const int pays = op->out_channels > RIP_DSP_FEW_CHANNELS || room->held != NULL;
  const int fits = room->count >= words;
  int8_t* const out = call->out + x * call->out_pitch;
  union {
    rip_dsp_run runs[RIP_DSP_MOST_RUNS];
    int32_t halves[RIP_DSP_STACK / 2];
  } memory;
  int32_t count = rip_dsp_find_runs(op, call, x, memory.runs);
  const int widens = pays && (fits || (words <= RIP_DSP_STACK / 2 && count <= 1));
  int32_t* const to = fits ? room->words : memory.halves;
  rip_dsp_run few[2]; /* one, and the taps that it is filled up with */
  rip_dsp_run* const runs = count <= 1 ? few : memory.runs;
  int8_t made[RIP_DSP_FEW_CHANNELS];
  rip_dsp_pixel pixel;
  pixel.halves = NULL;
  pixel.taps = taps;
  pixel.zeros = rip_halves(op->in_zero, op->in_zero);
  pixel.odd_rounding = op->odd_rounding;
  pixel.common_shift = op->common_shift;
  if (count == 1) few[0] = memory.runs[0];
  if (count == 0) {
    /* Where they are widened, in their place. */
    int8_t* const bytes = fits || widens ? (int8_t*)(to + words) - own_taps : (int8_t*)memory.halves;
    rip_dsp_copy_taps(op, call, x, bytes);
    few[0].from = bytes;
    few[0].count = own_taps;
    count = 1;
  }
  if (taps != own_taps) { /* their weights are zero */
    runs[count].from = NULL;
    runs[count++].count = taps - own_taps;
  }
  pixel.runs = runs;
  pixel.runs_end = runs + count;
  if (widens) {
    rip_dsp_widen_runs(runs, runs + count, pixel.zeros, to);
    pixel.halves = to;
  }
  if (pixel.halves != NULL) {
    make_channels(op, loops->pixel, &pixel, record, out);
  } else if (room->held != NULL) {
    make_channels(op, loops->pixel, &pixel, record, room->held);
    memcpy(out, room->held, (size_t)op->out_channels);
  } else if (call->step > 0) {
    make_channels(op, loops->pixel, &pixel, record, out);
  } else if (op->out_channels <= RIP_DSP_FEW_CHANNELS) {
    make_channels(op, loops->pixel, &pixel, record, made);
    memcpy(out, made, (size_t)op->out_channels);
  } else {
    make_channels_backwards(op, loops->pixel, &pixel, record, out);
  }
}
