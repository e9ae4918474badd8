/* What the kernels of int16 activations share. Their zero point is 0. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_S16_H
#define RIP_S16_H

#include <stdint.h>

#include "rip/flash.h"
#include "rip/requantize.h"
#include "rip/scalars.h"

/* x * multiplier * 2^(shift - 31) with a multiplier of 16 bits, rounded once, halves up. |x| < 2^47, -31 <= shift <= 7.
 */
static inline int32_t rip_requantize_s64(int64_t x, int32_t multiplier, int32_t shift) {
  const int32_t narrow = multiplier < 0x7fff0000 ? (multiplier + 32768) >> 16 : 0x7fff;
  return (int32_t)((x * narrow + ((int64_t)1 << (14 - shift))) >> (15 - shift));
}

/* What turns the sum of a channel's products into its output. */
typedef struct rip_output_s16 {
  const int64_t* bias; /* by channel, in flash */
  const int32_t* multiplier;
  const int8_t* shift;
  int32_t narrow; /* 1: the sum is one of 32 bits, and wraps */
  int32_t min, max;
} rip_output_s16;

/* `op` points to a parameter struct that has these fields. */
#define RIP_OUTPUT_S16_OF(op) \
  { (op)->bias, (op)->multiplier, (op)->shift, (op)->narrow, (op)->act_min, (op)->act_max }

static inline void rip_write_s16(const rip_output_s16* o, int32_t channel, int64_t sum, int8_t* out) {
  const int64_t whole = sum + rip_flash_s64(o->bias + channel);
  const int32_t multiplier = rip_flash_s32(o->multiplier + channel), shift = rip_flash_s8(o->shift + channel);
  const int32_t y = o->narrow != 0 ? rip_requantize((int32_t)(uint32_t)(uint64_t)whole, multiplier, shift)
                                   : rip_requantize_s64(whole, multiplier, shift);
  rip_store_s16(out + channel * (int32_t)sizeof(int16_t), rip_clamp(y, o->min, o->max));
}

/* A function of int16 by linear interpolation between 513 values, 128 apart from -32768 on. */
static inline int32_t rip_lookup_s16(const int16_t* table, int32_t x) {
  const int16_t* base = table + 256 + (x >> 7);
  const int32_t from = rip_flash_s16(base);
  return from + (((rip_flash_s16(base + 1) - from) * (x & 127) + 64) >> 7);
}

#endif
