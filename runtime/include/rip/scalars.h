/* Activations of more than one byte: their addresses need no alignment. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_SCALARS_H
#define RIP_SCALARS_H

#include <stdint.h>

#include "rip/memory.h"

#if defined(__arm__) && !defined(__ARM_FEATURE_UNALIGNED) && defined(__GNUC__)

/* Where a word must be aligned, GCC calls memcpy for it, and moves bytes in line for these. */
typedef struct __attribute__((packed, may_alias)) rip_any_s16 {
  int16_t value;
} rip_any_s16;
typedef struct __attribute__((packed, may_alias)) rip_any_s32 {
  int32_t value;
} rip_any_s32;

static inline int16_t rip_load_s16(const int8_t* p) { return ((const rip_any_s16*)(const void*)p)->value; }
static inline void rip_store_s16(int8_t* p, int32_t x) { ((rip_any_s16*)(void*)p)->value = (int16_t)x; }
static inline int32_t rip_load_s32(const int8_t* p) { return ((const rip_any_s32*)(const void*)p)->value; }
static inline void rip_store_s32(int8_t* p, int32_t x) { ((rip_any_s32*)(void*)p)->value = x; }

#else

static inline int16_t rip_load_s16(const int8_t* p) {
  int16_t x;
  memcpy(&x, p, sizeof x);
  return x;
}

static inline void rip_store_s16(int8_t* p, int32_t x) {
  const int16_t y = (int16_t)x;
  memcpy(p, &y, sizeof y);
}

static inline int32_t rip_load_s32(const int8_t* p) {
  int32_t x;
  memcpy(&x, p, sizeof x);
  return x;
}

static inline void rip_store_s32(int8_t* p, int32_t x) { memcpy(p, &x, sizeof x); }

#endif

static inline float rip_load_f32(const int8_t* p) {
  const int32_t bits = rip_load_s32(p);
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline void rip_store_f32(int8_t* p, float x) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  rip_store_s32(p, bits);
}

#endif
