/* Sums and means of int16 over any axes. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/reduction.h"
#include "rip/s16.h"

#define BYTES ((int32_t)sizeof(int16_t))

RIP_HOT void rip_sum_s16_whole(const rip_sum_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_sum_s8, op, params);
  const rip_reduction r = RIP_REDUCTION_OF(op);
  const int32_t outputs = rip_reduction_outputs(&r), pitch = r.middle * r.second * r.inner;
  int32_t output = call->step > 0 ? 0 : outputs - 1;
  int32_t count, i, j;
  for (count = outputs; count > 0; count--, output += call->step) {
    const int8_t* in = call->rows[0] + rip_reduction_start(&r, output) * BYTES;
    int32_t sum = op->offset;
    for (i = 0; i < r.first; i++, in += pitch * BYTES) {
      for (j = 0; j < r.second; j++) sum += rip_load_s16(in + j * r.inner * BYTES);
    }
    sum = rip_requantize(sum, op->multiplier, op->shift) + op->out_zero;
    rip_store_s16(call->out + output * BYTES, rip_clamp(sum, INT16_MIN, INT16_MAX));
  }
}
