/* Padding of rows, columns and channels. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"

/* `bytes` is a whole number of scalars. */
static void fill(int8_t* out, size_t bytes, const rip_pad* op) {
  const int32_t scalar = op->scalar_bytes;
  size_t i;
  if (scalar == 1) {
    memset(out, rip_flash_s8(op->fill), bytes);
    return;
  }
  for (i = 0; i < bytes; i++) out[i] = rip_flash_s8(op->fill + i % (size_t)scalar);
}

RIP_HOT void rip_pad_row(const rip_pad* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_pad, op, params);
  const int8_t* in = call->rows[0];
  const size_t before = (size_t)op->before_bytes, pixel = (size_t)op->pixel_bytes, after = (size_t)op->after_bytes;
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    const int32_t column = x - op->pad_w;
    int8_t* out = call->out + x * call->out_pitch;
    if (in == NULL || column < 0 || column >= op->in_width) {
      fill(out, before + pixel + after, op);
      continue;
    }
    /* The pixel may lie under its own padding: it moves first. */
    memmove(out + before, in + column * call->in_pitch, pixel);
    fill(out, before, op);
    fill(out + before + pixel, after, op);
  }
}
