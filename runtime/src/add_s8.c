/* Elementwise sum of two tensors with scales of their own. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/requantize.h"

#define LEFT_SHIFT 20 /* head room in which the inputs are brought to one scale */

static int32_t scaled(int32_t x, int32_t zero, int32_t multiplier, int32_t shift) {
  return rip_requantize((x - zero) * ((int32_t)1 << LEFT_SHIFT), multiplier, shift);
}

RIP_HOT void rip_add_s8_row(const rip_add_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_add_s8, op, params);
  const int32_t step = call->step;
  const int32_t pixel0 = op->extent0 == RIP_WHOLE ? call->in_pitch : 0, channel0 = op->extent0 != RIP_ONE_SCALAR;
  const int32_t pixel1 = op->extent1 == RIP_WHOLE ? call->in_pitch : 0, channel1 = op->extent1 != RIP_ONE_SCALAR;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const int8_t* in0 = call->rows[0] + x * pixel0;
    const int8_t* in1 = call->rows[1] + x * pixel1;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += step) {
      const int32_t a = scaled(in0[channel * channel0], op->zero0, op->multiplier0, op->shift0);
      const int32_t b = scaled(in1[channel * channel1], op->zero1, op->multiplier1, op->shift1);
      const int32_t y = rip_requantize(a + b, op->out_multiplier, op->out_shift) + op->out_zero;
      out[channel] = (int8_t)rip_clamp(y, op->act_min, op->act_max);
    }
  }
}
