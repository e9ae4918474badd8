/* A row of the convolutions of rip/dsp.h: the taps of two pixels are gathered as halves, then multiplied with the
 * weights of two channels after two. SPDX-License-Identifier: MIT-0 */
#include "rip/dsp_tile.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"

static void clamp_channels(const rip_conv2d_dsp* op, int8_t* out) {
  int32_t channel;
  for (channel = 0; channel < op->out_channels; channel++) {
    if (out[channel] < op->act_min) out[channel] = (int8_t)op->act_min;
    if (out[channel] > op->act_max) out[channel] = (int8_t)op->act_max;
  }
}

/* All channels of a pixel and of the one `step` bytes on. */
static void make_pixels(const rip_conv2d_dsp* op, rip_dsp_make* make, rip_dsp_tile* tile, int8_t* out, int32_t step) {
  const int32_t odd = op->out_channels % 2;
  tile->stream = op->stream;
  tile->out = out;
  tile->out_end = out + (op->out_channels - odd);
  tile->out_step = step;
  tile->stream = make(tile);
  if (odd) {
    int8_t pairs[4];
    tile->out = pairs;
    tile->out_end = pairs + 2;
    tile->out_step = 2;
    make(tile);
    out[op->out_channels - 1] = pairs[0];
    out[op->out_channels - 1 + step] = pairs[2];
  }
  if (op->act_min > -128 || op->act_max < 127) {
    clamp_channels(op, out);
    if (step != 0) clamp_channels(op, out + step);
  }
}

RIP_HOT void rip_dsp_make_row(const rip_conv2d_dsp* params, const rip_row_call* call, rip_dsp_make* make,
                              int32_t step) {
  RIP_FLASH_STRUCT(rip_conv2d_dsp, op, params);
  const int32_t own_taps = op->kernel_h * op->kernel_w * op->in_channels;
  const int32_t taps = (own_taps + step - 1) & -step;
  int32_t* const gathered = (int32_t*)(((uintptr_t)call->scratch + 3U) & ~(uintptr_t)3U);
  rip_dsp_tile tile;
  int32_t pixels = call->x1 - call->x0;
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  tile.enter = NULL;
  tile.taps = gathered;
  tile.taps_end = gathered + taps;
  tile.odd_rounding = op->odd_rounding;
  tile.common_shift = op->common_shift;
  while (pixels > 0) {
    /* The last pixel of an odd number is made twice. */
    const int32_t other = pixels > 1 ? x + call->step : x;
    rip_dsp_gather(op, call, x, other, gathered, gathered + taps);
    make_pixels(op, make, &tile, call->out + x * call->out_pitch, (other - x) * call->out_pitch);
    x = other + call->step;
    pixels -= 2;
  }
}
