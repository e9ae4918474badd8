/* A function of one byte, by table. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"

RIP_HOT void rip_table_s8_row(const rip_table_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_table_s8, op, params);
  const int8_t* table = op->table;
  const int32_t step = call->step, last = op->channels - 1;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = step > 0 ? 0 : last;
    for (channels = last + 1; channels > 0; channels--, channel += step) {
      out[channel] = rip_flash_s8(table + (uint8_t)in[channel]);
    }
  }
}
