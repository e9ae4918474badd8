/* Depthwise convolution whose output row may take the place of one of its input rows: pixel after pixel, each written
 * when a few more have been read. SPDX-License-Identifier: MIT-0 */
#include <string.h>

#include "rip/contract.h"
#include "rip/depthwise.h"

/* Makes `channels` channels of the row from `first` on. */
static void make_channels(const rip_depthwise_s8* op, const rip_row_call* call, int32_t first, int32_t channels) {
  const rip_output output = rip_output_from(op, first);
  const int32_t pixels = call->x1 - call->x0, step = call->step;
  rip_depthwise_taps t = rip_depthwise_taps_of(op, call->rows, call->in_pitch, first, channels, first);
  int8_t ring[RIP_LATE_PIXELS + 1][RIP_LATE_CHANNELS];
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t n, slot = 0;
  for (n = 0; n < pixels + RIP_LATE_PIXELS; n++, x += step) {
    if (n < pixels) {
      rip_depthwise_move(&t, op, call->in_pitch, x);
      rip_depthwise_pixel(&t, &output, 1, ring[slot]);
    }
    slot = slot < RIP_LATE_PIXELS ? slot + 1 : 0;
    if (n >= RIP_LATE_PIXELS) {
      int8_t* out = call->out + (x - RIP_LATE_PIXELS * step) * call->out_pitch + first;
      memcpy(out, ring[slot], (size_t)channels);
    }
  }
}

RIP_HOT void rip_depthwise_s8_late_row(const rip_depthwise_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_s8, op, params);
  int32_t first;
  for (first = 0; first < op->channels; first += RIP_LATE_CHANNELS) {
    const int32_t left = op->channels - first;
    make_channels(op, call, first, left < RIP_LATE_CHANNELS ? left : RIP_LATE_CHANNELS);
  }
}
