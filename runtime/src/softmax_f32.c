/* Softmax of binary32 over the channels of each pixel. SPDX-License-Identifier: MIT-0 */
#include <float.h>

#include "rip/exp_f32.h"
#include "rip/f32.h"
#include "rip/flash.h"
#include "rip/kernels.h"

#define BYTES ((int32_t)sizeof(float))

RIP_HOT void rip_softmax_f32_row(const rip_softmax_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_softmax_f32, op, params);
  const int32_t step = call->step;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    float most = -FLT_MAX, sum = 0.0F;
    int32_t channel;
    for (channel = 0; channel < op->channels; channel++) {
      const float value = rip_load_f32(in + channel * BYTES);
      if (most < value) most = value;
    }
    /* Each exponential waits in its output's place, which the input no longer needs. */
    channel = step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += step) {
      const float difference = rip_load_f32(in + channel * BYTES) - most;
      rip_store_f32(out + channel * BYTES, rip_exp_f32(difference * op->beta));
    }
    for (channel = 0; channel < op->channels; channel++) sum += rip_load_f32(out + channel * BYTES);
    for (channel = 0; channel < op->channels; channel++) {
      rip_store_f32(out + channel * BYTES, rip_load_f32(out + channel * BYTES) / sum);
    }
  }
}
