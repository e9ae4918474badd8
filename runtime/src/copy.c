/* The same bytes elsewhere. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"

RIP_HOT void rip_copy_row(const rip_copy* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_copy, op, params);
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    memmove(call->out + x * call->out_pitch, call->rows[0] + x * call->in_pitch, (size_t)op->pixel_bytes);
  }
}
