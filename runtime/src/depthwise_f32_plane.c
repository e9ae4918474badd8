/* Depthwise convolution of binary32: the whole image, one channel plane after another. SPDX-License-Identifier: MIT-0
 */
#include "wide_f32.h"

#define WIDE_OP rip_depthwise_f32
#include "depthwise_wide_plane.h"

RIP_HOT void rip_depthwise_f32_plane(const rip_depthwise_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_f32, op, params);
  depthwise_plane(op, call);
}
