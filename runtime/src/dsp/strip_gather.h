/* From rows of pixels to strips: of four channels, the scalars of one or two rows as halves, a word a column.
 * SPDX-License-Identifier: MIT-0 */
#ifndef RIP_STRIP_GATHER_H
#define RIP_STRIP_GATHER_H

#include "rip/flash.h"
#include "rip/halves.h"
#include "rip/scalars.h"

/* What gather_pair reads and where it writes. A row of padding is one pixel again and again: its pitch is 0. */
typedef struct gathering {
  int32_t* to;                      /* the first lane's strip */
  int32_t strip_bytes;              /* from lane to lane */
  const int8_t *upper, *lower;      /* the first column of the four channels in two rows */
  int32_t upper_pitch, lower_pitch; /* from column to column */
  int32_t count;                    /* columns */
} gathering;

/* One row alone of the two of a strip. Words come from it as two scalars, of which each strip needs one: those of lanes
 * 0 and 1 the low half, of lanes 2 and 3 the high one. Where the row is the upper one, lanes 2 and 3 are turned round,
 * or else lanes 0 and 1. What is in the other halves no weight is multiplied with. */
typedef struct single {
  int32_t *straight, *turned;
  int32_t strip_bytes;
  const int8_t* row;
  int32_t pitch, count;
} single;

#if RIP_DSP_ASM

/* r0 to r3: strips, r4 and r5: rows, r6 and r7: their pitches, on the stack: the end of the first strip. An odd column
 * comes first, then four after four, of which the first turn may leave out two. */
#define LANE_OF_ONE(strip, word, rotation) \
  "sxtb16 r11, " #word rotation            \
  "\n\t"                                   \
  "str r11, [" #strip "], #4\n\t"
#define LANE_OF_TWO(strip, first, second, rotation) \
  "sxtb16 r11, " #first rotation                    \
  "\n\t"                                            \
  "sxtb16 lr, " #second rotation                    \
  "\n\t"                                            \
  "strd r11, lr, [" #strip "], #8\n\t"
#define TWO_COLUMNS                                                                                    \
  "ldr r9, [r4, r6]\n\t"                                                                               \
  "ldr r8, [r4]\n\t"                                                                                   \
  "ldr r11, [r5, r7]\n\t"                                                                              \
  "ldr r10, [r5]\n\t"                                                                                  \
  "add r4, r4, r6, lsl #1\n\t"                                                                         \
  "add r5, r5, r7, lsl #1\n\t"                                                                         \
  "pkhbt r12, r8, r10, lsl #16\n\t"                                                                    \
  "pkhtb r8, r10, r8, asr #16\n\t"                                                                     \
  "pkhbt r10, r9, r11, lsl #16\n\t"                                                                    \
  "pkhtb r9, r11, r9, asr #16\n\t" LANE_OF_TWO(r0, r12, r10, "") LANE_OF_TWO(r1, r12, r10, ", ror #8") \
      LANE_OF_TWO(r2, r8, r9, "") LANE_OF_TWO(r3, r8, r9, ", ror #8")

/* From the struct at r0 to the registers, and an odd column. r9: the end of the first strip. */
#define ODD_COLUMN_OF_PAIR                                                                                           \
  "ldm r0, {r0, r1, r4-r8}\n\t"                                                                                      \
  "add r2, r0, r1, lsl #1\n\t"                                                                                       \
  "adds r3, r2, r1\n\t"                                                                                              \
  "adds r1, r0, r1\n\t"                                                                                              \
  "add r9, r0, r8, lsl #2\n\t"                                                                                       \
  "push {r9}\n\t"                                                                                                    \
  "lsls r8, r8, #31\n\t"                                                                                             \
  "beq 1f\n\t"                                                                                                       \
  "ldr r8, [r4]\n\t"                                                                                                 \
  "ldr r10, [r5]\n\t"                                                                                                \
  "adds r4, r4, r6\n\t"                                                                                              \
  "adds r5, r5, r7\n\t"                                                                                              \
  "pkhbt r12, r8, r10, lsl #16\n\t"                                                                                  \
  "pkhtb r8, r10, r8, asr #16\n\t" LANE_OF_ONE(r0, r12, "") LANE_OF_ONE(r1, r12, ", ror #8") LANE_OF_ONE(r2, r8, "") \
      LANE_OF_ONE(r3, r8, ", ror #8")

