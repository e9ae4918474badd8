/* 1x1 convolution of stride 1 whose output row may take the place of its input row: pixel after pixel, each through a
 * buffer. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"

RIP_HOT void rip_pointwise_s8_own_row(const rip_conv2d_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_conv2d_s8, op, params);
  const int8_t* held = (const int8_t*)call->scratch;
  const int8_t* row;
  rip_row_call pixel = *call;
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, i;
  pixel.rows = &row;
  pixel.out = (int8_t*)call->scratch;
  pixel.x0 = 0;
  pixel.x1 = 1;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    int8_t* out = call->out + x * call->out_pitch;
    row = call->rows[0] + x * call->in_pitch;
    rip_pointwise_s8_row(params, &pixel);
    for (i = 0; i < op->group_out; i++) out[i] = held[i];
  }
}
