/* What the two inner products of rip/dsp_tile.h have in common in assembly. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_DSP_ASM_H
#define RIP_DSP_ASM_H

/* A function with no argument but the tile, so that the compiler need not help. Sums of the first channel at both
 * pixels in r0 and r1, of the second in r2 and r3; r12: the stream, lr: the taps; r4 to r11: whatever is loaded.
 *
 *   start   loads the first values of the sums
 *   step    takes 2^log_words words of taps in `bytes` bytes of code; there are `steps` of them, a power of two
 *   scale   loads multiplier, addend and shift of both channels into r4-r6 and r7-r9; doubles the sums
 *   common  the same, but scales the sums to the common shift
 *
 * Where to enter the steps, what follows the last step, and what follows the last taps are found once for all tiles of
 * a row and kept in the tile; its eight words from `enter` on are copied to the stack. The first turn through the steps
 * takes what is over a multiple of `steps`. */
#define RIP_DSP_TILE(start, step, bytes, steps, log_words, scale, common) \
  "push {r4-r11, lr}\n\t" \
  "sub sp, sp, #36\n\t" \
  "ldr r12, [r0]\n\t" \
  "ldr r2, [r0, #4]\n\t" \
  "cbnz r2, 12f\n\t" \
  "ldr r2, [r0, #8]\n\t" \
  "ldr r3, [r0, #24]\n\t" \
  "ldr r7, [r0, #36]\n\t" \
  "ldr r1, [r0, #40]\n\t" \
  "subs r3, r3, r2\n\t" \
  "lsrs r3, r3, #(" log_words "+2)\n\t" \
  "subs r2, r3, #1\n\t" \
  "and r2, r2, #(" steps "-1)\n\t" \
  "adds r2, r2, #1\n\t" \
  "movs r4, #" bytes "\n\t" \
  "muls r2, r4, r2\n\t" \
  "adr.w r4, 4f\n\t" \
  "subs r2, r4, r2\n\t" \
  "orr r2, r2, #1\n\t" \
  "str r2, [r0, #4]\n\t" \
  "adr.w r4, 6f\n\t" \
  "cbz r7, 1f\n\t" \
  "adr.w r4, 7f\n\t" \
  "1: cbz r1, 1f\n\t" \
  "adr.w r4, 10f\n\t" \
  "subs r1, r1, #8\n\t" \
  "ldrsh r1, [r4, r1, lsl #1]\n\t" \
  "adds r4, r4, r1\n\t" \
  "1: orr r4, r4, #1\n\t" \
  "str r4, [r0, #32]\n\t" \
  "cmp r3, #" steps "\n\t" \
  "bls 1f\n\t" \
  "adr.w r4, 5f\n\t" \
  "orr r4, r4, #1\n\t" \
  "1: str r4, [r0, #28]\n\t" \
  "12: adds r1, r0, #4\n\t" \
  "ldmia r1, {r2-r9}\n\t" \
  "cmp r4, r6\n\t" \
  "beq.w 9f\n\t" \
  "stmia sp, {r2-r9}\n\t" \
  "2:\n\t" start \
  "ldr lr, [sp, #4]\n\t" \
  "ldr pc, [sp]\n\t" \
  "3:\n\t" \
  ".rept " steps "\n\t" step ".endr\n\t" \
  "4: ldr pc, [sp, #24]\n\t" \
  "5: ldr r4, [sp, #20]\n\t" \
  "cmp lr, r4\n\t" \
  "bne.w 3b\n\t" \
  "ldr pc, [sp, #28]\n\t" \
  "6:\n\t" scale \
  "smmlar r0, r0, r4, r5\n\t" \
  "smmlar r1, r1, r4, r5\n\t" \
  "smmlar r2, r2, r7, r8\n\t" \
  "smmlar r3, r3, r7, r8\n\t" \
  "b 8f\n\t" \
  "7:\n\t" scale \
  "add r10, r5, r0, asr #31\n\t" \
  "add r11, r5, r1, asr #31\n\t" \
  "smmlar r0, r0, r4, r10\n\t" \
  "smmlar r1, r1, r4, r11\n\t" \
  "add r10, r8, r2, asr #31\n\t" \
  "add r11, r8, r3, asr #31\n\t" \
  "smmlar r2, r2, r7, r10\n\t" \
  "smmlar r3, r3, r7, r11\n\t" \
  "8: asrs r0, r0, r6\n\t" \
  "asrs r1, r1, r6\n\t" \
  "asr r2, r2, r9\n\t" \
  "asr r3, r3, r9\n\t" \
  "ssat r0, #8, r0\n\t" \
  "ssat r1, #8, r1\n\t" \
  "ssat r2, #8, r2\n\t" \
  "ssat r3, #8, r3\n\t" RIP_DSP_STORE \
  "b 9f\n\t" \
  ".irp shift, 8, 9, 10, 11, 12, 13\n\t" \
  "2\\shift:\n\t" common RIP_DSP_COMMON("\\shift") \
  ".endr\n\t" \
  "9: mov r0, r12\n\t" \
  "add sp, sp, #36\n\t" \
  "pop {r4-r11, pc}\n\t" \
  "10: .hword 28b-10b, 29b-10b, 210b-10b, 211b-10b, 212b-10b, 213b-10b"

/* Writes two channels of both pixels and goes on with the next two. */
#define RIP_DSP_STORE           \
  "ldrd r10, r11, [sp, #8]\n\t" \
  "bfi r0, r2, #8, #8\n\t"      \
  "bfi r1, r3, #8, #8\n\t"      \
  "strh r1, [r10, r11]\n\t"     \
  "strh r0, [r10], #2\n\t"      \
  "ldr r4, [sp, #16]\n\t"       \
  "str r10, [sp, #8]\n\t"       \
  "cmp r10, r4\n\t"             \
  "bne.w 2b\n\t"

#define RIP_DSP_COMMON(shift)    \
  "smmla r0, r0, r4, r5\n\t"     \
  "smmla r1, r1, r4, r5\n\t"     \
  "smmla r2, r2, r7, r8\n\t"     \
  "smmla r3, r3, r7, r8\n\t"     \
  "ssat r0, #8, r0, asr #" shift \
  "\n\t"                         \
  "ssat r1, #8, r1, asr #" shift \
  "\n\t"                         \
  "ssat r2, #8, r2, asr #" shift \
  "\n\t"                         \
  "ssat r3, #8, r3, asr #" shift "\n\t" RIP_DSP_STORE "b 9f\n\t"

#endif
