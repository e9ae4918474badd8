/* From a 32-bit sum to an output scalar, in the reference's own two roundings. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_REQUANTIZE_H
#define RIP_REQUANTIZE_H

#include <stdint.h>

/* floor((a * b + 2^30) / 2^31): the high half of the doubled product, halves rounded up. Not for a = b = INT32_MIN.
 * (Like all of the runtime it takes >> of a negative value as floor, which holds on every compiler in use.) */
#if defined(__AVR_HAVE_MUL__) && !defined(RIP_NO_ASM)
/* A product of bytes, added to 24 bits. */
#define RIP_BYTES(a, b, low, middle, high) \
  "mul %" a ", %" b "\n add %" low ", r0\n adc %" middle ", r1\n adc %" high ", %[zero]\n"

/* From the lowest byte of the product to the highest; then as if neither had a sign, and what that is too much. */
__attribute__((noinline, unused)) static int32_t rip_high_product(int32_t a, int32_t b) {
  int32_t low = 0, high = 0;
  __asm__(
      "mul %A[a], %A[b]\n mov %B[low], r1\n" RIP_BYTES("A[a]", "B[b]", "B[low]", "C[low]", "D[low]")
      RIP_BYTES("B[a]", "A[b]", "B[low]", "C[low]", "D[low]") RIP_BYTES("A[a]", "C[b]", "C[low]", "D[low]", "A[high]")
      RIP_BYTES("B[a]", "B[b]", "C[low]", "D[low]", "A[high]") RIP_BYTES("C[a]", "A[b]", "C[low]", "D[low]", "A[high]")
      RIP_BYTES("A[a]", "D[b]", "D[low]", "A[high]", "B[high]") RIP_BYTES("B[a]", "C[b]", "D[low]", "A[high]", "B[high]")
      RIP_BYTES("C[a]", "B[b]", "D[low]", "A[high]", "B[high]") RIP_BYTES("D[a]", "A[b]", "D[low]", "A[high]", "B[high]")
      RIP_BYTES("B[a]", "D[b]", "A[high]", "B[high]", "C[high]") RIP_BYTES("C[a]", "C[b]", "A[high]", "B[high]", "C[high]")
      RIP_BYTES("D[a]", "B[b]", "A[high]", "B[high]", "C[high]") RIP_BYTES("C[a]", "D[b]", "B[high]", "C[high]", "D[high]")
      RIP_BYTES("D[a]", "C[b]", "B[high]", "C[high]", "D[high]")
      "mul %D[a], %D[b]\n add %C[high], r0\n adc %D[high], r1\n"
      "sbrs %D[a], 7\n rjmp 1f\n sub %A[high], %A[b]\n sbc %B[high], %B[b]\n sbc %C[high], %C[b]\n sbc %D[high], %D[b]\n"
      "1: sbrs %D[b], 7\n rjmp 2f\n sub %A[high], %A[a]\n sbc %B[high], %B[a]\n sbc %C[high], %C[a]\n sbc %D[high], %D[a]\n"
      "2: lsl %D[low]\n rol %A[high]\n rol %B[high]\n rol %C[high]\n rol %D[high]\n"
      "lsl %D[low]\n adc %A[high], %[zero]\n adc %B[high], %[zero]\n adc %C[high], %[zero]\n adc %D[high], %[zero]\n"
      "clr __zero_reg__\n"
      : [low] "+&r"(low), [high] "+&r"(high)
      : [a] "r"(a), [b] "r"(b), [zero] "r"((uint8_t)0)
      : "r0");
  return high;
}
#elif defined(__ARM_ARCH_6M__)
/* These processors multiply 32 bits by 32 to 32: so the product of the halves. */
static inline int32_t rip_high_product(int32_t a, int32_t b) {
  const uint32_t a_low = (uint16_t)a, b_low = (uint16_t)b;
  const int32_t a_high = (int16_t)(a >> 16), b_high = (int16_t)(b >> 16);
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
#if defined(__AVR__)
  x += x >> 31; /* whole bytes cost nothing, a bit some cycles */
  if (bits > 8) {
    x >>= 8;
    bits -= 8;
  }
  return ((x >> (uint8_t)(bits - 1)) + 1) >> 1;
#endif
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
