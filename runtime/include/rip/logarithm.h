/* The logarithm in the fixed point of the reference. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_LOGARITHM_H
#define RIP_LOGARITHM_H

#include "rip/exponential.h"
#include "rip/requantize.h"

static inline int32_t rip_leading_zeros(int32_t x) {
  int32_t zeros = 0;
  uint32_t bits = (uint32_t)x;
  for (; (bits & ((uint32_t)1 << 31)) == 0; bits <<= 1) zeros++;
  return zeros;
}

/* log(x) in Q5.26 for x >= 1 in Q12.19: x = 2^n * r with r around the fourth root of 1/2, from either of two n, and a
 * quotient of polynomials of r. Constants are in Q0.31. */
static inline int32_t rip_log_of_q12(int32_t x) {
  const int32_t half_root = 1518500250 /* 2^(-1/2) */, center = 1805811301 /* 2^(-1/4) */;
  const int32_t accumulated_bits = 6, quarter = (int32_t)1 << 23; /* Q6.25 */
  const int32_t zeros = rip_leading_zeros(x);
  const int32_t low = rip_high_product(x, half_root), low_zeros = rip_leading_zeros(low) - 1;
  const int32_t r_high =
      rip_saturated_left_shift(rip_high_product(rip_saturated_left_shift(x, zeros - 1), half_root), 1);
  const int32_t r_low = rip_saturated_left_shift(x, low_zeros);
  const int32_t r = r_high < r_low ? r_high : r_low;
  const int32_t power_high = (12 - zeros) * ((int32_t)1 << 25) + quarter;
  const int32_t power_low = (12 - low_zeros) * ((int32_t)1 << 25) - quarter;
  const int32_t power = power_high > power_low ? power_high : power_low;
  const int32_t mean = (int32_t)(((uint32_t)r + (uint32_t)center + 1) >> 1);
  const int32_t q = 2 * (r - center), square = rip_high_product(q, q);
  const int32_t numerator = rip_high_product(q, r) + rip_high_product(rip_high_product(q, square), 117049297);
  const int32_t denominator =
      rip_high_product(mean, 1057819769 + q + rip_high_product(127690142, square)) + rip_high_product(638450708, q);
  const int32_t fraction =
      rip_high_product(rip_rounded_shift(numerator, accumulated_bits), rip_reciprocal_of_one_plus(denominator));
  return rip_saturated_left_shift(rip_high_product(power, 1488522236 /* log 2 */) + fraction, 1);
}

#endif
