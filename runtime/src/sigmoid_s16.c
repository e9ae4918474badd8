/* LOGISTIC and TANH of 16 bits: straight lines between the points of one table. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/logistic.h"
#include "rip/requantize.h"
#include "rip/scalars.h"
#include "rip/singles.h"

static inline void apply(const void* params, const int8_t* in, int8_t* out) {
  const rip_sigmoid_s16* op = (const rip_sigmoid_s16*)params;
  const int32_t half = op->shift > 0 ? (int32_t)1 << (op->shift - 1) : 0;
  const int32_t x = (rip_load_s16(in) * op->multiplier + half) >> op->shift;
  rip_store_s16(out, op->tanh ? rip_tanh(op->table, x) : rip_logistic(op->table, x));
}

RIP_HOT void rip_sigmoid_s16_row(const rip_sigmoid_s16* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_sigmoid_s16, op, params);
  rip_each_single(op, call, op->channels, 2, 2, apply);
}
