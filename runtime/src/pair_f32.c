/* Functions of two operands in binary32. SPDX-License-Identifier: MIT-0 */
#include <math.h>

#include "rip/f32.h"
#include "rip/flash.h"
#include "rip/pairs.h"

static inline void pair(const void* params, const int8_t* a, const int8_t* b, int8_t* out) {
  const rip_pair_f32* op = (const rip_pair_f32*)params;
  const float x = rip_operand_f32(a, op->operand0), y = rip_operand_f32(b, op->operand1);
  float z = 0.0F;
  switch (op->function) {
    case RIP_ADD:
      z = rip_clamp_f32(x + y, op->act_min, op->act_max);
      break;
    case RIP_SUBTRACT:
      z = rip_clamp_f32(x - y, op->act_min, op->act_max);
      break;
    case RIP_MULTIPLY:
      z = rip_clamp_f32(x * y, op->act_min, op->act_max);
      break;
    case RIP_DIVIDE:
      z = rip_clamp_f32(x / y, op->act_min, op->act_max);
      break;
    case RIP_FLOOR_DIVIDE:
      z = floorf(x / y);
      break;
    case RIP_FLOOR_MODULO:
      z = fmodf(x, y);
      if (z != 0.0F && (z < 0.0F) != (y < 0.0F)) z += y;
      break;
    case RIP_MINIMUM:
      z = x < y ? x : y;
      break;
    case RIP_MAXIMUM:
      z = x > y ? x : y;
      break;
    case RIP_SQUARED_DIFFERENCE:
      z = (x - y) * (x - y);
      break;
    case RIP_PRELU:
      z = x >= 0.0F ? x : x * y;
      break;
    default:
      break;
  }
  rip_store_f32(out, z);
}

RIP_HOT void rip_pair_f32_row(const rip_pair_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_pair_f32, op, params);
  rip_each_pair(op, call, op->channels, op->operand0, op->operand1, 4, 4, pair);
}
