/* Elementwise quotient of two tensors with scales of their own. SPDX-License-Identifier: MIT-0 */
#include "rip/exponential.h"
#include "rip/flash.h"
#include "rip/pairs.h"
#include "rip/requantize.h"

/* Of a number from 1 to 2^31 - 1. */
static int32_t leading_zeros(uint32_t x) {
  int32_t zeros = 0;
  for (; (x & ((uint32_t)1 << 31)) == 0; x <<= 1) zeros++;
  return zeros;
}

/* x / y requantized: the reciprocal of y's leading bits times those of x. */
static int32_t quotient(const rip_mul* op, int32_t x, int32_t y) {
  const uint32_t magnitude = y < 0 ? (uint32_t)-y : (uint32_t)y;
  const int32_t zeros = leading_zeros(magnitude);
  const int32_t inverse = rip_reciprocal_of_one_plus((int32_t)((magnitude << zeros) - ((uint32_t)1 << 31)));
  const int32_t room = leading_zeros(x < 0 ? 2 * (uint32_t)-x - 1 : 2 * (uint32_t)x); /* |x| takes 31 bits then */
  const int32_t product = rip_high_product((int32_t)((uint32_t)x << room), y < 0 ? -inverse : inverse);
  const int32_t right = room + 31 - zeros - op->shift;
  return right > 31 ? 0 : rip_rounded_shift(rip_high_product(product, op->multiplier), right);
}

static inline void divide(const void* params, const int8_t* a, const int8_t* b, int8_t* out) {
  const rip_mul* op = (const rip_mul*)params;
  const int32_t x = rip_operand_s8(a, op->operand0) - op->zero0, y = rip_operand_s8(b, op->operand1) - op->zero1;
  int32_t z = 0;
  if (x != 0) z = y != 0 ? quotient(op, x, y) : x > 0 ? INT16_MAX : INT16_MIN;
  *out = (int8_t)rip_clamp(z + op->out_zero, op->act_min, op->act_max);
}

RIP_HOT void rip_div_s8_row(const rip_mul* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_mul, op, params);
  rip_each_pair(op, call, op->channels, op->operand0, op->operand1, 1, 1, divide);
}
