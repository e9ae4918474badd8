/* Vectors scaled to length 1, in the reference's fixed point. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/requantize.h"

static inline int32_t saturating_left(int32_t x, int32_t bits) {
  const int32_t most = (int32_t)(((uint32_t)1 << (31 - bits)) - 1);
  if (x > most) return INT32_MAX;
  if (x < -most) return INT32_MIN;
  return (int32_t)((uint32_t)x << bits);
}

/* 1 / sqrt(v) as multiplier * 2^(shift - 31): Newton's iteration on numbers with 3 integer bits. */
static void inverse_root(int32_t v, int32_t* multiplier, int32_t* shift) {
  int32_t right = 11, half, x = (int32_t)1 << 28, i;
  *multiplier = INT32_MAX;
  *shift = 0;
  if (v <= 1) return;
  for (; v >= (int32_t)1 << 29; v /= 4) right++;
  for (; v < (int32_t)1 << 27; v *= 4) right--;
  half = rip_rounded_shift(v >> 1, 1);
  for (i = 0; i < 5; i++) {
    const int32_t cube = saturating_left(rip_high_product(rip_high_product(x, x), x), 6);
    x = saturating_left(rip_high_product(402653184, x) - rip_high_product(half, cube), 3);
  }
  x = rip_high_product(x, 1518500250);
  for (; right < 0; right++) x = (int32_t)((uint32_t)x << 1);
  *multiplier = x;
  *shift = -right;
}

RIP_HOT void rip_l2_normalize_s8_row(const rip_l2_normalize_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_l2_normalize_s8, op, params);
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = call->step > 0 ? 0 : op->channels - 1;
    int32_t squares = 0, multiplier, shift;
    for (channels = 0; channels < op->channels; channels++) {
      const int32_t value = in[channels] - op->in_zero;
      squares += value * value;
    }
    inverse_root(squares, &multiplier, &shift);
    shift += 7;
    for (channels = op->channels; channels > 0; channels--, channel += call->step) {
      const int32_t y = rip_requantize(in[channel] - op->in_zero, multiplier, shift);
      out[channel] = (int8_t)rip_clamp(y, INT8_MIN, INT8_MAX);
    }
  }
}
