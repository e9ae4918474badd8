/* 1x1 convolution without groups or padding: a matrix product over the pixels of a row. SPDX-License-Identifier: MIT-0
 */
#include "rip/block.h"
#include "rip/flash.h"
#include "rip/kernels.h"

RIP_HOT void rip_pointwise_s8_row(const rip_conv2d_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_conv2d_s8, op, params);
  const rip_output output = RIP_OUTPUT_OF(op);
  const rip_blocks blocks = rip_blocks_of(0, op->group_out, call->step);
  const int32_t length = op->group_in, stride = op->stride_w * call->in_pitch;
  const int8_t* weights = op->weights;
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, i;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    const int8_t* in = call->rows[0] + x * stride;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = blocks.odd_channel;
    int32_t sums[RIP_BLOCK] = {0, 0, 0, 0};
    for (i = 0; i < blocks.odd; i++) rip_add_run(sums + i, in, weights + (channel + i) * length, 0, length, 1);
    for (i = 0; i < blocks.odd; i++) out[channel + i] = rip_output_s8(&output, channel + i, sums[i]);
    channel = blocks.channel;
    for (i = blocks.count; i > 0; i--, channel += blocks.advance) {
      sums[0] = sums[1] = sums[2] = sums[3] = 0;
      rip_add_run(sums, in, weights + channel * length, (ptrdiff_t)length, length, 0);
      rip_write_block(&output, channel, sums, out);
    }
  }
}
