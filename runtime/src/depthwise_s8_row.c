/* Depthwise convolution: one output row from kernel_h input rows. SPDX-License-Identifier: MIT-0 */
#include "rip/depthwise.h"

RIP_HOT void rip_depthwise_s8_row(const rip_depthwise_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_s8, op, params);
  const rip_output output = RIP_OUTPUT_OF(op);
  const int32_t step = call->step;
  rip_depthwise_taps t = rip_depthwise_taps_of(op, call->rows, call->in_pitch, 0, op->channels, 0);
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    rip_depthwise_move(&t, op, call->in_pitch, x);
    rip_depthwise_pixel(&t, &output, step, call->out + x * call->out_pitch);
  }
}
