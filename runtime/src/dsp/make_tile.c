/* The inner product of the convolutions of rip/dsp.h with weights of a byte. SPDX-License-Identifier: MIT-0 */
#include "rip/dsp_asm.h"
#include "rip/dsp_output.h"
#include "rip/dsp_tile.h"

#if RIP_DSP_ASM

/* r0, r1: sum0 of both pixels; r2, r3: 256 * sum1 + sum0. */
#define START                  \
  "ldrd r2, r0, [r12], #8\n\t" \
  "mov r1, r0\n\t"             \
  "mov r3, r2\n\t"

#define STEP                  \
  "ldmia r12!, {r4-r7}\n\t"   \
  "ldmia lr!, {r8-r11}\n\t"   \
  "smlad r2, r4, r8, r2\n\t"  \
  "smlad r3, r4, r10, r3\n\t" \
  "sxtb16 r4, r4\n\t"         \
  "smlad r2, r5, r9, r2\n\t"  \
  "smlad r3, r5, r11, r3\n\t" \
  "sxtb16 r5, r5\n\t"         \
  "smlad r0, r4, r8, r0\n\t"  \
  "smlad r1, r4, r10, r1\n\t" \
  "smlad r0, r5, r9, r0\n\t"  \
  "smlad r1, r5, r11, r1\n\t" \
  "ldmia lr!, {r8-r11}\n\t"   \
  "smlad r2, r6, r8, r2\n\t"  \
  "smlad r3, r6, r10, r3\n\t" \
  "sxtb16 r6, r6\n\t"         \
  "smlad r2, r7, r9, r2\n\t"  \
  "smlad r3, r7, r11, r3\n\t" \
  "sxtb16 r7, r7\n\t"         \
  "smlad r0, r6, r8, r0\n\t"  \
  "smlad r1, r6, r10, r1\n\t" \
  "smlad r0, r7, r9, r0\n\t"  \
  "smlad r1, r7, r11, r1\n\t"

#define SCALE               \
  "ldmia r12!, {r4-r9}\n\t" \
  "subs r2, r2, r0\n\t"     \
  "subs r3, r3, r1\n\t"     \
  "lsls r0, r0, #1\n\t"     \
  "lsls r1, r1, #1\n\t"     \
  "asrs r2, r2, #7\n\t"     \
  "asrs r3, r3, #7\n\t"

#define COMMON              \
  "ldmia r12!, {r4-r9}\n\t" \
  "subs r2, r2, r0\n\t"     \
  "subs r3, r3, r1\n\t"     \
  "lsls r0, r0, r6\n\t"     \
  "lsls r1, r1, r6\n\t"     \
  "asr r2, r2, r9\n\t"      \
  "asr r3, r3, r9\n\t"

RIP_HOT __attribute__((naked)) const int32_t* rip_dsp_make_tile(rip_dsp_tile* tile __attribute__((unused))) {
  __asm__ volatile(RIP_DSP_TILE(START, STEP, "92", "8", "3", SCALE, COMMON));
}

#else

/* The sums of two channels at one pixel: 256 * sum1 + sum0, and sum0. */
typedef struct sums {
  int32_t both, low;
} sums;

static inline void add_taps(sums* s, int32_t weights, int32_t taps) {
  s->both = rip_smlad(weights, taps, s->both);
  s->low = rip_smlad(rip_even_bytes(weights), taps, s->low);
}

static inline void write_pair(const sums* s, const int32_t* constants, const rip_dsp_tile* tile, int8_t* out) {
  const int32_t common = tile->common_shift != 0;
  const int32_t left = common ? rip_flash_s32(constants + 2) : 1, right = common ? rip_flash_s32(constants + 5) : 7;
  const int32_t high = (int32_t)((uint32_t)s->both - (uint32_t)s->low) >> right;
  out[0] = rip_dsp_output((int32_t)((uint32_t)s->low << left), constants, tile->common_shift, tile->odd_rounding);
  out[1] = rip_dsp_output(high, constants + 3, tile->common_shift, tile->odd_rounding);
}

RIP_HOT const int32_t* rip_dsp_make_tile(rip_dsp_tile* tile) {
  const int32_t* stream = tile->stream;
  int8_t* out;
  for (out = tile->out; out != tile->out_end; out += 2) {
    sums first, second;
    const int32_t* taps;
    first.both = second.both = rip_flash_s32(stream);
    first.low = second.low = rip_flash_s32(stream + 1);
    stream += 2;
    for (taps = tile->taps; taps != tile->taps_end; taps += RIP_DSP_FOUR_WORDS, stream += 2) {
      const int32_t w0 = rip_flash_s32(stream), w1 = rip_flash_s32(stream + 1);
      add_taps(&first, w0, taps[0]);
      add_taps(&first, w1, taps[1]);
      add_taps(&second, w0, taps[2]);
      add_taps(&second, w1, taps[3]);
    }
    write_pair(&first, stream, tile, out);
    write_pair(&second, stream, tile, out + tile->out_step);
    stream += 6;
  }
  return stream;
}

#endif
