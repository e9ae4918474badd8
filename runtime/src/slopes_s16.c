/* A line on each side of zero, 16 bits: LEAKY_RELU and ABS. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/requantize.h"
#include "rip/scalars.h"
#include "rip/singles.h"

static inline void apply(const void* params, const int8_t* in, int8_t* out) {
  const rip_slopes_s16* op = (const rip_slopes_s16*)params;
  const int32_t value = rip_load_s16(in), x = op->absolute && value < 0 ? -value : value;
  int32_t y;
  if (x >= 0) {
    y = rip_requantize(x, op->multiplier, op->shift);
  } else {
    y = rip_requantize(x, op->below_multiplier, op->below_shift);
    if (op->below_negative) y = -y;
  }
  rip_store_s16(out, rip_clamp(y, INT16_MIN, INT16_MAX));
}

RIP_HOT void rip_slopes_s16_row(const rip_slopes_s16* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_slopes_s16, op, params);
  rip_each_single(op, call, op->channels, 2, 2, apply);
}
