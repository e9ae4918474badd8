/* Bilinear resize: every output scalar is a weighted mean of four input scalars. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"

#define ONE 1024 /* the weight of a whole step from one input pixel to the next */

/* sum / ONE^2 to nearest, halves away from zero. */
static inline int8_t rounded(int32_t sum) {
  const int32_t unit = (int32_t)ONE * ONE;
  return (int8_t)((sum + (sum > 0 ? unit / 2 : -unit / 2)) / unit);
}

RIP_HOT void rip_resize_bilinear_s8_row(const rip_resize_bilinear_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_resize_bilinear_s8, op, params);
  const int32_t down = rip_flash_s16(op->row_fraction + call->y);
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    const int32_t right = rip_flash_s16(op->column_fraction + x);
    const int32_t left_column = (int32_t)rip_flash_u16(op->columns + 2 * x) * call->in_pitch;
    const int32_t right_column = (int32_t)rip_flash_u16(op->columns + 2 * x + 1) * call->in_pitch;
    const int8_t *top_left = call->rows[0] + left_column, *top_right = call->rows[0] + right_column;
    const int8_t *bottom_left = call->rows[1] + left_column, *bottom_right = call->rows[1] + right_column;
    const int32_t weight_top_left = (ONE - down) * (ONE - right), weight_top_right = (ONE - down) * right;
    const int32_t weight_bottom_left = down * (ONE - right), weight_bottom_right = down * right;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = call->step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += call->step) {
      out[channel] = rounded(top_left[channel] * weight_top_left + top_right[channel] * weight_top_right +
                             bottom_left[channel] * weight_bottom_left + bottom_right[channel] * weight_bottom_right);
    }
  }
}
