/* The inner product of the convolutions of rip/dsp.h for one pixel, with weights of a byte.
 * SPDX-License-Identifier: MIT-0 */
#include "rip/dsp_output.h"
#include "rip/dsp_pixel.h"
#include "rip/dsp_pixel_asm.h"

#if RIP_DSP_ASM

/* r0, r2: sum0 of both pairs; r1, r3: 256 * sum1 + sum0. */
#define START                  \
  "ldrd r1, r0, [r12], #8\n\t" \
  "ldrd r3, r2, [lr], #8\n\t"

/* Taps (a, c) in `even`, (b, d) in `odd`. */
#define FOUR(even, odd)        \
  "ldrd r4, r5, [r12], #8\n\t" \
  "ldrd r6, r7, [lr], #8\n\t"  \
  "smlad r1, r4, " even        \
  ", r1\n\t"                   \
  "smlad r3, r6, " even        \
  ", r3\n\t"                   \
  "sxtb16 r4, r4\n\t"          \
  "sxtb16 r6, r6\n\t"          \
  "smlad r1, r5, " odd         \
  ", r1\n\t"                   \
  "smlad r3, r7, " odd         \
  ", r3\n\t"                   \
  "sxtb16 r5, r5\n\t"          \
  "sxtb16 r7, r7\n\t"          \
  "smlad r0, r4, " even        \
  ", r0\n\t"                   \
  "smlad r2, r6, " even        \
  ", r2\n\t"                   \
  "smlad r0, r5, " odd         \
  ", r0\n\t"                   \
  "smlad r2, r7, " odd ", r2\n\t"

#define SCALE(first, second)            \
  "subs " second ", " second ", " first \
  "\n\t"                                \
  "lsls " first ", " first              \
  ", #1\n\t"                            \
  "asrs " second ", " second ", #7\n\t"

#define COMMON(first, second)           \
  "subs " second ", " second ", " first \
  "\n\t"                                \
  "lsl " first ", " first               \
  ", r6\n\t"                            \
  "asr " second ", " second ", r9\n\t"

RIP_HOT __attribute__((naked)) void rip_dsp_make_pixel(const rip_dsp_pixel* pixel __attribute__((unused))) {
  __asm__ volatile(RIP_DSP_PIXEL(START, FOUR("r8", "r9"), FOUR("r8", "r8"), SCALE, COMMON));
}

#else

/* Adds four taps to the sums of a pair of channels: 256 * sum1 + sum0, and sum0. */
static const int32_t* add_four(int32_t sums[2], const int32_t* stream, int32_t even, int32_t odd) {
  const int32_t w0 = rip_flash_s32(stream), w1 = rip_flash_s32(stream + 1);
  sums[0] = rip_smlad(w1, odd, rip_smlad(w0, even, sums[0]));
  sums[1] = rip_smlad(rip_even_bytes(w1), odd, rip_smlad(rip_even_bytes(w0), even, sums[1]));
  return stream + 2;
}

#include "pixel_pairs.h"

static const int32_t* make_pair(const rip_dsp_pixel* pixel, const int32_t* stream, int8_t out[2]) {
  const int32_t common = pixel->common_shift;
  int32_t sums[2], left, right, high;
  sums[0] = rip_flash_s32(stream);
  sums[1] = rip_flash_s32(stream + 1);
  stream = add_pixel(pixel, stream + 2, sums);
  left = common != 0 ? rip_flash_s32(stream + 2) : 1;
  right = common != 0 ? rip_flash_s32(stream + 5) : 7;
  high = (int32_t)((uint32_t)sums[0] - (uint32_t)sums[1]) >> right;
  out[0] = rip_dsp_output((int32_t)((uint32_t)sums[1] << left), stream, common, pixel->odd_rounding);
  out[1] = rip_dsp_output(high, stream + 3, common, pixel->odd_rounding);
  return stream + 6;
}

RIP_HOT void rip_dsp_make_pixel(const rip_dsp_pixel* pixel) { make_fours(pixel, make_pair); }

#endif
