/* Sums, means, largest and smallest of binary32 over any axes. SPDX-License-Identifier: MIT-0 */
#include <float.h>

#include "rip/f32.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/reduction.h"

#define BYTES ((int32_t)sizeof(float))

RIP_HOT void rip_sum_f32_whole(const rip_sum_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_sum_f32, op, params);
  const rip_reduction r = RIP_REDUCTION_OF(op);
  const int32_t outputs = rip_reduction_outputs(&r), pitch = r.middle * r.second * r.inner;
  int32_t output = call->step > 0 ? 0 : outputs - 1;
  int32_t count, i, j;
  for (count = outputs; count > 0; count--, output += call->step) {
    const int8_t* in = call->rows[0] + rip_reduction_start(&r, output) * BYTES;
    float sum = 0.0F;
    for (i = 0; i < r.first; i++, in += pitch * BYTES) {
      for (j = 0; j < r.second; j++) sum += rip_load_f32(in + j * r.inner * BYTES);
    }
    rip_store_f32(call->out + output * BYTES, op->divides != 0 ? sum / (float)(r.first * r.second) : sum);
  }
}

/* NaN is neither larger nor smaller than any. */
RIP_HOT void rip_extreme_f32_whole(const rip_extreme_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_extreme_s8, op, params);
  const rip_reduction r = RIP_REDUCTION_OF(op);
  const int32_t outputs = rip_reduction_outputs(&r), pitch = r.middle * r.second * r.inner;
  int32_t output = call->step > 0 ? 0 : outputs - 1;
  int32_t count, i, j;
  for (count = outputs; count > 0; count--, output += call->step) {
    const int8_t* in = call->rows[0] + rip_reduction_start(&r, output) * BYTES;
    float extreme = op->largest ? -FLT_MAX : FLT_MAX;
    for (i = 0; i < r.first; i++, in += pitch * BYTES) {
      for (j = 0; j < r.second; j++) {
        const float x = rip_load_f32(in + j * r.inner * BYTES);
        if (op->largest ? x > extreme : x < extreme) extreme = x;
      }
    }
    rip_store_f32(call->out + output * BYTES, extreme);
  }
}

/* A number comes before NaN. */
RIP_HOT void rip_arg_extreme_f32_whole(const rip_extreme_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_extreme_s8, op, params);
  const rip_reduction r = RIP_REDUCTION_OF(op);
  const int32_t outputs = rip_reduction_outputs(&r);
  int32_t output = call->step > 0 ? 0 : outputs - 1;
  int32_t count, i;
  for (count = outputs; count > 0; count--, output += call->step) {
    const int8_t* in = call->rows[0] + rip_reduction_start(&r, output) * BYTES;
    float extreme = rip_load_f32(in);
    int32_t found = 0;
    for (i = 1; i < r.first; i++) {
      const float x = rip_load_f32(in + i * r.inner * BYTES);
      const int is_number = x <= FLT_MAX || x > FLT_MAX, found_number = extreme <= FLT_MAX || extreme > FLT_MAX;
      if (is_number && (!found_number || (op->largest ? x > extreme : x < extreme))) {
        extreme = x;
        found = i;
      }
    }
    rip_store_s32(call->out + 4 * output, found);
  }
}
