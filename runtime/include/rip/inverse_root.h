/* 1 / sqrt(v) in the fixed point of the reference. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_INVERSE_ROOT_H
#define RIP_INVERSE_ROOT_H

#include "rip/exponential.h"

/* 1 / sqrt(v) as multiplier * 2^(shift - 31), v from 0 on and 0 as if it were 1: Newton's iteration on numbers with 3
 * integer bits. */
static inline void rip_inverse_root(int32_t v, int32_t* multiplier, int32_t* shift) {
  int32_t right = 11, half, x = (int32_t)1 << 28, i;
  *multiplier = INT32_MAX;
  *shift = 0;
  if (v <= 1) return;
  for (; v >= (int32_t)1 << 29; v /= 4) right++;
  for (; v < (int32_t)1 << 27; v *= 4) right--;
  half = rip_rounded_shift(v >> 1, 1);
  for (i = 0; i < 5; i++) {
    const int32_t cube = rip_saturated_left_shift(rip_high_product(rip_high_product(x, x), x), 6);
    x = rip_saturated_left_shift(rip_high_product(402653184, x) - rip_high_product(half, cube), 3); /* 3/2 */
  }
  x = rip_high_product(x, 1518500250); /* sqrt(2) / 2 */
  for (; right < 0; right++) x = (int32_t)((uint32_t)x << 1);
  *multiplier = x;
  *shift = -right;
}

#endif
