/* Four scalars as two words of two. SPDX-License-Identifier: MIT-0 */
#include "rip/m0.h"

#if defined(__thumb__) && !defined(RIP_NO_ASM)

/* The two words of a word of bytes. r4 to r6: 0x80808080, 0x00ff00ff, -0x00800080. */
#define TWO_WORDS(bytes, other)                                                                               \
  "eors " bytes ", r4\n lsrs " other ", " bytes ", #8\n ands " bytes ", r5\n ands " other ", r5\n add " bytes \
  ", r12\n add " other ", r12\n"

#define IN_REGISTER __attribute__((unused)) /* read by the assembly alone */

RIP_HOT __attribute__((naked, noinline)) static int32_t* widen_words(int32_t* to IN_REGISTER,
                                                                     const int8_t* from IN_REGISTER,
                                                                     int32_t quads IN_REGISTER) {
  __asm__ volatile(
      ".syntax unified\n"
      "push {r4, r5, r6, r7, lr}\n ldr r4, 8f\n ldr r5, 9f\n ldr r3, 7f\n mov r12, r3\n"
      "lsls r3, r2, #2\n adds r3, r1\n mov lr, r3\n lsrs r2, r2, #1\n bcc 2f\n"
      "ldmia r1!, {r2}\n" TWO_WORDS("r2", "r3") "stmia r0!, {r2, r3}\n b 2f\n"
      "1: ldmia r1!, {r2, r6}\n" TWO_WORDS("r2", "r3") TWO_WORDS("r6", "r7") "stmia r0!, {r2, r3, r6, r7}\n"
      "2: cmp r1, lr\n bne 1b\n pop {r4, r5, r6, r7, pc}\n"
      ".balign 4\n7: .word 0xff7fff80\n8: .word 0x80808080\n9: .word 0x00ff00ff\n");
}

/* Two words of the bytes at r1, which is moved on; r4 and r5: 0 and 2. */
#define GATHER_QUAD                                                                                   \
  "ldrsb r2, [r1, r4]\n ldrsb r3, [r1, r5]\n adds r1, #1\n ldrsb r6, [r1, r4]\n ldrsb r7, [r1, r5]\n" \
  "lsls r3, r3, #16\n adds r2, r3\n lsls r7, r7, #16\n adds r3, r6, r7\n stmia r0!, {r2, r3}\n adds r1, #3\n"

/* The same of bytes that lie anywhere. */
RIP_HOT __attribute__((naked, noinline)) static int32_t* widen_bytes(int32_t* to IN_REGISTER,
                                                                     const int8_t* from IN_REGISTER,
                                                                     int32_t quads IN_REGISTER) {
  __asm__ volatile(
      ".syntax unified\n"
      "push {r4, r5, r6, r7, lr}\n lsls r3, r2, #2\n adds r3, r1\n mov lr, r3\n movs r4, #0\n movs r5, #2\n"
      "lsrs r2, r2, #1\n bcs 2f\n"
      "1:" GATHER_QUAD "2:" GATHER_QUAD "cmp r1, lr\n bne 1b\n pop {r4, r5, r6, r7, pc}\n");
}

int32_t* rip_m0_widen(int32_t* to, const int8_t* from, int32_t quads) {
  return ((uintptr_t)from & 3U) == 0 ? widen_words(to, from, quads) : widen_bytes(to, from, quads);
}

#else

static inline int32_t pair_of(int32_t first, int32_t second) {
  return (int32_t)((uint32_t)first + ((uint32_t)second << 16));
}

int32_t* rip_m0_widen(int32_t* to, const int8_t* from, int32_t quads) {
  for (; quads > 0; quads--, from += 4, to += 2) {
    const int32_t first = pair_of(from[0], from[2]), second = pair_of(from[1], from[3]);
    to[0] = first;
    to[1] = second;
  }
  return to;
}

#endif
