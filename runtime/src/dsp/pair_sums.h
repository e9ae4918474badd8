/* The inner product of the small planes of rip_depthwise_dsp: some outputs side by side at a time, of rows of bytes,
 * each word of which gives the pairs of bytes 0 and 2, and 1 and 3. Included once a size of kernel, with KERNEL.
 * SPDX-License-Identifier: MIT-0 */
#ifndef RIP_PAIR_SUMS_H
#define RIP_PAIR_SUMS_H

#include "rip/dsp.h"
#include "rip/flash.h"
#include "rip/halves.h"

#define SUMS RIP_SMALL_OUTPUTS(KERNEL)      /* outputs that are made together */
#define ROW_WORDS ((KERNEL + 1) / 2)        /* of the stream for one row of weights */
#define RECORD (1 + KERNEL * ROW_WORDS + 3) /* and for a channel */

/* Outputs of one channel: SUMS after SUMS, the last SUMS being the last of them. No byte is read but those that SUMS
 * outputs need. */
typedef struct outputs {
  int8_t* const* rows;   /* KERNEL of them */
  const int32_t* record; /* of the stream */
  int8_t* out;
  int32_t pitch, count;
  int32_t odd_rounding;
  int32_t offset; /* from the begin of each row to the taps of the first output */
} outputs;

#if RIP_DSP_ASM

/* r0 and r1: pairs of bytes, r3: a row, from r4 on: sums, then weights, r12: the stream, lr: the offset. a, b, c and d:
 * weights 0 and 2, 1 and 3, 4 and 6, and 5. */
#define PAIR_MACROS                                                                         \
  ".macro pairs at\n ldr r1, [r3, #\\at]\n sxtb16 r0, r1\n sxtb16 r1, r1, ror #8\n .endm\n" \
  ".macro even sum weight\n smlad \\sum, r0, \\weight, \\sum\n .endm\n"                     \
  ".macro odd sum weight\n smlad \\sum, r1, \\weight, \\sum\n .endm\n"                      \
  ".macro even2 sum weight\n smlatb \\sum, r0, \\weight, \\sum\n .endm\n"                   \
  ".macro odd2 sum weight\n smlatb \\sum, r1, \\weight, \\sum\n .endm\n"

/* One row of the kernel, of outputs a column apart, and two. */
#if KERNEL == 3
#define WEIGHTS "{r10, r11}"
#define ROWS "{r4-r6}"
#define TAPS_BY_1                                      \
  "pairs 0\n even r4 r10\n odd r4 r11\n odd r5 r10\n"  \
  "pairs 2\n even r5 r11\n even r6 r10\n odd r6 r11\n" \
  "odd r7 r10\n pairs 4\n even r7 r11\n even r8 r10\n" \
  "odd r8 r11\n odd r9 r10\n even2 r9 r11\n"
#define TAPS_BY_2                                                             \
  "pairs 0\n even r4 r10\n odd r4 r11\n pairs 2\n even r5 r10\n odd r5 r11\n" \
  "pairs 4\n even r6 r10\n odd r6 r11\n pairs 6\n even r7 r10\n odd r7 r11\n" \
  "pairs 8\n even r8 r10\n odd r8 r11\n pairs 9\n odd r9 r10\n even2 r9 r11\n"
#define ALL_ROWS(step) ROW(0, step) ROW(4, step) ROW(8, step)
#elif KERNEL == 5
#define WEIGHTS "{r8, r9, r10}"
#define ROWS "{r4-r8}"
#define TAPS_BY_1                                               \
  "pairs 0\n even r4 r8\n odd r4 r9\n odd r5 r8\n"              \
  "pairs 2\n even r5 r9\n even r6 r8\n odd r6 r9\n odd r7 r8\n" \
  "pairs 4\n even r7 r9\n even r4 r10\n odd r5 r10\n even2 r6 r10\n odd2 r7 r10\n"