RIP_HOT __attribute__((naked, noinline)) static void gather_pair(const gathering* g __attribute__((unused))) {
  __asm__ volatile("push {r4-r11, lr}\n\t" ODD_COLUMN_OF_PAIR
                   "1: subs r9, r9, r0\n\t"
                   "beq 4f\n\t"
                   "lsls r9, r9, #28\n\t"
                   "bne 3f\n\t"
                   "2: " TWO_COLUMNS "3: " TWO_COLUMNS
                   "ldr lr, [sp]\n\t"
                   "cmp r0, lr\n\t"
                   "bne 2b\n\t"
                   "4: pop {r9}\n\t"
                   "pop {r4-r11, pc}");
}

/* r0 and r6: strips of the lanes that the row's scalars are put into as they come, r1 and r7: of the others, r3: the
 * row, r4: its pitch, r5: columns, then the end of the first strip. */
RIP_HOT __attribute__((naked, noinline)) static void gather_single(const single* g __attribute__((unused))) {
  __asm__ volatile(
      "push {r4-r11, lr}\n\t"
      "ldm r0, {r0, r1, r2, r3, r4, r5}\n\t"
      "adds r6, r0, r2\n\t"
      "adds r7, r1, r2\n\t"
      "lsrs r8, r5, #1\n\t"
      "add r5, r0, r5, lsl #2\n\t"
      "bcc 1f\n\t"
      "ldr r8, [r3]\n\t"
      "adds r3, r3, r4\n\t"
      "sxtb16 r10, r8\n\t"
      "sxtb16 r11, r8, ror #8\n\t"
      "str r10, [r0], #4\n\t"
      "str r11, [r6], #4\n\t"
      "ror r10, r10, #16\n\t"
      "ror r11, r11, #16\n\t"
      "str r10, [r1], #4\n\t"
      "str r11, [r7], #4\n\t"
      "cmp r0, r5\n\t"
      "beq 2f\n\t"
      "1: ldr r8, [r3]\n\t"
      "ldr r9, [r3, r4]\n\t"
      "add r3, r3, r4, lsl #1\n\t"
      "sxtb16 r10, r8\n\t"
      "sxtb16 r11, r9\n\t"
      "strd r10, r11, [r0], #8\n\t"
      "ror r10, r10, #16\n\t"
      "ror r11, r11, #16\n\t"
      "strd r10, r11, [r1], #8\n\t"
      "sxtb16 r10, r8, ror #8\n\t"
      "sxtb16 r11, r9, ror #8\n\t"
      "strd r10, r11, [r6], #8\n\t"
      "ror r10, r10, #16\n\t"
      "ror r11, r11, #16\n\t"
      "strd r10, r11, [r7], #8\n\t"
      "cmp r0, r5\n\t"
      "bne 1b\n\t"
      "2: pop {r4-r11, pc}");
}

#else

/* One column: the upper row's scalars are the low halves. */
static inline void put_column(int32_t* to, int32_t words, int32_t upper, int32_t lower) {
  const int32_t low = rip_join_low(upper, lower), high = rip_join_high(upper, lower);
  to[0] = rip_even_bytes(low);
  to[words] = rip_odd_bytes(low);
  to[2 * words] = rip_even_bytes(high);
  to[3 * words] = rip_odd_bytes(high);
}

static void gather_pair(const gathering* g) {
  const int8_t *upper = g->upper, *lower = g->lower;
  int32_t i;
  for (i = 0; i < g->count; i++, upper += g->upper_pitch, lower += g->lower_pitch) {
    put_column(g->to + i, g->strip_bytes / 4, rip_load_s32(upper), rip_load_s32(lower));
  }
}

static inline int32_t exchange_halves(int32_t x) { return rip_halves(rip_high_half(x), x); }

static void gather_single(const single* g) {
  const int32_t words = g->strip_bytes / 4;
  int32_t i;
  for (i = 0; i < g->count; i++) {
    const int32_t a = rip_load_s32(g->row + i * g->pitch), even = rip_even_bytes(a), odd = rip_odd_bytes(a);
    g->straight[i] = even;
    g->straight[i + words] = odd;
    g->turned[i] = exchange_halves(even);
    g->turned[i + words] = exchange_halves(odd);
  }
}

#endif
#endif
