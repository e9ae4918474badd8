/* Transposed convolution of binary32. SPDX-License-Identifier: MIT-0 */
#include "wide_f32.h"

#define WIDE_OP rip_transpose_conv_f32
#include "transpose_conv_wide.h"

RIP_HOT void rip_transpose_conv_f32_row(const rip_transpose_conv_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_transpose_conv_f32, op, params);
  transpose_conv_row(op, call);
}
