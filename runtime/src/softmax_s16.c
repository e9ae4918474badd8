/* Softmax of int16 over the channels of each pixel, by tables. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/s16.h"

#define BYTES ((int32_t)sizeof(int16_t))

/* 2^30 / sum as a fraction of 15 bits below 2^exponent. */
static int32_t reciprocal(const int16_t* table, int32_t sum, int32_t* exponent) {
  int32_t zeros = 1, shifted;
  while (((uint32_t)sum << zeros & (uint32_t)1 << 31) == 0) zeros++;
  shifted = (int32_t)((((int64_t)sum << (zeros - 1)) + 8192) >> 14);
  *exponent = 31 - zeros;
  /* The table is of 1 / (1 + x), x from 0 to 1 over all that an int16 holds. */
  return rip_lookup_s16(table, rip_clamp(shifted - 98304, INT16_MIN, INT16_MAX));
}

RIP_HOT void rip_softmax_s16_row(const rip_softmax_s16* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_softmax_s16, op, params);
  const int32_t step = call->step;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel, most = INT16_MIN, sum = 0, inverse, exponent;
    for (channel = 0; channel < op->channels; channel++) {
      const int32_t value = rip_load_s16(in + channel * BYTES);
      if (value > most) most = value;
    }
    /* Each exponential waits in its output's place, which the input no longer needs. */
    channel = step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += step) {
      const int32_t difference = rip_load_s16(in + channel * BYTES) - most;
      const int32_t place = rip_requantize(difference, op->multiplier, op->shift) + INT16_MAX;
      const int32_t e = rip_lookup_s16(op->exponentials, rip_clamp(place, INT16_MIN, INT16_MAX));
      sum += e;
      rip_store_s16(out + channel * BYTES, e);
    }
    inverse = reciprocal(op->reciprocals, sum, &exponent);
    for (channel = 0; channel < op->channels; channel++) {
      const int32_t e = rip_load_s16(out + channel * BYTES);
      const int32_t y = (int32_t)(((int64_t)e * inverse + ((int64_t)1 << (exponent - 1))) >> exponent);
      rip_store_s16(out + channel * BYTES, rip_clamp(y, 0, INT16_MAX));
    }
  }
}
