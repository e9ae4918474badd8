/* Depthwise convolution of 3x3 on processors whose only product is 32 bits of 32 by 32. SPDX-License-Identifier: MIT-0
 */
#define KERNEL 3
#include "stretches_m0.h"

RIP_HOT void rip_depthwise3_m0_row(const rip_depthwise_m0* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_m0, op, params);
  make_row(op, call);
}

RIP_HOT void rip_depthwise3_m0_plane(const rip_depthwise_m0* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_m0, op, params);
  make_image(op, call, lines_of(call));
}

RIP_HOT void rip_depthwise3_m0_small_plane(const rip_depthwise_m0* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_m0, op, params);
  int32_t stack[RIP_M0_STACK];
  make_image(op, call, stack);
}
