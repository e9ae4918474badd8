/* Average pooling of int16: one output row from kernel_h input rows. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/s16.h"

#define POOL_OP rip_pool_s8
#define POOL_BYTES ((int32_t)sizeof(int16_t))
#define POOL_START 0
typedef int32_t pool_value;

static inline int32_t pool_take(int32_t value, const int8_t* in) { return value + rip_load_s16(in); }

static inline void pool_write(const rip_pool_s8* op, int32_t value, int32_t count, int8_t* out) {
  /* Halves away from zero. */
  const int32_t mean = value > 0 ? (value + count / 2) / count : (value - count / 2) / count;
  rip_store_s16(out, rip_clamp(mean, op->act_min, op->act_max));
}

#include "pool_wide.h"

RIP_HOT void rip_avgpool_s16_row(const rip_pool_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_pool_s8, op, params);
  pool_row(op, call);
}
