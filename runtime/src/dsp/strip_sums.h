/* The inner product of rip_depthwise_dsp, for KERNEL columns and as many rows: six outputs at a time, so that a word of
 * a strip that has been read serves all that have a tap on it. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_STRIP_SUMS_H
#define RIP_STRIP_SUMS_H

#include "rip/flash.h"
#include "rip/halves.h"

#define STRIPS ((KERNEL + 1) / 2)
#define SUMS 6                           /* outputs that are made together */
#define RECORD (1 + STRIPS * KERNEL + 3) /* words of the stream that make a row */

/* Outputs of one channel after another to make from their strips: SUMS after SUMS, the last SUMS being the last of the
 * row. */
typedef struct outputs {
  int32_t* strips[STRIPS]; /* of each, the first word that the first output of the first channel needs */
  const int32_t* record;   /* of the stream */
  int8_t* out;
  int32_t count, pitch; /* of outputs; from one to the next */
  int32_t odd_rounding;
  int32_t lanes;        /* channels */
  int32_t strip_bytes;  /* from channel to channel, but for the last strip */
  int32_t record_bytes; /* from the last three words of a record to the next channel's */
  intptr_t last_bytes;  /* of the last strip, to the second channel */
  intptr_t then_bytes;  /* to the third; then these two in turn */
} outputs;

#if RIP_DSP_ASM

/* r0: strip, r1: record, r2 and r3: words, r4 to r6: weights, r7 to r12: sums, lr: bytes of a strip from the first
 * output to these. The assembler's macros keep the text short: it is repeated for every strip. */
#define TAP_MACROS                                                        \
  ".macro tap0 sum word from\n smlad \\sum, \\word, r4, \\from\n .endm\n" \
  ".macro tap1 sum word\n smlad \\sum, \\word, r5, \\sum\n .endm\n"       \
  ".macro tap2 sum word\n smlad \\sum, \\word, r6, \\sum\n .endm\n"

/* Two words of a strip, and one. */
#define HALVES                                           \
  ".macro words at\n ldrd r2, r3, [r0, #\\at]\n .endm\n" \
  ".macro word at\n ldr r2, [r0, #\\at]\n .endm\n"
#define NO_WORDS ".purgem words\n .purgem word\n"

/* Columns 0 to 2 of a strip; f: where the first five sums start from. */
#define THREE_BY_1                                                                                         \
  ".macro three f0 f1 f2 f3 f4\n ldm r1!, {r4, r5, r6}\n"                                                  \
  "words 0\n tap0 r7 r2 \\f0\n tap1 r7 r3\n tap0 r8 r3 \\f1\n"                                             \
  "words 8\n tap2 r7 r2\n tap1 r8 r2\n tap0 r9 r2 \\f2\n tap2 r8 r3\n tap1 r9 r3\n tap0 r10 r3 \\f3\n"     \
  "words 16\n tap2 r9 r2\n tap1 r10 r2\n tap0 r11 r2 \\f4\n tap2 r10 r3\n tap1 r11 r3\n tap0 r12 r3 r12\n" \
  "words 24\n tap2 r11 r2\n tap1 r12 r2\n tap2 r12 r3\n .endm\n"
#define THREE_BY_2                                                                                                  \
  ".macro three f0 f1 f2 f3 f4\n ldm r1!, {r4, r5, r6}\n"                                                           \
  "words 0\n tap0 r7 r2 \\f0\n tap1 r7 r3\n words 8\n tap2 r7 r2\n tap0 r8 r2 \\f1\n tap1 r8 r3\n"                  \
  "words 16\n tap2 r8 r2\n tap0 r9 r2 \\f2\n tap1 r9 r3\n words 24\n tap2 r9 r2\n tap0 r10 r2 \\f3\n tap1 r10 r3\n" \
  "words 32\n tap2 r10 r2\n tap0 r11 r2 \\f4\n tap1 r11 r3\n"                                                       \
  "words 40\n tap2 r11 r2\n tap0 r12 r2 r12\n tap1 r12 r3\n word 48\n tap2 r12 r2\n .endm\n"

/* Two columns, the first `at` bytes on. */
#define TWO_BY_1                                                                    \
  ".macro two at\n ldm r1!, {r4, r5}\n"                                             \
  "words \\at\n tap0 r7 r2 r7\n tap1 r7 r3\n tap0 r8 r3 r8\n"                       \
  "words \\at+8\n tap1 r8 r2\n tap0 r9 r2 r9\n tap1 r9 r3\n tap0 r10 r3 r10\n"      \
  "words \\at+16\n tap1 r10 r2\n tap0 r11 r2 r11\n tap1 r11 r3\n tap0 r12 r3 r12\n" \
  "word \\at+24\n tap1 r12 r2\n .endm\n"
