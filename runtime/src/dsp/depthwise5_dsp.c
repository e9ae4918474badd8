/* Depthwise convolution of 5x5 on processors with Arm's DSP extension. SPDX-License-Identifier: MIT-0 */
#define KERNEL 5
#include "depthwise_planes.h"
#include "depthwise_row.h"
#include "kept_strips.h"

RIP_HOT void rip_depthwise5_dsp_row(const rip_depthwise_dsp* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_dsp, op, params);
  make_row(op, call);
}

RIP_HOT void rip_depthwise5_dsp_plane(const rip_depthwise_dsp* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_dsp, op, params);
  make_image(op, call);
}

RIP_HOT void rip_depthwise5_dsp_kept_row(const rip_depthwise_dsp* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_dsp, op, params);
  make_kept_row(op, call);
}