#define TAPS_BY_2                                                         \
  "pairs 0\n even r4 r8\n odd r4 r9\n pairs 2\n even r5 r8\n odd r5 r9\n" \
  "pairs 4\n even r4 r10\n even r6 r8\n odd r6 r9\n"                      \
  "pairs 6\n even r5 r10\n even r7 r8\n odd r7 r9\n even2 r6 r10\n"       \
  "ldrsb r0, [r3, #10]\n even r7 r10\n" /* there is no weight 6 */
#define ALL_ROWS(step) ROW(0, step) ROW(4, step) ROW(8, step) ROW(12, step) ROW(16, step)
#else
#define WEIGHTS "{r8-r11}"
#define ROWS "{r4-r10}"
#define TAPS_BY_1                                                  \
  "pairs 0\n even r4 r8\n odd r4 r9\n odd r5 r8\n"                 \
  "pairs 2\n even r5 r9\n even r6 r8\n odd r6 r9\n odd r7 r8\n"    \
  "pairs 4\n even r7 r9\n even r4 r10\n odd r4 r11\n odd r5 r10\n" \
  "pairs 6\n even r5 r11\n even r6 r10\n odd r6 r11\n odd r7 r10\n even2 r7 r11\n"
#define TAPS_BY_2                                                         \
  "pairs 0\n even r4 r8\n odd r4 r9\n pairs 2\n even r5 r8\n odd r5 r9\n" \
  "pairs 4\n even r4 r10\n odd r4 r11\n even r6 r8\n odd r6 r9\n"         \
  "pairs 6\n even r5 r10\n odd r5 r11\n even r7 r8\n odd r7 r9\n"         \
  "pairs 8\n even r6 r10\n odd r6 r11\n pairs 9\n odd r7 r10\n even2 r7 r11\n"
#define ALL_ROWS(step) ROW(0, step) ROW(4, step) ROW(8, step) ROW(12, step) ROW(16, step) ROW(20, step) ROW(24, step)
#endif
#define ROW(at, step) "ldr r3, [sp, #" #at "]\n add r3, lr\n ldm r12!, " WEIGHTS "\n" TAPS_BY_##step

#if KERNEL == 3
#define FIRST_SUMS "mov r5, r4\n mov r6, r4\n mov r7, r4\n mov r8, r4\n mov r9, r4\n"
#define EACH(what) what " r4\n" what " r5\n" what " r6\n" what " r7\n" what " r8\n" what " r9\n"
#define STORE_ALL                                                                                    \
  "strb r4, [r0]\n strb r5, [r0, r1]\n add r0, r0, r1, lsl #1\n strb r6, [r0]\n strb r7, [r0, r1]\n" \
  "add r0, r0, r1, lsl #1\n strb r8, [r0]\n strb r9, [r0, r1]\n"
#define STORE_SOME                                                                                           \
  "strb r4, [r0]\n cmn r2, #5\n beq 5f\n strb r5, [r0, r1]\n cmn r2, #4\n beq 5f\n add r0, r0, r1, lsl #1\n" \
  "strb r6, [r0]\n cmn r2, #3\n beq 5f\n strb r7, [r0, r1]\n cmn r2, #2\n it ne\n strbne r8, [r0, r1, lsl #1]\n"
#else
#define FIRST_SUMS "mov r5, r4\n mov r6, r4\n mov r7, r4\n"
#define EACH(what) what " r4\n" what " r5\n" what " r6\n" what " r7\n"
#define STORE_ALL "strb r4, [r0]\n strb r5, [r0, r1]\n add r0, r0, r1, lsl #1\n strb r6, [r0]\n strb r7, [r0, r1]\n"
#define STORE_SOME \
  "strb r4, [r0]\n cmn r2, #3\n beq 5f\n strb r5, [r0, r1]\n cmn r2, #2\n it ne\n strbne r6, [r0, r1, lsl #1]\n"
#endif

