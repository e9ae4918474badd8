/* Depthwise convolution of 7x7, one channel plane after another, on processors with Arm's DSP extension.
 * SPDX-License-Identifier: MIT-0 */
#define KERNEL 7
#include "small_planes.h"

RIP_HOT void rip_depthwise7_dsp_small_plane(const rip_depthwise_dsp* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_dsp, op, params);
  make_image(op, call);
}