#define TWO_BY_2                                                                                 \
  ".macro two at\n ldm r1!, {r4, r5}\n"                                                          \
  "words \\at\n tap0 r7 r2 r7\n tap1 r7 r3\n words \\at+8\n tap0 r8 r2 r8\n tap1 r8 r3\n"        \
  "words \\at+16\n tap0 r9 r2 r9\n tap1 r9 r3\n words \\at+24\n tap0 r10 r2 r10\n tap1 r10 r3\n" \
  "words \\at+32\n tap0 r11 r2 r11\n tap1 r11 r3\n words \\at+40\n tap0 r12 r2 r12\n tap1 r12 r3\n .endm\n"

/* The struct lies on the stack, after it where the channel's outputs go and how many they are. */
#define NEXT_STRIP(at) "ldr r0, [sp, #" #at "]\n add r0, lr\n"
#if KERNEL == 3
#define COLUMNS(f0, f1, f2, f3, f4) "three " #f0 " " #f1 " " #f2 " " #f3 " " #f4 "\n"
#define OTHER_STRIPS NEXT_STRIP(4) COLUMNS(r7, r8, r9, r10, r11)
#define STRIP_BYTES "8"
#define REST "{r1-r5}"
#define STRIP_REGISTERS "{r6, r7}"
#define OTHER_LANES "add r6, r4\n add r7, r8\n"
#elif KERNEL == 5
#define COLUMNS(f0, f1, f2, f3, f4) "three " #f0 " " #f1 " " #f2 " " #f3 " " #f4 "\n two 12\n"
#define OTHER_STRIPS NEXT_STRIP(4) COLUMNS(r7, r8, r9, r10, r11) NEXT_STRIP(8) COLUMNS(r7, r8, r9, r10, r11)
#define STRIP_BYTES "12"
#define REST "{r1-r6}"
#define STRIP_REGISTERS "{r5, r6, r7}"
#define OTHER_LANES "add r5, r4\n add r6, r4\n add r7, r8\n"
#else
#define COLUMNS(f0, f1, f2, f3, f4) "three " #f0 " " #f1 " " #f2 " " #f3 " " #f4 "\n two 12\n two 20\n"
#define OTHER_STRIPS \
  NEXT_STRIP(4)      \
  COLUMNS(r7, r8, r9, r10, r11) NEXT_STRIP(8) COLUMNS(r7, r8, r9, r10, r11) NEXT_STRIP(12) COLUMNS(r7, r8, r9, r10, r11)
#define STRIP_BYTES "16"
#define REST "{r1-r7}"
#define STRIP_REGISTERS "{r3, r5, r6, r7}"
#define OTHER_LANES "add r3, r4\n add r5, r4\n add r6, r4\n add r7, r8\n"
#endif

#define SUM_MACROS(step)                                                                                \
  ".syntax unified\n" TAP_MACROS THREE_BY_##step TWO_BY_##step                                          \
      ".macro even sum\n smmlar \\sum, \\sum, r4, r5\n asr \\sum, r6\n ssat \\sum, #8, \\sum\n .endm\n" \
      ".macro odd sum\n add r2, r5, \\sum, asr #31\n smmlar \\sum, \\sum, r4, r2\n asr \\sum, r6\n"     \
      "ssat \\sum, #8, \\sum\n .endm\n"

#define NO_SUM_MACROS \
  ".purgem tap0\n .purgem tap1\n .purgem tap2\n .purgem three\n .purgem two\n .purgem even\n .purgem odd\n"

/* What precedes the sums: of all outputs, of some of one channel. */
#define ENTER                                                                 \
  "push {r4-r11, lr}\n sub sp, #48 + " STRIP_BYTES                            \
  "\n mov lr, sp\n ldm r0!, {r1-r7}\n stm lr!, {r1-r7}\n"                     \
  "ldm r0, " REST "\n stm lr, " REST "\n ldrd r2, r3, [sp, #4 + " STRIP_BYTES \
  "]\n strd r2, r3, [sp, #40 + " STRIP_BYTES "]\n mov lr, #0\n"
#define BEGIN "ldr r1, [sp, #" STRIP_BYTES "]\n ldr r12, [r1], #4\n"

#define STRIP_SUMS NEXT_STRIP(0) COLUMNS(r12, r12, r12, r12, r12) OTHER_STRIPS

/* From the sums up to the next channel's record, for which the strips' pointers are still to be moved; 6: after the
 * last one. r4: strip_bytes; again: to the next outputs of the channel. */
