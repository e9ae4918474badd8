/* A function from a byte to binary32, by table. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"

RIP_HOT void rip_table_f32_row(const rip_table_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_table_f32, op, params);
  const int32_t step = call->step, bytes = (int32_t)sizeof(float);
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += step) {
      const float value = rip_flash_f32(op->table + (uint8_t)in[channel]);
      memcpy(out + channel * bytes, &value, sizeof value);
    }
  }
}
