/* From a 32-bit sum to an output scalar, in the reference's own two roundings. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_REQUANTIZE_H
#define RIP_REQUANTIZE_H

#include <stdint.h>

/* floor((a * b + 2^30) / 2^31): the high half of the doubled product, halves rounded up. Not for a = b = INT32_MIN.
 * (Like all of the runtime it takes >> of a negative value as floor, which holds on every compiler in use.) */
#if defined(__ARM_ARCH_6M__)
/* These processors multiply 32 bits by 32 to 32: so the product of the halves. */
static inline int32_t rip_high_product(int32_t a, int32_t b) {
  const uint32_t a_low = (uint32_t)a & 0xffffU, b_low = (uint32_t)b & 0xffffU;
  const int32_t a_high = a >> 16, b_high = b >> 16;
  const int32_t low_high = (int32_t)a_low * b_high, high_low = a_high * (int32_t)b_low;
  /* Bits 16 and up of the product's low word, and what they carry. */
  const uint32_t middle = (a_low * b_low >> 16) + ((uint32_t)low_high & 0xffffU) + ((uint32_t)high_low & 0xffffU);
  const int32_t high = a_high * b_high + (low_high >> 16) + (high_low >> 16) + (int32_t)(middle >> 16);
  return (int32_t)((uint32_t)high << 1) + (int32_t)(middle >> 15 & 1U) + (int32_t)(middle >> 14 & 1U);
}
#else
static inline int32_t rip_high_product(int32_t a, int32_t b) {
  return (int32_t)(((int64_t)a * b + ((int64_t)1 << 30)) >> 31);
}
#endif

/* x / 2^bits rounded to nearest, halves away from zero; 0 <= bits <= 31. Not for x = INT32_MIN. */
static inline int32_t rip_rounded_shift(int32_t x, int32_t bits) {
  /* The last bit is dropped by itself so that nothing can overflow. */
  if (bits == 0) return x;
  return (((x + (x >> 31)) >> (bits - 1)) + 1) >> 1;
}

/* x * multiplier * 2^(shift - 31): to the left before the product, to the right after it, rounded each time.
 * 0 <= multiplier, -31 <= shift <= 30. */
static inline int32_t rip_requantize(int32_t x, int32_t multiplier, int32_t shift) {
  if (shift >= 0) return rip_high_product((int32_t)((uint32_t)x << shift), multiplier);
  return rip_rounded_shift(rip_high_product(x, multiplier), -shift);
}

static inline int32_t rip_clamp(int32_t x, int32_t low, int32_t high) { return x < low ? low : x > high ? high : x; }

#endif
