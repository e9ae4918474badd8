/* The inner product of the convolutions of rip/dsp.h. SPDX-License-Identifier: MIT-0 */
#include "rip/dsp_tile.h"
#include "rip/flash.h"
#include "rip/halves.h"

/* The sums of two channels at one pixel: 256 * sum1 + sum0, and sum0. */
typedef struct sums {
  int32_t both, low;
} sums;

static inline void add_taps(sums* s, int32_t weights, int32_t taps) {
  s->both = rip_smlad(weights, taps, s->both);
  s->low = rip_smlad(rip_even_bytes(weights), taps, s->low);
}

/* `twice` is the doubled sum. */
static inline int8_t output(int32_t twice, const int32_t* constants, int32_t odd_rounding) {
  const int32_t multiplier = rip_flash_s32(constants), shift = rip_flash_s32(constants + 2);
  int32_t addend = rip_flash_s32(constants + 1);
  if (odd_rounding) addend += twice >> 31;
  return (int8_t)rip_saturate_byte(rip_smmlar(twice, multiplier, addend) >> shift);
}

static inline void write_pair(const sums* s, const int32_t* constants, int32_t odd_rounding, int8_t* out) {
  const int32_t twice1 = (int32_t)((uint32_t)s->both - (uint32_t)s->low) >> 7;
  out[0] = output((int32_t)(2U * (uint32_t)s->low), constants, odd_rounding);
  out[1] = output(twice1, constants + 3, odd_rounding);
}

RIP_HOT const int32_t* rip_dsp_make_tile(const rip_dsp_tile* tile) {
  const int32_t* stream = tile->stream;
  int8_t* out;
  for (out = tile->out; out != tile->out_end; out += 2) {
    sums first, second;
    const int32_t* taps;
    first.both = second.both = rip_flash_s32(stream);
    first.low = second.low = rip_flash_s32(stream + 1);
    stream += 2;
    for (taps = tile->taps; taps != tile->taps_end; taps += 4, stream += 2) {
      const int32_t w0 = rip_flash_s32(stream), w1 = rip_flash_s32(stream + 1);
      add_taps(&first, w0, taps[0]);
      add_taps(&first, w1, taps[1]);
      add_taps(&second, w0, taps[2]);
      add_taps(&second, w1, taps[3]);
    }
    write_pair(&first, stream, tile->odd_rounding, out);
    write_pair(&second, stream, tile->odd_rounding, out + tile->out_step);
    stream += 6;
  }
  return stream;
}
