/* Sums, means, largest and smallest over any axes. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/reduction.h"
#include "rip/requantize.h"

RIP_HOT void rip_sum_s8_whole(const rip_sum_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_sum_s8, op, params);
  const rip_reduction r = RIP_REDUCTION_OF(op);
  const int32_t outputs = rip_reduction_outputs(&r), pitch = r.middle * r.second * r.inner;
  int32_t output = call->step > 0 ? 0 : outputs - 1;
  int32_t count, i, j;
  for (count = outputs; count > 0; count--, output += call->step) {
    const int8_t* in = call->rows[0] + rip_reduction_start(&r, output);
    int32_t sum = op->offset;
    for (i = 0; i < r.first; i++, in += pitch) {
      for (j = 0; j < r.second; j++) sum += in[j * r.inner];
    }
    sum = rip_requantize(sum, op->multiplier, op->shift) + op->out_zero;
    call->out[output] = (int8_t)rip_clamp(sum, INT8_MIN, INT8_MAX);
  }
}

RIP_HOT void rip_extreme_s8_whole(const rip_extreme_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_extreme_s8, op, params);
  const rip_reduction r = RIP_REDUCTION_OF(op);
  const int32_t outputs = rip_reduction_outputs(&r), pitch = r.middle * r.second * r.inner;
  int32_t output = call->step > 0 ? 0 : outputs - 1;
  int32_t count, i, j;
  for (count = outputs; count > 0; count--, output += call->step) {
    const int8_t* in = call->rows[0] + rip_reduction_start(&r, output);
    int8_t extreme = in[0];
    for (i = 0; i < r.first; i++, in += pitch) {
      for (j = 0; j < r.second; j++) {
        const int8_t x = in[j * r.inner];
        if (op->largest ? x > extreme : x < extreme) extreme = x;
      }
    }
    call->out[output] = extreme;
  }
}
