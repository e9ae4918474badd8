/* The smaller or the larger of two operands, as they are stored. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/pairs.h"

static inline void choose(const void* params, const int8_t* a, const int8_t* b, int8_t* out) {
  const rip_minmax* op = (const rip_minmax*)params;
  const int32_t left = rip_operand_s8(a, op->operand0), right = rip_operand_s8(b, op->operand1);
  *out = (int8_t)((left > right) == (op->maximum != 0) ? left : right);
}

RIP_HOT void rip_minmax_s8_row(const rip_minmax* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_minmax, op, params);
  rip_each_pair(op, call, op->channels, op->operand0, op->operand1, 1, 1, choose);
}
