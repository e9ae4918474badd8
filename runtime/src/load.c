/* Bytes out of flash. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"

RIP_HOT void rip_load_row(const rip_load* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_load, op, params);
  int32_t x, i;
  for (x = call->x0; x < call->x1; x++) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    for (i = 0; i < op->pixel_bytes; i++) out[i] = rip_flash_s8(in + i);
  }
}
