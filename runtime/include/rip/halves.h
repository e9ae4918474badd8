/* Words as two halves of 16 bits: the instructions of Arm's DSP extension, and the same in portable C, so that a kernel
 * written with them gives the same bits everywhere. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_HALVES_H
#define RIP_HALVES_H

#include <stdint.h>

#if defined(__ARM_FEATURE_DSP) && defined(__thumb2__) && !defined(RIP_NO_ASM)
#define RIP_DSP_ASM 1
#else
#define RIP_DSP_ASM 0
#endif

static inline int32_t rip_low_half(int32_t x) { return (int16_t)(uint16_t)((uint32_t)x & 0xffffU); }
static inline int32_t rip_high_half(int32_t x) { return x >> 16; }

static inline int32_t rip_halves(int32_t low, int32_t high) {
  return (int32_t)(((uint32_t)low & 0xffffU) | ((uint32_t)high << 16));
}

#if RIP_DSP_ASM

/* sum + low * low + high * high, modulo 2^32 */
static inline int32_t rip_smlad(int32_t a, int32_t b, int32_t sum) {
  int32_t result;
  __asm__("smlad %0, %1, %2, %3" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
  return result;
}

/* Bytes 0 and 2 as halves. */
static inline int32_t rip_even_bytes(int32_t x) {
  int32_t result;
  __asm__("sxtb16 %0, %1" : "=r"(result) : "r"(x));
  return result;
}

/* Bytes 1 and 3 as halves. */
static inline int32_t rip_odd_bytes(int32_t x) {
  int32_t result;
  __asm__("sxtb16 %0, %1, ror #8" : "=r"(result) : "r"(x));
  return result;
}

/* The low half of a below the low half of b. */
static inline int32_t rip_join_low(int32_t a, int32_t b) {
  int32_t result;
  __asm__("pkhbt %0, %1, %2, lsl #16" : "=r"(result) : "r"(a), "r"(b));
  return result;
}

/* The high half of a below the high half of b. */
static inline int32_t rip_join_high(int32_t a, int32_t b) {
  int32_t result;
  __asm__("pkhtb %0, %1, %2, asr #16" : "=r"(result) : "r"(b), "r"(a));
  return result;
}

/* sum + floor((a * b + 2^31) / 2^32), modulo 2^32 */
static inline int32_t rip_smmlar(int32_t a, int32_t b, int32_t sum) {
  int32_t result;
  __asm__("smmlar %0, %1, %2, %3" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
  return result;
}

/* sum + floor(a * b / 2^32), modulo 2^32 */
static inline int32_t rip_smmla(int32_t a, int32_t b, int32_t sum) {
  int32_t result;
  __asm__("smmla %0, %1, %2, %3" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
  return result;
}

/* Cut to [-128, 127]. */
static inline int32_t rip_saturate_byte(int32_t x) {
  int32_t result;
  __asm__("ssat %0, #8, %1" : "=r"(result) : "r"(x) : "cc");
  return result;
}

#else

static inline int32_t rip_smlad(int32_t a, int32_t b, int32_t sum) {
  const uint32_t low = (uint32_t)(rip_low_half(a) * rip_low_half(b));
  const uint32_t high = (uint32_t)(rip_high_half(a) * rip_high_half(b));
  return (int32_t)((uint32_t)sum + low + high);
}

static inline int32_t rip_even_bytes(int32_t x) {
  const uint32_t u = (uint32_t)x;
  return rip_halves((int8_t)(uint8_t)(u & 0xffU), (int8_t)(uint8_t)((u >> 16) & 0xffU));
}

static inline int32_t rip_odd_bytes(int32_t x) {
  const uint32_t u = (uint32_t)x;
  return rip_halves((int8_t)(uint8_t)((u >> 8) & 0xffU), (int8_t)(uint8_t)(u >> 24));
}

static inline int32_t rip_join_low(int32_t a, int32_t b) { return rip_halves(a, b); }
static inline int32_t rip_join_high(int32_t a, int32_t b) {
  return (int32_t)(((uint32_t)a >> 16) | ((uint32_t)b & 0xffff0000U));
}

static inline int32_t rip_smmlar(int32_t a, int32_t b, int32_t sum) {
  const int32_t product = (int32_t)(((int64_t)a * b + ((int64_t)1 << 31)) >> 32);
  return (int32_t)((uint32_t)sum + (uint32_t)product);
}

static inline int32_t rip_smmla(int32_t a, int32_t b, int32_t sum) {
  return (int32_t)((uint32_t)sum + (uint32_t)(int32_t)(((int64_t)a * b) >> 32));
}

static inline int32_t rip_saturate_byte(int32_t x) { return x < -128 ? -128 : x > 127 ? 127 : x; }

#endif
#endif
