/* PRELU: values below zero are multiplied by a slope of their own. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/pairs.h"
#include "rip/requantize.h"

static inline void bend(const void* params, const int8_t* a, const int8_t* b, int8_t* out) {
  const rip_prelu_s8* op = (const rip_prelu_s8*)params;
  const int32_t x = rip_operand_s8(a, op->operand0) - op->zero0;
  const int32_t y =
      x >= 0 ? rip_requantize(x, op->multiplier, op->shift)
             : rip_requantize(x * (rip_operand_s8(b, op->operand1) - op->zero1), op->slope_multiplier, op->slope_shift);
  *out = (int8_t)rip_clamp(y + op->out_zero, INT8_MIN, INT8_MAX);
}

RIP_HOT void rip_prelu_s8_row(const rip_prelu_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_prelu_s8, op, params);
  rip_each_pair(op, call, op->channels, op->operand0, op->operand1, 1, 1, bend);
}