#define OUTPUTS(step, again)                                                                                       \
  "ldm r1, {r4, r5, r6}\n ldr r2, [sp, #16 + " STRIP_BYTES                                                         \
  "]\n cbnz r2, 2f\n"                                                                                              \
  "even r7\n even r8\n even r9\n even r10\n even r11\n even r12\n b 3f\n"                                          \
  "2: odd r7\n odd r8\n odd r9\n odd r10\n odd r11\n odd r12\n"                                                    \
  "3: ldrd r2, r4, [sp, #4 + " STRIP_BYTES "]\n ldr r3, [sp, #12 + " STRIP_BYTES                                   \
  "]\n subs r4, #6\n blt 4f\n"                                                                                     \
  "strb r7, [r2]\n strb r8, [r2, r3]\n add r2, r2, r3, lsl #1\n strb r9, [r2]\n strb r10, [r2, r3]\n"              \
  "add r2, r2, r3, lsl #1\n strb r11, [r2]\n strb r12, [r2, r3]\n beq 5f\n"                                        \
  "add r2, r2, r3, lsl #1\n add lr, #24 * " #step                                                                  \
  "\n subs r5, r4, #6\n ittt lt\n"                                                                                 \
  "addlt lr, lr, r5, lsl #1 + " #step                                                                              \
  "\n mlalt r2, r5, r3, r2\n movlt r4, #6\n"                                                                       \
  "strd r2, r4, [sp, #4 + " STRIP_BYTES "]\n " again                                                               \
  "\n"                                                                                                             \
  "4: strb r7, [r2]\n cmn r4, #5\n beq 5f\n strb r8, [r2, r3]\n cmn r4, #4\n beq 5f\n add r2, r2, r3, lsl #1\n"    \
  "strb r9, [r2]\n cmn r4, #3\n beq 5f\n strb r10, [r2, r3]\n cmn r4, #2\n it ne\n strbne r11, [r2, r3, lsl #1]\n" \
  "5: ldr r4, [sp, #20 + " STRIP_BYTES "]\n subs r4, #1\n beq 6f\n str r4, [sp, #20 + " STRIP_BYTES                \
  "]\n"                                                                                                            \
  "ldrd r2, r3, [sp, #40 + " STRIP_BYTES "]\n adds r2, #1\n str r2, [sp, #40 + " STRIP_BYTES                       \
  "]\n"                                                                                                            \
  "strd r2, r3, [sp, #4 + " STRIP_BYTES "]\n ldrd r4, r5, [sp, #24 + " STRIP_BYTES                                 \
  "]\n add r1, r5\n str r1, [sp, #" STRIP_BYTES "]\n mov lr, #0\n"

#define LEAVE "6: add sp, #48 + " STRIP_BYTES "\n pop {r4-r11, pc}\n"

#define MAKE_OUTPUTS(step)                                                                            \
  __asm__ volatile(SUM_MACROS(step) HALVES ENTER "1: " BEGIN STRIP_SUMS OUTPUTS(                      \
      step, "b 1b") "ldrd r8, r9, [sp, #32 + " STRIP_BYTES "]\n strd r9, r8, [sp, #32 + " STRIP_BYTES \
                    "]\n ldm sp, " STRIP_REGISTERS "\n " OTHER_LANES "stm sp, " STRIP_REGISTERS       \
                    "\n b 1b\n" LEAVE NO_WORDS NO_SUM_MACROS)

#define IN_REGISTER __attribute__((unused)) /* read by the assembly alone */

RIP_HOT __attribute__((naked, noinline)) static void make_columns(const outputs* o IN_REGISTER) { MAKE_OUTPUTS(1); }
RIP_HOT __attribute__((naked, noinline)) static void make_other_columns(const outputs* o IN_REGISTER) {
  MAKE_OUTPUTS(2);
}

#else

/* The strip of another channel, which may lie anywhere. */
static const int32_t* strip_of(const outputs* o, int32_t strip, int32_t lane) {
  const intptr_t bytes =
      strip < STRIPS - 1 ? (intptr_t)lane * o->strip_bytes : (lane + 1) / 2 * o->last_bytes + lane / 2 * o->then_bytes;
  return (const int32_t*)((intptr_t)o->strips[strip] + bytes);
}

/* The channels lie side by side. */
static void make_strided(const outputs* o, int32_t stride) {
  const int32_t record_words = RECORD - 3 + o->record_bytes / 4;
  int32_t lane, n, j, i;
  for (lane = 0; lane < o->lanes; lane++) {
    for (n = 0; n < o->count; n++) {
      const int32_t* w = o->record + lane * record_words;
      int32_t sum = rip_flash_s32(w++), addend;
      for (j = 0; j < STRIPS; j++) {
        const int32_t* v = strip_of(o, j, lane) + n * stride;
        for (i = 0; i < KERNEL; i++) sum = rip_smlad(v[i], rip_flash_s32(w++), sum);
      }
      addend = rip_flash_s32(w + 1) + (o->odd_rounding ? sum >> 31 : 0);
      sum = rip_smmlar(sum, rip_flash_s32(w), addend) >> rip_flash_s32(w + 2);
      o->out[n * o->pitch + lane] = (int8_t)rip_saturate_byte(sum);
    }
  }
}

static void make_columns(const outputs* o) { make_strided(o, 1); }
static void make_other_columns(const outputs* o) { make_strided(o, 2); }

#endif

typedef void outputs_maker(const outputs* o);

/* Each output starts `stride` words (1 or 2) after the last. */
static outputs_maker* maker_for(int32_t stride) { return stride == 1 ? make_columns : make_other_columns; }

static void make_outputs(const outputs* o, int32_t stride) {
  if (stride == 1) {
    make_columns(o);
  } else {
    make_other_columns(o);
  }
}

#endif
