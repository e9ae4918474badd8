/* The inner product of the convolutions of rip/dsp.h. SPDX-License-Identifier: MIT-0 */
#include "rip/dsp_tile.h"
#include "rip/flash.h"
#include "rip/halves.h"

#if RIP_DSP_ASM

/* r0, r1: 256 * sum1 + sum0 of both pixels, r2, r3: sum0, r12: the stream, lr: the taps. Eight taps, 92 bytes of code.
 */
#define STEP                  \
  "ldmia r12!, {r4-r7}\n\t"   \
  "ldmia lr!, {r8-r11}\n\t"   \
  "smlad r0, r4, r8, r0\n\t"  \
  "smlad r1, r4, r10, r1\n\t" \
  "sxtb16 r4, r4\n\t"         \
  "smlad r0, r5, r9, r0\n\t"  \
  "smlad r1, r5, r11, r1\n\t" \
  "sxtb16 r5, r5\n\t"         \
  "smlad r2, r4, r8, r2\n\t"  \
  "smlad r3, r4, r10, r3\n\t" \
  "smlad r2, r5, r9, r2\n\t"  \
  "smlad r3, r5, r11, r3\n\t" \
  "ldmia lr!, {r8-r11}\n\t"   \
  "smlad r0, r6, r8, r0\n\t"  \
  "smlad r1, r6, r10, r1\n\t" \
  "sxtb16 r6, r6\n\t"         \
  "smlad r0, r7, r9, r0\n\t"  \
  "smlad r1, r7, r11, r1\n\t" \
  "sxtb16 r7, r7\n\t"         \
  "smlad r2, r6, r8, r2\n\t"  \
  "smlad r3, r6, r10, r3\n\t" \
  "smlad r2, r7, r9, r2\n\t"  \
  "smlad r3, r7, r11, r3\n\t"

/* The sums doubled into r2, r3 (first channel) and r0, r1 (second), and the constants of both channels. */
#define DOUBLE          \
  "subs r0, r0, r2\n\t" \
  "subs r1, r1, r3\n\t" \
  "lsls r2, r2, #1\n\t" \
  "lsls r3, r3, #1\n\t" \
  "asrs r0, r0, #7\n\t" \
  "asrs r1, r1, #7\n\t" \
  "ldmia r12!, {r4-r9}\n\t"

/* Both pixels' channels from r2, r3 and r0, r1, cut to bytes already, and on to the next pair of channels. */
#define STORE                   \
  "ldrd r10, r11, [sp, #8]\n\t" \
  "bfi r2, r0, #8, #8\n\t"      \
  "bfi r3, r1, #8, #8\n\t"      \
  "strh r3, [r10, r11]\n\t"     \
  "strh r2, [r10], #2\n\t"      \
  "ldr r4, [sp, #16]\n\t"       \
  "str r10, [sp, #8]\n\t"       \
  "cmp r10, r4\n\t"             \
  "bne 2b\n\t"

/* With a common shift. */
#define FINISH(shift)             \
  "ldmia r12!, {r4-r9}\n\t"       \
  "subs r0, r0, r2\n\t"           \
  "subs r1, r1, r3\n\t"           \
  "lsls r2, r2, r6\n\t"           \
  "lsls r3, r3, r6\n\t"           \
  "asr r0, r0, r9\n\t"            \
  "asr r1, r1, r9\n\t"            \
  "smmla r2, r2, r4, r5\n\t"      \
  "smmla r3, r3, r4, r5\n\t"      \
  "smmla r0, r0, r7, r8\n\t"      \
  "smmla r1, r1, r7, r8\n\t"      \
  "ssat r2, #8, r2, asr #" #shift \
  "\n\t"                          \
  "ssat r3, #8, r3, asr #" #shift \
  "\n\t"                          \
  "ssat r0, #8, r0, asr #" #shift \
  "\n\t"                          \
  "ssat r1, #8, r1, asr #" #shift "\n\t" STORE "b 9f\n\t"

/* The stack: where to enter the steps, taps, out, out_step, out_end, taps_end, what follows the last step, and what
 * follows the last taps. No argument but the tile, so that the compiler need not help. */
