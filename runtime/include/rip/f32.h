/* What the kernels of binary32 share. They round after every product and every sum, as the reference does: a fused
 * multiply-add gives other bits, so compilers are told not to make any. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_F32_H
#define RIP_F32_H

#include <stdint.h>

#include "rip/scalars.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

static inline float rip_multiply_add_f32(float sum, float x, float w) {
  const float product = x * w;
  return sum + product;
}

/* NaN is neither below nor above, and stays. */
static inline float rip_clamp_f32(float x, float low, float high) {
  const float y = x < low ? low : x;
  return high < y ? high : y;
}

#define RIP_ROUND_LIMIT 131072 /* no type of 16 bits reaches so far from its zero point */

/* The nearest integer, halves away from zero; at most RIP_ROUND_LIMIT either way, and the lower end for NaN. */
static inline int32_t rip_round_f32(float x) {
  int32_t whole;
  float rest;
  if (!(x > -(float)RIP_ROUND_LIMIT)) return -RIP_ROUND_LIMIT;
  if (x >= (float)RIP_ROUND_LIMIT) return RIP_ROUND_LIMIT;
  whole = (int32_t)x;
  rest = x - (float)whole;
  if (rest >= 0.5F) return whole + 1;
  if (rest <= -0.5F) return whole - 1;
  return whole;
}

#endif
