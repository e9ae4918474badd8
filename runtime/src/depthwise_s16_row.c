/* Depthwise convolution of int16: one output row from kernel_h input rows. SPDX-License-Identifier: MIT-0 */
#include "wide_s16.h"

#define WIDE_OP rip_depthwise_s16
#include "depthwise_wide_row.h"

RIP_HOT void rip_depthwise_s16_row(const rip_depthwise_s16* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_s16, op, params);
  depthwise_row(op, call);
}
