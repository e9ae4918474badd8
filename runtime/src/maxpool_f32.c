/* Max pooling of binary32: one output row from kernel_h input rows. SPDX-License-Identifier: MIT-0 */
#include <float.h>

#include "rip/f32.h"
#include "rip/flash.h"
#include "rip/kernels.h"

#define POOL_OP rip_pool_f32
#define POOL_BYTES ((int32_t)sizeof(float))
#define POOL_START -FLT_MAX
typedef float pool_value;

static inline float pool_take(float value, const int8_t* in) {
  const float x = rip_load_f32(in);
  return value < x ? x : value;
}

static inline void pool_write(const rip_pool_f32* op, float value, int32_t count, int8_t* out) {
  (void)count;
  rip_store_f32(out, rip_clamp_f32(value, op->act_min, op->act_max));
}

#include "pool_wide.h"

RIP_HOT void rip_maxpool_f32_row(const rip_pool_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_pool_f32, op, params);
  pool_row(op, call);
}
