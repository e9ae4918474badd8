/* 2-D convolution on processors with Arm's DSP extension, weights of 16 bits. SPDX-License-Identifier: MIT-0 */
#include "rip/dsp_tile.h"
#include "rip/flash.h"

RIP_HOT void rip_conv2d_dsp_wide_row(const rip_conv2d_dsp* op, const rip_row_call* call) {
  rip_dsp_make_row(op, call, rip_dsp_make_wide_tile, RIP_DSP_WIDE_STEP);
}
