/* The logarithm of softmax of binary32. The logarithm is the C library's. SPDX-License-Identifier: MIT-0 */
#include <float.h>
#include <math.h>

#include "rip/exp_f32.h"
#include "rip/f32.h"
#include "rip/flash.h"
#include "rip/kernels.h"

#define BYTES ((int32_t)sizeof(float))

RIP_HOT void rip_log_softmax_f32_row(const rip_softmax_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_softmax_f32, op, params);
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    float most = -FLT_MAX, sum = 0.0F, log_sum;
    int32_t channel;
    for (channel = 0; channel < op->channels; channel++) {
      const float value = rip_load_f32(in + channel * BYTES);
      if (most < value) most = value;
    }
    for (channel = 0; channel < op->channels; channel++) {
      sum += rip_exp_f32(rip_load_f32(in + channel * BYTES) - most);
    }
    log_sum = logf(sum);
    channel = call->step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += call->step) {
      rip_store_f32(out + channel * BYTES, rip_load_f32(in + channel * BYTES) - most - log_sum);
    }
  }
}
