/* The inner product of the convolutions of rip/dsp.h with weights of 16 bits. SPDX-License-Identifier: MIT-0 */
#include "rip/dsp_asm.h"
#include "rip/dsp_output.h"
#include "rip/dsp_tile.h"

#if RIP_DSP_ASM

#define START                  \
  "ldrd r0, r2, [r12], #8\n\t" \
  "mov r1, r0\n\t"             \
  "mov r3, r2\n\t"

#define FOUR                  \
  "ldmia r12!, {r4-r7}\n\t"   \
  "ldmia lr!, {r8-r11}\n\t"   \
  "smlad r0, r4, r8, r0\n\t"  \
  "smlad r1, r4, r10, r1\n\t" \
  "smlad r2, r6, r8, r2\n\t"  \
  "smlad r3, r6, r10, r3\n\t" \
  "smlad r0, r5, r9, r0\n\t"  \
  "smlad r1, r5, r11, r1\n\t" \
  "smlad r2, r7, r9, r2\n\t"  \
  "smlad r3, r7, r11, r3\n\t"

/* The weights are scaled already. */
#define CONSTANTS "ldmia r12!, {r4-r9}\n\t"

RIP_HOT __attribute__((naked)) const int32_t* rip_dsp_make_wide_tile(rip_dsp_tile* tile __attribute__((unused))) {
  __asm__ volatile(RIP_DSP_TILE(START, FOUR, "40", "16", "2", CONSTANTS, CONSTANTS));
}

#else

/* The sums of two channels at one pixel, from two weights of each at a time. */
static inline void add_taps(int32_t sums[2], int32_t first, int32_t second, int32_t taps) {
  sums[0] = rip_smlad(first, taps, sums[0]);
  sums[1] = rip_smlad(second, taps, sums[1]);
}

RIP_HOT const int32_t* rip_dsp_make_wide_tile(rip_dsp_tile* tile) {
  const int32_t* stream = tile->stream;
  int8_t* out;
  for (out = tile->out; out != tile->out_end; out += 2) {
    int32_t sums[2][2], pixel;
    const int32_t* taps;
    sums[0][0] = sums[1][0] = rip_flash_s32(stream);
    sums[0][1] = sums[1][1] = rip_flash_s32(stream + 1);
    stream += 2;
    for (taps = tile->taps; taps != tile->taps_end; taps += RIP_DSP_FOUR_WORDS, stream += 4) {
      for (pixel = 0; pixel < 2; pixel++) {
        const int32_t* own = taps + pixel * RIP_DSP_PIXEL_WORDS;
        add_taps(sums[pixel], rip_flash_s32(stream), rip_flash_s32(stream + 2), own[0]);
        add_taps(sums[pixel], rip_flash_s32(stream + 1), rip_flash_s32(stream + 3), own[1]);
      }
    }
    for (pixel = 0; pixel < 2; pixel++) {
      out[pixel * tile->out_step] = rip_dsp_output(sums[pixel][0], stream, tile->common_shift, tile->odd_rounding);
      out[pixel * tile->out_step + 1] =
          rip_dsp_output(sums[pixel][1], stream + 3, tile->common_shift, tile->odd_rounding);
    }
    stream += 6;
  }
  return stream;
}

#endif
