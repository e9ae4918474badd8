/* 2-D convolution on processors with Arm's DSP extension, weights of a byte. SPDX-License-Identifier: MIT-0 */
#include "rip/dsp_pixel.h"
#include "rip/flash.h"

static const rip_dsp_loops loops = {rip_dsp_make_tile, rip_dsp_make_pixel, RIP_DSP_STEP, 2};

RIP_HOT void rip_conv2d_dsp_row(const rip_conv2d_dsp* op, const rip_row_call* call) {
  rip_dsp_make_row(op, call, &loops, 1);
}

RIP_HOT void rip_conv2d_dsp_own_row(const rip_conv2d_dsp* op, const rip_row_call* call) {
  rip_dsp_make_row(op, call, &loops, 1);
}

RIP_HOT void rip_conv2d_dsp_direct_row(const rip_conv2d_dsp* op, const rip_row_call* call) {
  rip_dsp_make_row(op, call, &loops, 0);
}
