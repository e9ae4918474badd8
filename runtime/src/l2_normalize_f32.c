/* Vectors of binary32 scaled to length 1. SPDX-License-Identifier: MIT-0 */
#include <math.h>

#include "rip/f32.h"
#include "rip/flash.h"
#include "rip/kernels.h"

#define BYTES ((int32_t)sizeof(float))

RIP_HOT void rip_l2_normalize_f32_row(const rip_l2_normalize_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_l2_normalize_s8, op, params);
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = call->step > 0 ? 0 : op->channels - 1;
    float squares = 0.0F, length;
    for (channels = 0; channels < op->channels; channels++) {
      const float value = rip_load_f32(in + channels * BYTES);
      squares = rip_multiply_add_f32(squares, value, value);
    }
    length = sqrtf(squares);
    if (length < 1e-6F) length = 1e-6F;
    for (channels = op->channels; channels > 0; channels--, channel += call->step) {
      rip_store_f32(out + channel * BYTES, rip_load_f32(in + channel * BYTES) / length);
    }
  }
}