/* On the stack lie the rows and the struct, from `record` to odd_rounding. */
#define MAKE_OUTPUTS(step) \
  __asm__ volatile(                                                                                                \
      ".syntax unified\n" PAIR_MACROS                                                                              \
      ".macro plain sum\n smmlar \\sum, \\sum, r1, r2\n asr \\sum, r3\n ssat \\sum, #8, \\sum\n .endm\n"           \
      ".macro signed sum\n add r0, r2, \\sum, asr #31\n smmlar \\sum, \\sum, r1, r0\n asr \\sum, r3\n"             \
      "ssat \\sum, #8, \\sum\n .endm\n"                                                                            \
      "push {r4-r11, lr}\n sub sp, #4 * %c[kernel] + 20\n ldm r0, {r0-r6}\n add lr, sp, #4 * %c[kernel]\n"             \
      "stm lr, {r1-r5}\n mov lr, r6\n ldm r0, " ROWS "\n stm sp, " ROWS "\n"                                       \
      "1: ldr r12, [sp, #4 * %c[kernel]]\n ldr r4, [r12], #4\n" FIRST_SUMS ALL_ROWS(step)                          \
      "ldr r0, [sp, #4 * %c[kernel] + 16]\n ldm r12, {r1, r2, r3}\n cbnz r0, 2f\n" EACH("plain")                   \
      "b 3f\n 2:" EACH("signed")                                                                                   \
      "3: ldr r0, [sp, #4 * %c[kernel] + 4]\n ldr r1, [sp, #4 * %c[kernel] + 8]\n"                                 \
      "ldr r2, [sp, #4 * %c[kernel] + 12]\n subs r2, #%c[sums]\n blt 4f\n" STORE_ALL                               \
      "beq 5f\n add r0, r0, r1, lsl #1\n add lr, #%c[sums] * " #step "\n subs r3, r2, #%c[sums]\n ittt lt\n"       \
      "addlt lr, lr, r3, lsl #" #step " - 1\n mlalt r0, r3, r1, r0\n movlt r2, #%c[sums]\n"                        \
      "str r0, [sp, #4 * %c[kernel] + 4]\n str r2, [sp, #4 * %c[kernel] + 12]\n b.w 1b\n"                          \
      "4:" STORE_SOME                                                                                              \
      "5: add sp, #4 * %c[kernel] + 20\n pop {r4-r11, pc}\n"                                                       \
      ".purgem pairs\n .purgem even\n .purgem odd\n .purgem even2\n .purgem odd2\n .purgem plain\n .purgem signed" \
      :                                                                                                            \
      : [kernel] "i"(KERNEL), [sums] "i"(SUMS)                                                                     \
      : "memory")

#define IN_REGISTER __attribute__((unused)) /* read by the assembly alone */

RIP_HOT __attribute__((naked, noinline)) static void make_columns(const outputs* o IN_REGISTER) { MAKE_OUTPUTS(1); }
RIP_HOT __attribute__((naked, noinline)) static void make_other_columns(const outputs* o IN_REGISTER) {
  MAKE_OUTPUTS(2);
}

/* The taps of each output begin `stride` columns (1 or 2) after those of the last. */
static void make_outputs(const outputs* o, int32_t stride) {
  if (stride == 1) {
    make_columns(o);
  } else {
    make_other_columns(o);
  }
}

#else

static int32_t weight_of(const int32_t* row, int32_t column) {
  const int32_t word = rip_flash_s32(row + column / 4 * 2 + column % 2);
  return column / 2 % 2 == 0 ? rip_low_half(word) : rip_high_half(word);
}

/* The taps of each output begin `stride` columns (1 or 2) after those of the last. */
static void make_outputs(const outputs* o, int32_t stride) {
  int32_t n, j, i;
  for (n = 0; n < o->count; n++) {
    const int32_t* w = o->record;
    int32_t sum = rip_flash_s32(w++), addend;
    for (j = 0; j < KERNEL; j++, w += ROW_WORDS) {
      const int8_t* const x = o->rows[j] + o->offset + n * stride;
      for (i = 0; i < KERNEL; i++) sum = rip_smlad(x[i], rip_halves(weight_of(w, i), 0), sum);
    }
    addend = rip_flash_s32(w + 1) + (o->odd_rounding ? sum >> 31 : 0);
    sum = rip_smmlar(sum, rip_flash_s32(w), addend) >> rip_flash_s32(w + 2);
    o->out[n * o->pitch] = (int8_t)rip_saturate_byte(sum);
  }
}

#endif
#endif
