/* Functions of two operands of 32 bits, modulo 2^32. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/pairs.h"

static int32_t quotient(int32_t x, int32_t y) {
  if (y == 0) return 0;
  return y == -1 ? (int32_t)(0 - (uint32_t)x) : x / y; /* the least number has no opposite */
}

static int32_t floor_quotient(int32_t x, int32_t y) {
  const int32_t towards_zero = quotient(x, y);
  return y != 0 && y != -1 && x % y != 0 && (x < 0) != (y < 0) ? towards_zero - 1 : towards_zero;
}

static inline void pair(const void* params, const int8_t* a, const int8_t* b, int8_t* out) {
  const rip_pair_s32* op = (const rip_pair_s32*)params;
  const int32_t x = rip_operand_s32(a, op->operand0), y = rip_operand_s32(b, op->operand1);
  const uint32_t difference = (uint32_t)x - (uint32_t)y;
  int32_t z = 0;
  switch (op->function) {
    case RIP_ADD:
      z = (int32_t)((uint32_t)x + (uint32_t)y);
      break;
    case RIP_SUBTRACT:
      z = (int32_t)difference;
      break;
    case RIP_MULTIPLY:
      z = (int32_t)((uint32_t)x * (uint32_t)y);
      break;
    case RIP_DIVIDE:
      z = quotient(x, y);
      break;
    case RIP_FLOOR_DIVIDE:
      z = floor_quotient(x, y);
      break;
    case RIP_FLOOR_MODULO:
      z = (int32_t)((uint32_t)x - (uint32_t)floor_quotient(x, y) * (uint32_t)y);
      break;
    case RIP_MINIMUM:
      z = x < y ? x : y;
      break;
    case RIP_MAXIMUM:
      z = x > y ? x : y;
      break;
    case RIP_SQUARED_DIFFERENCE:
      z = (int32_t)(difference * difference);
      break;
    default:
      break;
  }
  rip_store_s32(out, z);
}

RIP_HOT void rip_pair_s32_row(const rip_pair_s32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_pair_s32, op, params);
  rip_each_pair(op, call, op->channels, op->operand0, op->operand1, 4, 4, pair);
}
