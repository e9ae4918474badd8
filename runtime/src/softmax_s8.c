/* Softmax over the channels of each pixel, in fixed point. SPDX-License-Identifier: MIT-0 */
#include "rip/exponential.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/requantize.h"
#include "rip/s16.h"

static int32_t leading_zeros(uint32_t x) {
  int32_t zeros = 0;
  for (; (x & ((uint32_t)1 << 31)) == 0; x <<= 1) zeros++;
  return zeros;
}

/* Outputs of 1 or 2 bytes. */
static void softmax(const rip_softmax_s8* op, const rip_row_call* call, int32_t out_bytes) {
  const int32_t out_min = out_bytes == 1 ? INT8_MIN : INT16_MIN, out_max = out_bytes == 1 ? INT8_MAX : INT16_MAX;
  const int32_t step = call->step;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel, most = INT8_MIN, zeros, inverse, exponent;
    uint32_t sum = 0;
    for (channel = 0; channel < op->channels; channel++) {
      if (in[channel] > most) most = in[channel];
    }
    for (channel = 0; channel < op->channels; channel++) {
      const int32_t difference = in[channel] - most;
      if (difference < op->diff_min) continue;
      sum += (uint32_t)rip_rounded_shift(rip_exp_of_negative(rip_requantize(difference, op->multiplier, op->shift), 5),
                                         12);
    }
    zeros = leading_zeros(sum);
    exponent = 43 - 8 * out_bytes - zeros;
    inverse = rip_reciprocal_of_one_plus((int32_t)((sum << zeros) - ((uint32_t)1 << 31)));
    /* The inputs are read a last time, each just before its place may be written. */
    channel = step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += step) {
      const int32_t difference = in[channel] - most;
      int32_t y = out_min;
      /* Among so many alike that the exponent is larger, each is less than half a step. */
      if (difference >= op->diff_min && exponent <= 31) {
        const int32_t e = rip_exp_of_negative(rip_requantize(difference, op->multiplier, op->shift), 5);
        y += rip_rounded_shift(rip_high_product(inverse, e), exponent);
      }
      y = rip_clamp(y, out_min, out_max);
      if (out_bytes == 1) {
        out[channel] = (int8_t)y;
      } else {
        rip_store_s16(out + channel * out_bytes, y);
      }
    }
  }
}

RIP_HOT void rip_softmax_s8_row(const rip_softmax_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_softmax_s8, op, params);
  softmax(op, call, 1);
}

RIP_HOT void rip_softmax_s8_s16_row(const rip_softmax_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_softmax_s8, op, params);
  softmax(op, call, 2);
}
