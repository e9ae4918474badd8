/* Automatic gain of each channel by its noise (PCAN), then a soft limit. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/scalars.h"

/* A function of all 32 bits by parabolas between powers of two: at 0, 1 and 2 by itself, from then on three
 * coefficients for each number of bits, four apart. */
static int32_t wide_function(uint32_t x, const int16_t* table) {
  int32_t bits = 0, part;
  uint32_t y;
  if (x <= 2) return rip_flash_s16(table + x);
  while (bits < 32 && x >> bits != 0) bits++;
  table += 4 * bits - 6;
  part = (int32_t)((bits < 11 ? x << (11 - bits) : x >> (bits - 11)) & 0x3ff);
  y = (uint32_t)((rip_flash_s16(table + 2) * part) >> 5) + ((uint32_t)rip_flash_s16(table + 1) << 5);
  y = y * (uint32_t)part + 16384;
  return (int16_t)(((int32_t)y >> 15) + rip_flash_s16(table));
}

/* Squared below 2 in Q.12, less 1 above; to Q.6. */
static uint32_t limited(uint32_t x) {
  if (x < 8192) return (x * x) >> 20;
  return (x >> 6) - 64;
}

RIP_HOT void rip_signal_gain_whole(const rip_signal_gain* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_signal_gain, op, params);
  int32_t i = call->step > 0 ? 0 : op->channels - 1;
  int32_t count;
  for (count = op->channels; count > 0; count--, i += call->step) {
    const uint64_t signal = (uint32_t)rip_load_s32(call->rows[0] + 4 * i);
    const uint32_t gain = (uint32_t)wide_function((uint32_t)rip_load_s32(call->rows[1] + 4 * i), op->table);
    rip_store_s32(call->out + 4 * i, (int32_t)limited((uint32_t)((signal * gain) >> op->shift)));
  }
}
