/* The inner product of rip_conv2d_m0: one pixel, two output channels after two. A word of taps has the first in its low
 * half, a word of weights the second; the high half of their product is the sum of two products, but for the borrow of
 * the low half, which is less than 2^15 in size. SPDX-License-Identifier: MIT-0 */
#include "rip/m0.h"

#if defined(__thumb__) && !defined(RIP_NO_ASM)

/* Six taps of one channel: r0 to r2 are taps, r7 points to the weights, r9 is 2^15. */
#define SIX_TAPS(sum)                                                                                          \
  "ldmia r7!, {r3, r4, r5}\n muls r3, r0\n muls r4, r1\n muls r5, r2\n add r3, r9\n add r4, r9\n add r5, r9\n" \
  "asrs r3, r3, #16\n asrs r4, r4, #16\n asrs r5, r5, #16\n add " sum ", r3\n add " sum ", r4\n add " sum ", r5\n"

/* The output of a sum, stored `at` bytes from r6. */
#define OUTPUT(sum, at)                                                                                             \
  "mov r0, " sum                                                                                                    \
  "\n ldmia r7!, {r1, r2}\n cmp r0, r1\n bge 3f\n mov r0, r1\n3: cmp r0, r2\n ble 4f\n mov r0, r2\n"                \
  "4: ldmia r7!, {r1, r2, r3, r4, r5}\n muls r1, r0\n asrs r1, r1, #10\n muls r2, r0\n adds r2, r1\n asrs r2, r2, " \
  "#10\n"                                                                                                           \
  "muls r3, r0\n adds r2, r3\n adds r2, r4\n asrs r0, r0, #31\n ands r5, r0\n subs r2, r5\n lsrs r2, r2, #24\n"     \
  "strb r2, [r6, #" at "]\n"

#define IN_REGISTER __attribute__((unused)) /* read by the assembly alone */

RIP_HOT __attribute__((naked)) const int32_t* rip_m0_make_pixel(const int32_t* stream IN_REGISTER,
                                                                const int32_t* taps IN_REGISTER,
                                                                const rip_m0_pixel* pixel IN_REGISTER) {
  __asm__ volatile(
      ".syntax unified\n"
      "push {r4, r5, r6, r7, lr}\n mov r4, r8\n mov r5, r9\n mov r6, r10\n mov r7, r11\n push {r1, r4, r5, r6, r7}\n"
      "mov r7, r0\n ldr r0, [r2, #0]\n mov r12, r0\n ldr r0, [r2, #4]\n mov r11, r0\n ldr r0, [r2, #8]\n mov lr, r0\n"
      "movs r0, #1\n lsls r0, r0, #15\n mov r9, r0\n"
      "1: ldr r6, [sp]\n ldmia r7!, {r0, r1}\n mov r8, r0\n mov r10, r1\n"
      "2: ldmia r6!, {r0, r1, r2}\n" SIX_TAPS("r8") SIX_TAPS("r10") "cmp r6, r12\n bne 2b\n"
      "mov r6, r11\n" OUTPUT("r8", "0") OUTPUT("r10", "1")
      "adds r6, #2\n mov r11, r6\n cmp r6, lr\n bne 1b\n"
      "mov r0, r7\n pop {r1, r4, r5, r6, r7}\n mov r8, r4\n mov r9, r5\n mov r10, r6\n mov r11, r7\n"
      "pop {r4, r5, r6, r7, pc}\n");
}

#else

const int32_t* rip_m0_make_pixel(const int32_t* stream, const int32_t* taps, const rip_m0_pixel* pixel) {
  int8_t* out;
  for (out = pixel->out; out != pixel->out_end; out += 2) {
    int32_t sums[2], channel, i;
    const int32_t* a;
    sums[0] = rip_flash_s32(stream++);
    sums[1] = rip_flash_s32(stream++);
    for (a = taps; a != pixel->taps_end; a += 3) {
      for (channel = 0; channel < 2; channel++) {
        for (i = 0; i < 3; i++, stream++) {
          const uint32_t product = (uint32_t)a[i] * (uint32_t)rip_flash_s32(stream) + 0x8000U;
          sums[channel] += (int32_t)product >> 16;
        }
      }
    }
    for (channel = 0; channel < 2; channel++, stream += RIP_M0_OUTPUT)
      out[channel] = rip_m0_output(sums[channel], stream);
  }
  return stream;
}

#endif
