/* From int16 to binary32. SPDX-License-Identifier: MIT-0 */
#include "rip/f32.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/s16.h"

RIP_HOT void rip_dequantize_s16_row(const rip_dequantize_s16* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_dequantize_s16, op, params);
  const int32_t step = call->step;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += step) {
      /* Both factors are exact, so the product is rounded once. */
      const float value = (float)(rip_load_s16(in + channel * (int32_t)sizeof(int16_t)) - op->in_zero);
      rip_store_f32(out + channel * (int32_t)sizeof(float), op->scale * value);
    }
  }
}
