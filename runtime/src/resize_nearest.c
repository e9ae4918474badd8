/* Nearest neighbour resize. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"

RIP_HOT void rip_resize_nearest_row(const rip_resize_nearest* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_resize_nearest, op, params);
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    const int32_t column = (int32_t)rip_flash_u16(op->columns + x);
    memmove(call->out + x * call->out_pitch, call->rows[0] + column * call->in_pitch, (size_t)op->pixel_bytes);
  }
}
