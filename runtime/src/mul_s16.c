/* Elementwise product of two tensors of 16 bits. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/pairs.h"
#include "rip/requantize.h"

static inline void multiply(const void* params, const int8_t* a, const int8_t* b, int8_t* out) {
  const rip_mul* op = (const rip_mul*)params;
  const int32_t left = rip_operand_s16(a, op->operand0) - op->zero0;
  const int32_t right = rip_operand_s16(b, op->operand1) - op->zero1;
  const int32_t y = rip_requantize(left * right, op->multiplier, op->shift) + op->out_zero;
  rip_store_s16(out, rip_clamp(y, op->act_min, op->act_max));
}

RIP_HOT void rip_mul_s16_row(const rip_mul* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_mul, op, params);
  rip_each_pair(op, call, op->channels, op->operand0, op->operand1, 2, 2, multiply);
}
