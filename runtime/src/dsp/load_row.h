/* One channel of a row. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_LOAD_ROW_H
#define RIP_LOAD_ROW_H

#include "rip/flash.h"
#include "rip/halves.h"

#if RIP_DSP_ASM

/* Copies bytes that are `pitch` apart: up to three one by one, the others four by four. */
RIP_HOT __attribute__((naked, noinline)) static void load_row(int8_t* to __attribute__((unused)),
                                                              const int8_t* from __attribute__((unused)),
                                                              int32_t pitch __attribute__((unused)),
                                                              int32_t count __attribute__((unused))) {
  __asm__ volatile(
      ".syntax unified\n push {r4, r5, r6}\n add r12, r0, r3\n ands r3, #3\n beq 2f\n"
      "1: ldrb r4, [r1]\n add r1, r2\n strb r4, [r0], #1\n subs r3, #1\n bne 1b\n"
      "2: cmp r0, r12\n beq 4f\n"
      "3: ldrb r3, [r1]\n ldrb r4, [r1, r2]\n add r1, r1, r2, lsl #1\n ldrb r5, [r1]\n ldrb r6, [r1, r2]\n"
      "add r1, r1, r2, lsl #1\n orr r3, r3, r4, lsl #8\n orr r5, r5, r6, lsl #8\n orr r3, r3, r5, lsl #16\n"
      "str r3, [r0], #4\n cmp r0, r12\n bne 3b\n"
      "4: pop {r4, r5, r6}\n bx lr\n");
}

#else

static void load_row(int8_t* to, const int8_t* from, int32_t pitch, int32_t count) {
  for (; count > 0; count--, from += pitch) *to++ = *from;
}

#endif
#endif
