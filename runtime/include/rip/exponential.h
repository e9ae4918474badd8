/* exp, and what follows from it, in the fixed point of the reference. Qm.n: m integer bits, n bits below the point.
 * SPDX-License-Identifier: MIT-0 */
#ifndef RIP_EXPONENTIAL_H
#define RIP_EXPONENTIAL_H

#include "rip/flash.h"
#include "rip/requantize.h"

/* x * 2^bits, held to 32 bits. */
static inline int32_t rip_saturated_left_shift(int32_t x, int32_t bits) {
  const int32_t most = (int32_t)(((uint32_t)1 << (31 - bits)) - 1);
  if (x > most) return INT32_MAX;
  if (x < -most) return INT32_MIN;
  return x * ((int32_t)1 << bits);
}

/* exp(a) in Q0.31 for a <= 0 with `integer_bits` bits above the point, at most 5: a polynomial on [-1/4, 0), then one
 * factor for each power of two in the rest. */
static inline int32_t rip_exp_of_negative(int32_t a, int32_t integer_bits) {
  static const int32_t factors[7] RIP_FLASH_ATTR = {
      /* exp(-2^(i - 2)) */
      1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  const int32_t quarter_bits = 29 - integer_bits, quarter = (int32_t)1 << quarter_bits;
  const int32_t t = (a & (quarter - 1)) - quarter;                         /* in [-1/4, 0) */
  const int32_t x = t * ((int32_t)1 << integer_bits) + ((int32_t)1 << 28); /* Q0.31, around -1/8 */
  const int32_t x2 = rip_high_product(x, x), x3 = rip_high_product(x2, x), x4 = rip_high_product(x2, x2);
  const int32_t high = rip_high_product(rip_rounded_shift(x4, 2) + x3, 715827883) + x2; /* 1/3 */
  const int32_t polynomial = x + rip_rounded_shift(high, 1);
  const uint32_t rest = (uint32_t)t - (uint32_t)a;
  int32_t result = 1895147668 + rip_high_product(1895147668, polynomial); /* exp(-1/8) */
  int32_t i;
  if (a == 0) return INT32_MAX;
  for (i = 0; i < integer_bits + 2; i++) {
    if (rest >> (quarter_bits + i) & 1) result = rip_high_product(result, rip_flash_s32(factors + i));
  }
  return result;
}

/* 2 / (1 + v) in Q2.29 for v in [0, 1] in Q0.31: Newton's iteration. */
static inline int32_t rip_newton_of_one_plus(int32_t v) {
  const int32_t half = (int32_t)(((uint32_t)v + ((uint32_t)1 << 31)) >> 1);
  int32_t x = 1515870810 + rip_high_product(half, -1010580540); /* 48/17 - 32/17 half */
  int32_t i;
  for (i = 0; i < 3; i++) {
    const int32_t error = ((int32_t)1 << 29) - rip_high_product(half, x);
    x += rip_saturated_left_shift(rip_high_product(x, error), 2);
  }
  return x;
}

/* 1 / (1 + v), both in Q0.31. */
static inline int32_t rip_reciprocal_of_one_plus(int32_t v) {
  return rip_saturated_left_shift(rip_newton_of_one_plus(v), 1);
}

/* (1 - v) / (1 + v), both in Q0.31. */
static inline int32_t rip_one_minus_over_one_plus(int32_t v) {
  return rip_saturated_left_shift(rip_newton_of_one_plus(v) - ((int32_t)1 << 29), 2);
}

#endif
