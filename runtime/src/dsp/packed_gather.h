/* From rows of pixels to packed strips: of four channels the scalars of two rows, those of two channels a word; of a
 * third row as they are. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_PACKED_GATHER_H
#define RIP_PACKED_GATHER_H

#include "row_gather.h"

/* gather_packed: three strips one after another, from that of the only pair on: of channels 0 and 1, and of 2 and 3,
 * the upper row's scalars in the low halves; then of the last row. */

#if RIP_DSP_ASM

/* r0 to r2: strips, r4, r5 and r11: rows, r6, r7 and r12: their pitches, on the stack: the end of the first strip. An
 * odd column comes first, then eight after eight, of which the first turn may leave out two, four or six. */
#define TWO_PACKED                                                                        \
  "ldr r8, [r4]\n ldr r9, [r4, r6]\n ldr r10, [r5]\n ldr lr, [r5, r7]\n"                  \
  "add r4, r4, r6, lsl #1\n add r5, r5, r7, lsl #1\n pkhbt r3, r8, r10, lsl #16\n"        \
  "pkhtb r10, r10, r8, asr #16\n pkhbt r8, r9, lr, lsl #16\n pkhtb lr, lr, r9, asr #16\n" \
  "strd r3, r8, [r0], #8\n strd r10, lr, [r1], #8\n ldr r8, [r11]\n ldr r9, [r11, r12]\n" \
  "add r11, r11, r12, lsl #1\n strd r8, r9, [r2], #8\n"

RIP_HOT __attribute__((naked, noinline)) static void gather_packed(const row_gathering* g __attribute__((unused))) {
  __asm__ volatile(
      ".syntax unified\n push {r4-r11, lr}\n ldm r0, {r0, r1, r4-r12}\n add r2, r0, r1, lsl #1\n add r1, r0, r1\n"
      "add r3, r0, r8, lsl #2\n push {r3}\n lsls r8, r8, #31\n beq 1f\n"
      "ldr r8, [r4]\n ldr r9, [r5]\n ldr r10, [r11]\n add r4, r4, r6\n add r5, r5, r7\n add r11, r11, r12\n"
      "pkhbt lr, r8, r9, lsl #16\n pkhtb r9, r9, r8, asr #16\n"
      "str lr, [r0], #4\n str r9, [r1], #4\n str r10, [r2], #4\n"
      "1: subs r3, r3, r0\n beq 6f\n lsls r3, r3, #27\n beq 2f\n bpl 5f\n lsls r3, r3, #1\n bpl 4f\n b 3f\n"
      "2: " TWO_PACKED "3: " TWO_PACKED "4: " TWO_PACKED "5: " TWO_PACKED
      "ldr r3, [sp]\n cmp r0, r3\n bne 2b\n"
      "6: pop {r3}\n pop {r4-r11, pc}");
}

#else

static void gather_packed(const row_gathering* g) {
  const gathering* const pair = &g->pairs[0];
  const int32_t words = pair->strip_bytes / 4;
  int32_t i;
  for (i = 0; i < pair->count; i++) {
    const int32_t upper = rip_load_s32(pair->upper + i * pair->upper_pitch);
    const int32_t lower = rip_load_s32(pair->lower + i * pair->lower_pitch);
    pair->to[i] = rip_join_low(upper, lower);
    pair->to[i + words] = rip_join_high(upper, lower);
    pair->to[i + 2 * words] = rip_load_s32(g->last + i * g->last_pitch);
  }
}

#endif
#endif
