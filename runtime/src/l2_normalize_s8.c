/* Vectors scaled to length 1, in the reference's fixed point. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/inverse_root.h"
#include "rip/kernels.h"
#include "rip/requantize.h"

RIP_HOT void rip_l2_normalize_s8_row(const rip_l2_normalize_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_l2_normalize_s8, op, params);
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = call->step > 0 ? 0 : op->channels - 1;
    int32_t squares = 0, multiplier, shift;
    for (channels = 0; channels < op->channels; channels++) {
      const int32_t value = in[channels] - op->in_zero;
      squares += value * value;
    }
    rip_inverse_root(squares, &multiplier, &shift);
    shift += 7;
    for (channels = op->channels; channels > 0; channels--, channel += call->step) {
      const int32_t y = rip_requantize(in[channel] - op->in_zero, multiplier, shift);
      out[channel] = (int8_t)rip_clamp(y, INT8_MIN, INT8_MAX);
    }
  }
}
