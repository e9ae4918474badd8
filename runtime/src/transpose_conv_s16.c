/* Transposed convolution of int16. SPDX-License-Identifier: MIT-0 */
#include "wide_s16.h"

#define WIDE_OP rip_transpose_conv_s16
#include "transpose_conv_wide.h"

RIP_HOT void rip_transpose_conv_s16_row(const rip_transpose_conv_s16* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_transpose_conv_s16, op, params);
  transpose_conv_row(op, call);
}
