/* From a 32-bit sum to an output scalar, in the reference's own two roundings. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_REQUANTIZE_H
#define RIP_REQUANTIZE_H

#include <stdint.h>

/* floor((a * b + 2^30) / 2^31): the high half of the doubled product, halves rounded up. Not for a = b = INT32_MIN.
 * (Like all of the runtime it takes >> of a negative value as floor, which holds on every compiler in use.) */
static inline int32_t rip_high_product(int32_t a, int32_t b) {
  return (int32_t)(((int64_t)a * b + ((int64_t)1 << 30)) >> 31);
}

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
