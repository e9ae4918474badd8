/* Padding of rows, columns and channels. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>
#include <string.h>

#include "rip/flash.h"
#include "rip/kernels.h"

RIP_HOT void rip_pad_row(const rip_pad* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_pad, op, params);
  const int8_t* in = call->rows[0];
  const size_t before = (size_t)op->before_bytes, pixel = (size_t)op->pixel_bytes, after = (size_t)op->after_bytes;
  const int fill = (int)op->fill;
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    const int32_t column = x - op->pad_w;
    int8_t* out = call->out + x * call->out_pitch;
    if (in == NULL || column < 0 || column >= op->in_width) {
      memset(out, fill, before + pixel + after);
      continue;
    }
    /* The pixel may lie under its own padding: it moves first. */
    memmove(out + before, in + column * call->in_pitch, pixel);
    memset(out, fill, before);
    memset(out + before + pixel, fill, after);
  }
}
