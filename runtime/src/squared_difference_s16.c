/* Elementwise square of a difference, 16 bits. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/pairs.h"
#include "rip/requantize.h"

static inline void square(const void* params, const int8_t* a, const int8_t* b, int8_t* out) {
  const rip_add* op = (const rip_add*)params;
  const int32_t left = rip_requantize(rip_operand_s16(a, op->operand0) - op->zero0, op->multiplier0, op->shift0);
  const int32_t right = rip_requantize(rip_operand_s16(b, op->operand1) - op->zero1, op->multiplier1, op->shift1);
  const int32_t squared = (left - right) * (left - right);
  const int32_t y = rip_requantize(squared, op->out_multiplier, op->out_shift) + op->out_zero;
  rip_store_s16(out, rip_clamp(y, op->act_min, op->act_max));
}

RIP_HOT void rip_squared_difference_s16_row(const rip_add* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_add, op, params);
  rip_each_pair(op, call, op->channels, op->operand0, op->operand1, 2, 2, square);
}
