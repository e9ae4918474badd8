/* Bilinear resize of binary32. SPDX-License-Identifier: MIT-0 */
#include "rip/f32.h"
#include "rip/flash.h"
#include "rip/kernels.h"

#define BYTES ((int32_t)sizeof(float))

RIP_HOT void rip_resize_bilinear_f32_row(const rip_resize_bilinear_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_resize_bilinear_f32, op, params);
  const float down = rip_flash_f32(op->row_fraction + call->y), up = 1.0F - down;
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    const float right = rip_flash_f32(op->column_fraction + x), left = 1.0F - right;
    const int32_t left_column = (int32_t)rip_flash_u16(op->columns + 2 * x) * call->in_pitch;
    const int32_t right_column = (int32_t)rip_flash_u16(op->columns + 2 * x + 1) * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = call->step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += call->step) {
      const int8_t *top = call->rows[0] + channel * BYTES, *bottom = call->rows[1] + channel * BYTES;
      /* Row first, and the terms in this order: the reference rounds so. The last makes -0 a 0. */
      float sum = rip_load_f32(top + left_column) * up * left;
      sum += rip_load_f32(bottom + left_column) * down * left;
      sum += rip_load_f32(top + right_column) * up * right;
      sum += rip_load_f32(bottom + right_column) * down * right;
      rip_store_f32(out + channel * BYTES, sum + 0.0F);
    }
  }
}
