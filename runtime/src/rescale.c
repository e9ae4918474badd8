/* A change of scale between integers of 8, 16 and 32 bits. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/requantize.h"
#include "rip/scalars.h"

static int32_t load(const int8_t* p, int32_t bytes) {
  if (bytes == 1) return *p;
  return bytes == 2 ? rip_load_s16(p) : rip_load_s32(p);
}

static void store(int8_t* p, int32_t x, int32_t bytes) {
  if (bytes == 1) {
    *p = (int8_t)x;
  } else if (bytes == 2) {
    rip_store_s16(p, x);
  } else {
    rip_store_s32(p, x);
  }
}

RIP_HOT void rip_rescale_row(const rip_rescale* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_rescale, op, params);
  const int32_t step = call->step;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += step) {
      const int32_t value = load(in + channel * op->in_bytes, op->in_bytes) - op->in_zero;
      const int32_t y = rip_requantize(value, op->multiplier, op->shift) + op->out_zero;
      store(out + channel * op->out_bytes, rip_clamp(y, op->out_min, op->out_max), op->out_bytes);
    }
  }
}
