/* What the two inner products of rip/dsp_pixel.h have in common in assembly. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_DSP_PIXEL_ASM_H
#define RIP_DSP_PIXEL_ASM_H

/* Sums of the four channels in r0 to r3; r12 and lr: the streams of the two pairs, r10: the taps, r11: how many of them
 * are left, r8 and r9: four taps, r4 to r7: whatever is loaded. The pixel's eleven words are copied to the stack, and
 * behind them lie the bytes from record to record and the run that comes next.
 *
 *   start     loads the first values of the sums
 *   multiply  takes the four taps in r8 and r9
 *   same      takes four taps that are all as in r8
 *   scale(first, second)   loads multiplier, addend and shift of two channels into r4-r6 and r7-r9; doubles their sums
 *   common(first, second)  the same, but scales the sums to the common shift in r10 */
#define RIP_DSP_PIXEL(start, multiply, same, scale, common) \
  "push {r4-r11, lr}\n\t"                                                                                              \
  "sub sp, sp, #52\n\t"                                                                                                \
  "ldmia r0, {r1-r11}\n\t"                                                                                             \
  "stmia sp, {r1-r11}\n\t"                                                                                             \
  "mov r12, r1\n\t"                                                                                                    \
  "mov lr, r2\n\t"                                                                                                     \
  "subs r2, r2, r1\n\t"                                                                                                \
  "str r2, [sp, #44]\n\t"                                                                                              \
  "cmp r7, r8\n\t"                                                                                                     \
  "beq.w 9f\n\t"                                                                                                       \
  "1:\n\t" start                                                                                                       \
  "ldr r10, [sp, #8]\n\t"                                                                                              \
  "cmp r10, #0\n\t"                                                                                                    \
  "beq.w 2f\n\t"                                                                                                       \
  "ldr r11, [sp, #12]\n\t" RIP_DSP_LOOP("ldrd r8, r9, [r10], #8\n\t" multiply)                                         \
  "b.w 6f\n\t"                                                                                                         \
  "2: ldr r4, [sp, #16]\n\t"                                                                                           \
  "3: ldmia r4!, {r10, r11}\n\t"                                                                                       \
  "str r4, [sp, #48]\n\t"                                                                                              \
  "cmp r10, #0\n\t"                                                                                                    \
  "beq.w 4f\n\t" RIP_DSP_LOOP("ldr r9, [r10], #4\n\t"                                                                  \
                              "sxtb16 r8, r9\n\t"                                                                      \
                              "sxtb16 r9, r9, ror #8\n\t" multiply)                                                    \
  "b.w 5f\n\t"                                                                                                         \
  "4: ldr r8, [sp, #32]\n\t"                                                                                           \
  "40:\n\t" same                                                                                                       \
  "subs r11, r11, #4\n\t"                                                                                              \
  "bne.w 40b\n\t"                                                                                                      \
  "5: ldr r4, [sp, #48]\n\t"                                                                                           \
  "ldr r5, [sp, #20]\n\t"                                                                                              \
  "cmp r4, r5\n\t"                                                                                                     \
  "bne.w 3b\n\t"                                                                                                       \
  "6: ldrd r11, r10, [sp, #36]\n\t"                                                                                    \
  "cmp r10, #0\n\t"                                                                                                    \
  "bne.w 7f\n\t"                                                                                                       \
  "cmp r11, #0\n\t"                                                                                                    \
  "bne.w 70f\n\t"                                                                                                      \
  "ldmia r12!, {r4-r9}\n\t" scale("r0", "r1") RIP_DSP_ROUND("r0", "r1", "r5", "r8")                                    \
  "ldmia lr!, {r4-r9}\n\t" scale("r2", "r3") RIP_DSP_ROUND("r2", "r3", "r5", "r8")                                     \
  "b.w 8f\n\t"                                                                                                         \
  "70:\n\t"                                                                                                            \
  "ldmia r12!, {r4-r9}\n\t" scale("r0", "r1") RIP_DSP_ODD("r0", "r1") RIP_DSP_ROUND("r0", "r1", "r10", "r11")          \
  "ldmia lr!, {r4-r9}\n\t" scale("r2", "r3") RIP_DSP_ODD("r2", "r3") RIP_DSP_ROUND("r2", "r3", "r10", "r11")           \
  "b.w 8f\n\t"                                                                                                         \
  "7:\n\t"                                                                                                             \
  "ldmia r12!, {r4-r9}\n\t" common("r0", "r1") RIP_DSP_FLOOR("r0", "r1")                                               \
  "ldmia lr!, {r4-r9}\n\t" common("r2", "r3") RIP_DSP_FLOOR("r2", "r3")                                                \
  "8: ssat r0, #8, r0\n\t"                                                                                             \
  "ssat r1, #8, r1\n\t"                                                                                                \
  "ssat r2, #8, r2\n\t"                                                                                                \
  "ssat r3, #8, r3\n\t"                                                                                                \
  "ldrd r10, r11, [sp, #24]\n\t"                                                                                       \
  "ldr r4, [sp, #44]\n\t"                                                                                              \
  "bfi r0, r1, #8, #8\n\t"                                                                                             \
  "bfi r2, r3, #8, #8\n\t"                                                                                             \
  "pkhbt r0, r0, r2, lsl #16\n\t"                                                                                      \
  "str r0, [r10], #4\n\t"                                                                                              \
  "mov r12, lr\n\t"                                                                                                    \
  "add lr, lr, r4\n\t"                                                                                                 \
  "str r10, [sp, #24]\n\t"                                                                                             \
  "cmp r10, r11\n\t"                                                                                                   \
  "bne.w 1b\n\t"                                                                                                       \
  "9: add sp, sp, #52\n\t"                                                                                             \
  "pop {r4-r11, pc}\n\t"

/* `four` for each four of the taps: sixteen a turn, then what is left. */
#define RIP_DSP_LOOP(four) \
  "subs r11, r11, #16\n\t" \
  "blo.w 92f\n\t"          \
  "91:\n\t"                \
  ".rept 4\n\t" four       \
  ".endr\n\t"              \
  "subs r11, r11, #16\n\t" \
  "bhs.w 91b\n\t"          \
  "92: adds r11, #16\n\t"  \
  "beq.w 94f\n\t"          \
  "93:\n\t" four           \
  "subs r11, r11, #4\n\t"  \
  "bne.w 93b\n\t"          \
  "94:\n\t"

/* The addend one less where the sum is negative. */
#define RIP_DSP_ODD(first, second) \
  "add r10, r5, " first            \
  ", asr #31\n\t"                  \
  "add r11, r8, " second ", asr #31\n\t"

#define RIP_DSP_ROUND(first, second, first_addend, second_addend) \
  "smmlar " first ", " first ", r4, " first_addend                \
  "\n\t"                                                          \
  "smmlar " second ", " second ", r7, " second_addend             \
  "\n\t"                                                          \
  "asr " first ", " first                                         \
  ", r6\n\t"                                                      \
  "asr " second ", " second ", r9\n\t"

#define RIP_DSP_FLOOR(first, second) \
  "smmla " first ", " first          \
  ", r4, r5\n\t"                     \
  "smmla " second ", " second        \
  ", r7, r8\n\t"                     \
  "asr " first ", " first            \
  ", r10\n\t"                        \
  "asr " second ", " second ", r10\n\t"

#endif
