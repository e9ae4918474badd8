/* The inner product of the convolutions of rip/dsp.h for one pixel, with weights of 16 bits.
 * SPDX-License-Identifier: MIT-0 */
#include "rip/dsp_output.h"
#include "rip/dsp_pixel.h"
#include "rip/dsp_pixel_asm.h"

#if RIP_DSP_ASM

#define START                  \
  "ldrd r0, r1, [r12], #8\n\t" \
  "ldrd r2, r3, [lr], #8\n\t"

/* Taps (a, c) in `even`, (b, d) in `odd`. */
#define FOUR(even, odd)     \
  "ldmia r12!, {r4-r7}\n\t" \
  "smlad r0, r4, " even     \
  ", r0\n\t"                \
  "smlad r1, r6, " even     \
  ", r1\n\t"                \
  "smlad r0, r5, " odd      \
  ", r0\n\t"                \
  "smlad r1, r7, " odd      \
  ", r1\n\t"                \
  "ldmia lr!, {r4-r7}\n\t"  \
  "smlad r2, r4, " even     \
  ", r2\n\t"                \
  "smlad r3, r6, " even     \
  ", r3\n\t"                \
  "smlad r2, r5, " odd      \
  ", r2\n\t"                \
  "smlad r3, r7, " odd ", r3\n\t"

/* The weights are scaled already. */
#define NOTHING(first, second)

RIP_HOT __attribute__((naked)) void rip_dsp_make_wide_pixel(const rip_dsp_pixel* pixel __attribute__((unused))) {
  __asm__ volatile(RIP_DSP_PIXEL(START, FOUR("r8", "r9"), FOUR("r8", "r8"), NOTHING, NOTHING));
}

#else

/* Adds four taps to the sums of a pair of channels. */
static const int32_t* add_four(int32_t sums[2], const int32_t* stream, int32_t even, int32_t odd) {
  sums[0] = rip_smlad(rip_flash_s32(stream), even, sums[0]);
  sums[0] = rip_smlad(rip_flash_s32(stream + 1), odd, sums[0]);
  sums[1] = rip_smlad(rip_flash_s32(stream + 2), even, sums[1]);
  sums[1] = rip_smlad(rip_flash_s32(stream + 3), odd, sums[1]);
  return stream + 4;
}

#include "pixel_pairs.h"

static const int32_t* make_pair(const rip_dsp_pixel* pixel, const int32_t* stream, int8_t out[2]) {
  int32_t sums[2];
  sums[0] = rip_flash_s32(stream);
  sums[1] = rip_flash_s32(stream + 1);
  stream = add_pixel(pixel, stream + 2, sums);
  out[0] = rip_dsp_output(sums[0], stream, pixel->common_shift, pixel->odd_rounding);
  out[1] = rip_dsp_output(sums[1], stream + 3, pixel->common_shift, pixel->odd_rounding);
  return stream + 6;
}

RIP_HOT void rip_dsp_make_wide_pixel(const rip_dsp_pixel* pixel) { make_fours(pixel, make_pair); }

#endif
