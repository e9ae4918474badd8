/* Natural logarithm in fixed point. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/scalars.h"

/* log2 of x > 0 in Q.16: the leading bit, and the fraction f below it plus log2(1 + f) - f by table. */
static uint32_t log2_of(uint32_t x, const uint16_t* table) {
  int32_t bit = 31, fraction, from, to;
  const uint16_t* segment;
  while (x >> bit == 0) bit--;
  fraction = (int32_t)(x - ((uint32_t)1 << bit));
  fraction = bit < 16 ? fraction * ((int32_t)1 << (16 - bit)) : fraction >> (bit - 16);
  segment = table + (fraction >> 9);
  from = rip_flash_u16(segment);
  to = rip_flash_u16(segment + 1);
  return ((uint32_t)bit << 16) + (uint32_t)(fraction + from + (((to - from) * (fraction & 511)) >> 16));
}

RIP_HOT void rip_signal_log_whole(const rip_signal_log* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_signal_log, op, params);
  int32_t i = call->step > 0 ? 0 : op->channels - 1;
  int32_t count;
  for (count = op->channels; count > 0; count--, i += call->step) {
    const uint32_t x = (uint32_t)rip_load_s32(call->rows[0] + 4 * i) << op->shift;
    uint32_t y = 0;
    if (x > 1) {
      y = (uint32_t)(((uint64_t)45426 * log2_of(x, op->table) + 32768) >> 16); /* ln 2 */
      y = ((uint32_t)op->scale * y + 32768) >> 16;
    }
    rip_store_s16(call->out + 2 * i, (int32_t)(y < INT16_MAX ? y : INT16_MAX));
  }
}
