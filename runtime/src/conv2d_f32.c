/* 2-D convolution of binary32 with groups: one output row from kernel_h input rows. SPDX-License-Identifier: MIT-0 */
#include "wide_f32.h"

#define WIDE_OP rip_conv2d_f32
#include "conv2d_wide.h"

RIP_HOT void rip_conv2d_f32_row(const rip_conv2d_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_conv2d_f32, op, params);
  conv2d_row(op, call);
}
