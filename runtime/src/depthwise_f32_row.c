/* Depthwise convolution of binary32: one output row from kernel_h input rows. SPDX-License-Identifier: MIT-0 */
#include "wide_f32.h"

#define WIDE_OP rip_depthwise_f32
#include "depthwise_wide_row.h"

RIP_HOT void rip_depthwise_f32_row(const rip_depthwise_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_f32, op, params);
  depthwise_row(op, call);
}
