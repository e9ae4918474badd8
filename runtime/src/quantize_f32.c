/* From binary32 to int8 or uint8. SPDX-License-Identifier: MIT-0 */
#include <string.h>

#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/requantize.h"

#define LARGE 512 /* no output type reaches so far from its zero point */

/* To the nearest integer, halves away from zero; -LARGE or LARGE if that is nearer to zero, and -LARGE for NaN. */
static int32_t rounded(float x) {
  int32_t whole;
  float rest;
  if (!(x > -(float)LARGE)) return -LARGE;
  if (x >= (float)LARGE) return LARGE;
  whole = (int32_t)x;
  rest = x - (float)whole;
  if (rest >= 0.5F) return whole + 1;
  if (rest <= -0.5F) return whole - 1;
  return whole;
}

RIP_HOT void rip_quantize_f32_row(const rip_quantize_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_quantize_f32, op, params);
  const int32_t step = call->step, bytes = (int32_t)sizeof(float);
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += step) {
      float value;
      memcpy(&value, in + channel * bytes, sizeof value);
      /* The bits of a uint8 output are those of an int8 of the same value modulo 256. */
      out[channel] = (int8_t)(uint8_t)rip_clamp(rounded(value / op->scale) + op->out_zero, op->out_min, op->out_max);
    }
  }
}
