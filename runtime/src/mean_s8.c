/* Mean over height and width: one value a channel. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/requantize.h"

RIP_HOT void rip_mean_s8_whole(const rip_mean_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_mean_s8, op, params);
  int32_t channel = call->step > 0 ? 0 : op->channels - 1;
  int32_t channels, pixels;
  for (channels = op->channels; channels > 0; channels--, channel += call->step) {
    const int8_t* in = call->rows[0] + channel;
    int32_t sum = op->offset;
    for (pixels = op->pixels; pixels > 0; pixels--, in += call->in_pitch) sum += *in;
    sum = rip_requantize(sum, op->multiplier, op->shift) + op->out_zero;
    call->out[channel] = (int8_t)rip_clamp(sum, INT8_MIN, INT8_MAX);
  }
}