RIP_HOT __attribute__((naked)) const int32_t* rip_dsp_make_tile(const rip_dsp_tile* tile __attribute__((unused))) {
  __asm__ volatile(
      "push {r4-r11, lr}\n\t"
      "sub sp, sp, #36\n\t"
      "ldr r12, [r0]\n\t"
      "ldr r2, [r0, #4]\n\t"
      "ldr r3, [r0, #8]\n\t"
      "ldr r4, [r0, #12]\n\t"
      "ldr r5, [r0, #16]\n\t"
      "ldr r6, [r0, #20]\n\t"
      "ldr r7, [r0, #24]\n\t"
      "cmp r4, r5\n\t"
      "beq 9f\n\t"
      "str r2, [sp, #4]\n\t"
      "str r4, [sp, #8]\n\t"
      "str r6, [sp, #12]\n\t"
      "str r5, [sp, #16]\n\t"
      "str r3, [sp, #20]\n\t"
      /* The first turn through the steps takes what is over a multiple of eight. */
      "subs r3, r3, r2\n\t"
      "lsrs r3, r3, #5\n\t"
      "subs r2, r3, #1\n\t"
      "and r2, r2, #7\n\t"
      "adds r2, r2, #1\n\t"
      "movs r4, #92\n\t"
      "muls r2, r4, r2\n\t"
      "adr.w r4, 4f\n\t"
      "subs r2, r4, r2\n\t"
      "orr r2, r2, #1\n\t"
      "str r2, [sp]\n\t"
      "ldr r6, [r0, #28]\n\t"
      "adr.w r4, 6f\n\t"
      "cbz r7, 1f\n\t"
      "adr.w r4, 7f\n\t"
      "1: cbz r6, 1f\n\t"
      "adr.w r4, 10f\n\t"
      "sub r6, r6, #8\n\t"
      "ldrh r6, [r4, r6, lsl #1]\n\t"
      "adds r4, r4, r6\n\t"
      "1: orr r4, r4, #1\n\t"
      "str r4, [sp, #28]\n\t"
      "cmp r3, #8\n\t"
      "bls 1f\n\t"
      "adr.w r4, 5f\n\t"
      "orr r4, r4, #1\n\t"
      "1: str r4, [sp, #24]\n\t"

      "b 2f\n\t"
      "10: .hword 20f-10b, 21f-10b, 22f-10b, 23f-10b, 24f-10b, 25f-10b\n\t"

      "2: ldrd r0, r2, [r12], #8\n\t"
      "ldr lr, [sp, #4]\n\t"
      "mov r1, r0\n\t"
      "mov r3, r2\n\t"
      "ldr pc, [sp]\n\t"
      "3:\n\t" STEP STEP STEP STEP STEP STEP STEP STEP
      "4: ldr pc, [sp, #24]\n\t"
      "5: ldr r4, [sp, #20]\n\t"
      "cmp lr, r4\n\t"
      "bne 3b\n\t"
      "ldr pc, [sp, #28]\n\t"

      "6:\n\t" DOUBLE
      "smmlar r2, r2, r4, r5\n\t"
      "smmlar r3, r3, r4, r5\n\t"
      "smmlar r0, r0, r7, r8\n\t"
      "smmlar r1, r1, r7, r8\n\t"
      "b 8f\n\t"

      "7:\n\t" DOUBLE
      "add r10, r5, r2, asr #31\n\t"
      "add r11, r5, r3, asr #31\n\t"
      "smmlar r2, r2, r4, r10\n\t"
      "smmlar r3, r3, r4, r11\n\t"
      "add r10, r8, r0, asr #31\n\t"
      "add r11, r8, r1, asr #31\n\t"
      "smmlar r0, r0, r7, r10\n\t"
      "smmlar r1, r1, r7, r11\n\t"

      "8: asrs r2, r2, r6\n\t"
      "asrs r3, r3, r6\n\t"
      "asr r0, r0, r9\n\t"
      "asr r1, r1, r9\n\t"
      "ssat r2, #8, r2\n\t"
      "ssat r3, #8, r3\n\t"
      "ssat r0, #8, r0\n\t"
      "ssat r1, #8, r1\n\t"
      STORE
      "b 9f\n\t"
      "20:\n\t" FINISH(8) "21:\n\t" FINISH(9) "22:\n\t" FINISH(10) "23:\n\t" FINISH(11) "24:\n\t" FINISH(12)
      "25:\n\t" FINISH(13)
      "9: mov r0, r12\n\t"
      "add sp, sp, #36\n\t"
      "pop {r4-r11, pc}");
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

/* `twice` is the doubled sum. */
static inline int32_t output(int32_t twice, const int32_t* constants, int32_t odd_rounding) {
  const int32_t multiplier = rip_flash_s32(constants), shift = rip_flash_s32(constants + 2);
  int32_t addend = rip_flash_s32(constants + 1);
  if (odd_rounding) addend += twice >> 31;
  return rip_smmlar(twice, multiplier, addend) >> shift;
}

static inline int32_t common_output(int32_t scaled, const int32_t* constants, int32_t common_shift) {
  return rip_smmla(scaled, rip_flash_s32(constants), rip_flash_s32(constants + 1)) >> common_shift;
}

static inline void write_pair(const sums* s, const int32_t* constants, const rip_dsp_tile* tile, int8_t* out) {
  const int32_t second = (int32_t)((uint32_t)s->both - (uint32_t)s->low); /* 256 * sum1 */
  int32_t y0, y1;
  if (tile->common_shift != 0) {
    const int32_t scaled = (int32_t)((uint32_t)s->low << rip_flash_s32(constants + 2));
    y0 = common_output(scaled, constants, tile->common_shift);
    y1 = common_output(second >> rip_flash_s32(constants + 5), constants + 3, tile->common_shift);
  } else {
    y0 = output((int32_t)(2U * (uint32_t)s->low), constants, tile->odd_rounding);
    y1 = output(second >> 7, constants + 3, tile->odd_rounding);
  }
  out[0] = (int8_t)rip_saturate_byte(y0);
  out[1] = (int8_t)rip_saturate_byte(y1);
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
    write_pair(&first, stream, tile, out);
    write_pair(&second, stream, tile, out + tile->out_step);
    stream += 6;
  }
  return stream;
}

#endif
