/* From the rows of one window to strips: two rows after two, then the last one. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_ROW_GATHER_H
#define RIP_ROW_GATHER_H

#include "strip_gather.h"

typedef struct row_gathering {
  gathering pairs[KERNEL / 2];
  int32_t *even, *odd; /* of the last row: strips of channels 0 and 2, and of 1 and 3 */
  const int8_t* last;
  int32_t last_pitch;
  int32_t count; /* columns of it */
} row_gathering;

#if RIP_DSP_ASM

/* On the stack: the pair, and where pairs end. */
#if KERNEL == 3
#define NEXT_PAIR "ldr r0, [sp, #4]\n\t"
#else
#define NEXT_PAIR        \
  "ldr r0, [sp]\n\t"     \
  "ldr r1, [sp, #4]\n\t" \
  "adds r0, #28\n\t"     \
  "str r0, [sp]\n\t"     \
  "cmp r0, r1\n\t"       \
  "bne 0b\n\t"
#endif

/* Eight columns of a pair a turn, of which the first may leave out two, four or six. Then r0 and r1: strips, r2: the
 * row, r3: its pitch, r12: columns, lr: three times the pitch. What eight leave over comes first. */
#define FOUR_OF_LAST                 \
  "ldr r4, [r2]\n\t"                 \
  "ldr r6, [r2, r3]\n\t"             \
  "ldr r8, [r2, r3, lsl #1]\n\t"     \
  "ldr r10, [r2, lr]\n\t"            \
  "add r2, r2, r3, lsl #2\n\t"       \
  "sxtb16 r5, r4\n\t"                \
  "sxtb16 r4, r4, ror #8\n\t"        \
  "sxtb16 r7, r6\n\t"                \
  "sxtb16 r6, r6, ror #8\n\t"        \
  "sxtb16 r9, r8\n\t"                \
  "sxtb16 r8, r8, ror #8\n\t"        \
  "sxtb16 r11, r10\n\t"              \
  "sxtb16 r10, r10, ror #8\n\t"      \
  "stmia r0!, {r5, r7, r9, r11}\n\t" \
  "stmia r1!, {r4, r6, r8, r10}\n\t"

RIP_HOT __attribute__((naked, noinline)) static void gather_rows(const row_gathering* g __attribute__((unused))) {
  __asm__ volatile(
      "add r1, r0, %[pairs]\n\t"
      "push {r0, r1, r4-r11, lr}\n\t"
      "0: " ODD_COLUMN_OF_PAIR
      "1: subs r9, r9, r0\n\t"
      "beq 6f\n\t"
      "lsls r9, r9, #27\n\t"
      "beq 2f\n\t"
      "bpl 5f\n\t"
      "lsls r9, r9, #1\n\t"
      "bpl 4f\n\t"
      "b 3f\n\t"
      "2: " TWO_COLUMNS "3: " TWO_COLUMNS "4: " TWO_COLUMNS "5: " TWO_COLUMNS
      "ldr lr, [sp]\n\t"
      "cmp r0, lr\n\t"
      "bne 2b\n\t"
      "6: pop {r9}\n\t" NEXT_PAIR
      "ldm r0, {r0, r1, r2, r3, r12}\n\t"
      "lsrs r12, r12, #1\n\t"
      "bcc 1f\n\t"
      "ldr r4, [r2]\n\t"
      "add r2, r2, r3\n\t"
      "sxtb16 r5, r4\n\t"
      "sxtb16 r4, r4, ror #8\n\t"
      "str r5, [r0], #4\n\t"
      "str r4, [r1], #4\n\t"
      "1: lsrs r12, r12, #1\n\t"
      "bcc 2f\n\t"
      "ldr r4, [r2]\n\t"
      "ldr r6, [r2, r3]\n\t"
      "add r2, r2, r3, lsl #1\n\t"
      "sxtb16 r5, r4\n\t"
      "sxtb16 r4, r4, ror #8\n\t"
      "sxtb16 r7, r6\n\t"
      "sxtb16 r6, r6, ror #8\n\t"
      "stmia r0!, {r5, r7}\n\t"
      "stmia r1!, {r4, r6}\n\t"
      "2: beq 5f\n\t"
      "add lr, r3, r3, lsl #1\n\t"
      "lsrs r12, r12, #1\n\t"
      "bcc 3f\n\t" FOUR_OF_LAST
      "beq 5f\n\t"
      "3: " FOUR_OF_LAST FOUR_OF_LAST
      "subs r12, r12, #1\n\t"
      "bne 3b\n\t"
      "5: pop {r0, r1, r4-r11, pc}"
      :
      : [pairs] "i"(28 * (KERNEL / 2))
      : "memory");
}

#else

static void gather_rows(const row_gathering* g) {
  int32_t i;
  for (i = 0; i < KERNEL / 2; i++) gather_pair(&g->pairs[i]);
  for (i = 0; i < g->count; i++) {
    const int32_t scalars = rip_load_s32(g->last + i * g->last_pitch);
    g->even[i] = rip_even_bytes(scalars);
    g->odd[i] = rip_odd_bytes(scalars);
  }
}

#endif
#endif
