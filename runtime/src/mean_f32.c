/* Mean of binary32 over height and width: one value a channel. SPDX-License-Identifier: MIT-0 */
#include "rip/f32.h"
#include "rip/flash.h"
#include "rip/kernels.h"

RIP_HOT void rip_mean_f32_whole(const rip_mean_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_mean_f32, op, params);
  const int32_t bytes = (int32_t)sizeof(float);
  int32_t channel = call->step > 0 ? 0 : op->channels - 1;
  int32_t channels, pixels;
  for (channels = op->channels; channels > 0; channels--, channel += call->step) {
    const int8_t* in = call->rows[0] + channel * bytes;
    float sum = 0.0F;
    for (pixels = op->pixels; pixels > 0; pixels--, in += call->in_pitch) sum += rip_load_f32(in);
    rip_store_f32(call->out + channel * bytes, sum / (float)op->pixels);
  }
}
