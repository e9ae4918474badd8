/* The index of the largest or smallest scalar along an axis. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"
#include "rip/reduction.h"

RIP_HOT void rip_arg_extreme_s8_whole(const rip_extreme_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_extreme_s8, op, params);
  const rip_reduction r = RIP_REDUCTION_OF(op);
  const int32_t outputs = rip_reduction_outputs(&r);
  int32_t output = call->step > 0 ? 0 : outputs - 1;
  int32_t count, i;
  for (count = outputs; count > 0; count--, output += call->step) {
    const int8_t* in = call->rows[0] + rip_reduction_start(&r, output);
    int8_t extreme = in[0];
    int32_t found = 0;
    for (i = 1; i < r.first; i++) {
      const int8_t x = in[i * r.inner];
      if (op->largest ? x > extreme : x < extreme) {
        extreme = x;
        found = i;
      }
    }
    memcpy(call->out + 4 * output, &found, sizeof found);
  }
}
