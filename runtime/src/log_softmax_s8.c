/* The logarithm of softmax over the channels of each pixel. SPDX-License-Identifier: MIT-0 */
#include "rip/exponential.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/logarithm.h"
#include "rip/requantize.h"

RIP_HOT void rip_log_softmax_s8_row(const rip_log_softmax_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_log_softmax_s8, op, params);
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel, most = INT8_MIN, sum = 0, log_sum, least;
    for (channel = 0; channel < op->channels; channel++) {
      if (in[channel] > most) most = in[channel];
    }
    for (channel = 0; channel < op->channels; channel++) {
      const int32_t difference = in[channel] - most;
      if (difference < op->diff_min) continue;
      sum += rip_rounded_shift(rip_exp_of_negative(rip_requantize(difference, op->multiplier, op->shift), 5), 12);
    }
    log_sum = rip_log_of_q12(sum);
    /* Below this difference the logarithm, in Q5.26, would not fit. */
    least = rip_requantize((int32_t)((uint32_t)log_sum + ((uint32_t)1 << 31)), op->back_multiplier, op->back_shift);
    if (least < op->diff_min - 1) least = op->diff_min - 1;
    channel = call->step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += call->step) {
      const int32_t difference = in[channel] - most;
      int32_t y = INT8_MIN;
      if (difference > least) {
        y = rip_rounded_shift(rip_requantize(difference, op->multiplier, op->shift) - log_sum, 22) + INT8_MAX;
      }
      out[channel] = (int8_t)rip_clamp(y, INT8_MIN, INT8_MAX);
    }
  }
}
