/* Mean of int16 over height and width: one value a channel. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/s16.h"

RIP_HOT void rip_mean_s16_whole(const rip_mean_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_mean_s8, op, params);
  const int32_t bytes = (int32_t)sizeof(int16_t);
  int32_t channel = call->step > 0 ? 0 : op->channels - 1;
  int32_t channels, pixels;
  for (channels = op->channels; channels > 0; channels--, channel += call->step) {
    const int8_t* in = call->rows[0] + channel * bytes;
    int32_t sum = op->offset;
    for (pixels = op->pixels; pixels > 0; pixels--, in += call->in_pitch) sum += rip_load_s16(in);
    sum = rip_requantize(sum, op->multiplier, op->shift) + op->out_zero;
    rip_store_s16(call->out + channel * bytes, rip_clamp(sum, INT16_MIN, INT16_MAX));
  }
}
