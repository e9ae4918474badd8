/* Depthwise convolution of int16: the whole image, one channel plane after another. SPDX-License-Identifier: MIT-0 */
#include "wide_s16.h"

#define WIDE_OP rip_depthwise_s16
#include "depthwise_wide_plane.h"

RIP_HOT void rip_depthwise_s16_plane(const rip_depthwise_s16* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_s16, op, params);
  depthwise_plane(op, call);
}
