/* LOGISTIC and TANH of 16 bits: straight lines between the points of one table. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/requantize.h"
#include "rip/scalars.h"
#include "rip/singles.h"

/* 2^(16 + bits) * the logistic function of a / (24 * 2^bits), a >= 0; from point 255 on it is `most`. */
static uint32_t interpolated(const uint16_t* table, uint32_t a, int32_t bits, uint32_t most) {
  const uint32_t point = a >> bits, rest = a & (((uint32_t)1 << bits) - 1);
  uint32_t low, high;
  if (point >= 255) return most << bits;
  low = rip_flash_u16(table + point);
  high = rip_flash_u16(table + point + 1);
  return (low << bits) + rest * (high - low);
}

static inline void apply(const void* params, const int8_t* in, int8_t* out) {
  const rip_sigmoid_s16* op = (const rip_sigmoid_s16*)params;
  const int32_t half = op->shift > 0 ? (int32_t)1 << (op->shift - 1) : 0;
  const int32_t x = (rip_load_s16(in) * op->multiplier + half) >> op->shift;
  const uint32_t magnitude = x < 0 ? (uint32_t)-x : (uint32_t)x;
  int32_t y;
  if (op->tanh) { /* twice the logistic function at twice the place, less one */
    y = (int32_t)interpolated(op->table, magnitude, 8, 0xFFFF) - ((int32_t)1 << 23);
    y = (x < 0 ? -y - 1 : y) + ((int32_t)1 << 7);
    rip_store_s16(out, y >> 8);
  } else {
    y = (int32_t)interpolated(op->table, magnitude, 9, 0xFFFE);
    y = (x < 0 ? ((int32_t)1 << 25) - y - 1 : y) + ((int32_t)1 << 9);
    rip_store_s16(out, y >> 10);
  }
}

RIP_HOT void rip_sigmoid_s16_row(const rip_sigmoid_s16* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_sigmoid_s16, op, params);
  rip_each_single(op, call, op->channels, 2, 2, apply);
}
