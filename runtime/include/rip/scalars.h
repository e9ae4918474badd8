/* Activations of more than one byte: their addresses need no alignment. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_SCALARS_H
#define RIP_SCALARS_H

#include <stdint.h>

#include "rip/memory.h"
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

static inline float rip_load_f32(const int8_t* p) {
  float x;
  memcpy(&x, p, sizeof x);
  return x;
}

static inline void rip_store_f32(int8_t* p, float x) { memcpy(p, &x, sizeof x); }

#endif
