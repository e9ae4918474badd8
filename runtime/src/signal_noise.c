/* An estimate of each channel's noise that follows the signal slowly, and its subtraction. SPDX-License-Identifier:
 * MIT-0
 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/scalars.h"

RIP_HOT void rip_signal_noise_whole(const rip_signal_noise* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_signal_noise, op, params);
  int8_t* estimates = (int8_t*)call->state;
  int32_t i = call->step > 0 ? 0 : op->channels - 1;
  int32_t count;
  for (count = op->channels; count > 0; count--, i += call->step) {
    const uint32_t weight = (uint32_t)(i % 2 == 0 ? op->even_weight : op->odd_weight);
    const uint32_t rest = (uint32_t)(i % 2 == 0 ? op->even_rest : op->odd_rest);
    const uint32_t signal = (uint32_t)rip_load_s32(call->rows[0] + 4 * i) << op->smoothing_bits;
    const uint32_t old = (uint32_t)rip_load_s32(estimates + 4 * i);
    uint32_t estimate = (uint32_t)(((uint64_t)signal * weight + (uint64_t)old * rest) >> op->weight_bits);
    if (op->clamps != 0 && estimate > signal) estimate = signal;
    rip_store_s32(estimates + 4 * i, (int32_t)estimate);
    rip_store_s32(call->out + 4 * i, (int32_t)estimate);
  }
}

RIP_HOT void rip_signal_denoise_whole(const rip_signal_noise* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_signal_noise, op, params);
  int32_t i = call->step > 0 ? 0 : op->channels - 1;
  int32_t count;
  for (count = op->channels; count > 0; count--, i += call->step) {
    const uint32_t in = (uint32_t)rip_load_s32(call->rows[0] + 4 * i), signal = in << op->smoothing_bits;
    const uint32_t noise = (uint32_t)rip_load_s32(call->rows[1] + 4 * i);
    const uint32_t floor = (uint32_t)(((uint64_t)in * (uint32_t)op->least_part) >> op->weight_bits);
    const uint32_t left = (noise > signal ? 0 : signal - noise) >> op->smoothing_bits;
    rip_store_s32(call->out + 4 * i, (int32_t)(left > floor ? left : floor));
  }
}
