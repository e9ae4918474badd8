/* Softmax over the channels of each pixel, in fixed point. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/requantize.h"

/* x * 2^bits, held to 32 bits. */
static int32_t saturated_left_shift(int32_t x, int32_t bits) {
  const int32_t most = (int32_t)(((uint32_t)1 << (31 - bits)) - 1);
  if (x > most) return INT32_MAX;
  if (x < -most) return INT32_MIN;
  return x * ((int32_t)1 << bits);
}

/* exp(a) in Q0.31 for a <= 0 in Q5.26: a polynomial on [-1/4, 0), then one factor for each power of two in the rest. */
static int32_t exp_of_negative(int32_t a) {
  static const int32_t factors[7] RIP_FLASH_ATTR = {
      /* exp(-2^(i - 2)) */
      1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  const int32_t quarter = (int32_t)1 << 24;
  const int32_t t = (a & (quarter - 1)) - quarter; /* in [-1/4, 0) */
  const int32_t x = t * 32 + ((int32_t)1 << 28);   /* Q0.31, around -1/8 */
  const int32_t x2 = rip_high_product(x, x), x3 = rip_high_product(x2, x), x4 = rip_high_product(x2, x2);
  const int32_t high = rip_high_product(rip_rounded_shift(x4, 2) + x3, 715827883) + x2; /* 1/3 */
  const int32_t polynomial = x + rip_rounded_shift(high, 1);
  const uint32_t rest = (uint32_t)t - (uint32_t)a;
  int32_t result = 1895147668 + rip_high_product(1895147668, polynomial); /* exp(-1/8) */
  int32_t i;
  if (a == 0) return INT32_MAX;
  for (i = 0; i < 7; i++) {
    if (rest >> (24 + i) & 1) result = rip_high_product(result, rip_flash_s32(factors + i));
  }
  return result;
}

/* 1 / (1 + v) in Q0.31 for v in [0, 1) in Q0.31: Newton's iteration on Q2.29. */
static int32_t reciprocal_of_one_plus(int32_t v) {
  const int32_t half = (int32_t)(((uint32_t)v + ((uint32_t)1 << 31)) >> 1);
  int32_t x = 1515870810 + rip_high_product(half, -1010580540); /* 48/17 - 32/17 half */
  int32_t i;
  for (i = 0; i < 3; i++) {
    const int32_t error = ((int32_t)1 << 29) - rip_high_product(half, x);
    x += saturated_left_shift(rip_high_product(x, error), 2);
  }
  return saturated_left_shift(x, 1);
}

static int32_t leading_zeros(uint32_t x) {
  int32_t zeros = 0;
  for (; (x & ((uint32_t)1 << 31)) == 0; x <<= 1) zeros++;
  return zeros;
}

RIP_HOT void rip_softmax_s8_row(const rip_softmax_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_softmax_s8, op, params);
  const int32_t step = call->step;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel, most = INT8_MIN, zeros, inverse, exponent;
    uint32_t sum = 0;
    for (channel = 0; channel < op->channels; channel++) {
      if (in[channel] > most) most = in[channel];
    }
    for (channel = 0; channel < op->channels; channel++) {
      const int32_t difference = in[channel] - most;
      if (difference < op->diff_min) continue;
      sum += (uint32_t)rip_rounded_shift(exp_of_negative(rip_requantize(difference, op->multiplier, op->shift)), 12);
    }
    zeros = leading_zeros(sum);
    exponent = 35 - zeros;
    inverse = reciprocal_of_one_plus((int32_t)((sum << zeros) - ((uint32_t)1 << 31)));
    /* The inputs are read a last time, each just before its place may be written. */
    channel = step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += step) {
      const int32_t difference = in[channel] - most;
      int32_t y = INT8_MIN;
      /* Among so many alike that the exponent is larger, each is less than half a step. */
      if (difference >= op->diff_min && exponent <= 31) {
        const int32_t e = exp_of_negative(rip_requantize(difference, op->multiplier, op->shift));
        y += rip_rounded_shift(rip_high_product(inverse, e), exponent);
      }
      out[channel] = (int8_t)rip_clamp(y, INT8_MIN, INT8_MAX);
    }
  }
}
