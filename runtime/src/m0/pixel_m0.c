/* The inner product of rip_conv2d_m0: one pixel, two output channels after two. A word of taps has the first in its low
 * half, a word of weights the second; the high half of their product is the sum of two products, but for the borrow of
 * the low half, which is less than 2^15 in size. Two such products fit as well, or the second word is a loose one.
 * SPDX-License-Identifier: MIT-0 */
#include "rip/m0.h"

#if defined(__thumb__) && !defined(RIP_NO_ASM)

/* Four taps of one channel: r0 and r1 are taps, r7 points to the weights. The last bit shifted out rounds. */
#define FOUR_TAPS(sum) \
  "ldmia r7!, {r2, r3}\n muls r2, r0\n muls r3, r1\n adds r2, r3\n asrs r2, r2, #16\n adcs " sum ", r2\n"
#define UNIT "ldmia r6!, {r0, r1}\n" FOUR_TAPS("r4") FOUR_TAPS("r5") /* 26 bytes */
#define FOUR_UNITS UNIT UNIT UNIT UNIT

/* The output of a sum, whose register is lost with r0 to r3 and r6, stored `at` bytes from r11. */
#define OUTPUT(sum, at)                                                                                      \
  "ldmia r7!, {r1, r2}\n cmp " sum ", r1\n bge 3f\n mov " sum ", r1\n3: cmp " sum ", r2\n ble 4f\n mov " sum \
  ", r2\n4: ldmia r7!, {r0, r1, r2, r3, r6}\n muls r0, " sum "\n asrs r0, r0, #10\n muls r1, " sum           \
  "\n adds r1, r0\n asrs r1, r1, #10\n muls r2, " sum "\n adds r2, r1\n adds r2, r3\n asrs " sum ", " sum    \
  ", #31\n ands r6, " sum "\n subs r2, r6\n lsrs r2, r2, #24\n mov r6, r11\n strb r2, [r6, #" at "]\n"

#define START_PAIR "mov r6, r10\n ldmia r7!, {r4, r5}\n mov pc, r8\n"

#define IN_REGISTER __attribute__((unused)) /* read by the assembly alone */

/* r8: where to enter the loop of eight units, r10: taps, r11: out, r12: taps_end, lr: out_end. */
RIP_HOT __attribute__((naked)) const int32_t* rip_m0_make_pixel(const int32_t* stream IN_REGISTER,
                                                                const int32_t* taps IN_REGISTER,
                                                                const rip_m0_pixel* pixel IN_REGISTER) {
  __asm__ volatile(
      ".syntax unified\n"
      "push {r4, r5, r6, r7, lr}\n mov r4, r8\n mov r5, r10\n mov r6, r11\n push {r4, r5, r6}\n"
      "mov r7, r0\n mov r10, r1\n ldmia r2!, {r3, r4, r5}\n mov r12, r3\n mov r11, r4\n mov lr, r5\n"
      "subs r1, r1, r3\n asrs r1, r1, #3\n movs r2, #7\n ands r1, r2\n movs r2, #26\n muls r1, r2\n"
      "adr r2, 2f\n adds r1, r1, r2\n mov r8, r1\n" START_PAIR
      ".balign 4\n"
      "2:" FOUR_UNITS FOUR_UNITS
      "cmp r6, r12\n bne 2b\n"
      "ldmia r7!, {r0}\n cmp r0, #0\n bne 6f\n"
      "5:" OUTPUT("r4", "0") OUTPUT(
          "r5",
          "1") "adds r6, #2\n mov r11, r6\n cmp r6, lr\n beq 7f\n" START_PAIR
               "7:"
               "mov r0, r7\n pop {r4, r5, r6}\n mov r8, r4\n mov r10, r5\n mov r11, r6\n pop {r4, r5, r6, r7, pc}\n"
               "6: ldmia r7!, {r1, r2, r3}\n add r1, r10\n ldr r1, [r1]\n muls r2, r1\n muls r3, r1\n"
               "asrs r2, r2, #16\n adcs r4, r2\n asrs r3, r3, #16\n adcs r5, r3\n subs r0, #1\n bne 6b\n b 5b\n");
}

/* r8: where to enter the loop of eight units, r9: sums, r10: taps, r11: before, r12: taps_end, lr: sums_end; on the
 * stack after, begin and bytes. */
RIP_HOT __attribute__((naked)) const int32_t* rip_m0_add_piece(const int32_t* stream IN_REGISTER,
                                                               const int32_t* taps IN_REGISTER,
                                                               const rip_m0_piece* piece IN_REGISTER) {
  __asm__ volatile(
      ".syntax unified\n"
      "push {r4, r5, r6, r7, lr}\n mov r4, r8\n mov r5, r9\n mov r6, r10\n mov r7, r11\n push {r4, r5, r6, r7}\n"
      "mov r7, r0\n mov r10, r1\n ldmia r2!, {r3, r4, r5, r6}\n mov r12, r3\n mov r9, r4\n mov lr, r5\n mov r11, r6\n"
      "ldmia r2!, {r4, r5, r6}\n push {r4, r5, r6}\n"
      "subs r1, r1, r3\n asrs r1, r1, #3\n movs r2, #7\n ands r1, r2\n movs r2, #26\n muls r1, r2\n"
      "adr r2, 2f\n adds r1, r1, r2\n mov r8, r1\n"
      "1: mov r6, r9\n ldmia r6!, {r4, r5}\n add r7, r11\n mov r6, r10\n mov pc, r8\n"
      ".balign 4\n"
      "2:" FOUR_UNITS FOUR_UNITS
      "cmp r6, r12\n bne 2b\n"
      "ldr r0, [sp]\n adds r7, r0\n ldmia r7!, {r0}\n cmp r0, #0\n bne 6f\n"
      "5: mov r6, r9\n stmia r6!, {r4, r5}\n mov r9, r6\n adds r7, #56\n cmp r6, lr\n beq 8f\n b 1b\n"
      "8: add sp, #12\n mov r0, r7\n pop {r4, r5, r6, r7}\n mov r8, r4\n mov r9, r5\n mov r10, r6\n mov r11, r7\n"
      "pop {r4, r5, r6, r7, pc}\n"
      "6: ldmia r7!, {r1, r2, r3}\n ldr r6, [sp, #4]\n subs r1, r1, r6\n ldr r6, [sp, #8]\n cmp r1, r6\n bhs 7f\n"
      "add r1, r10\n ldr r1, [r1]\n muls r2, r1\n muls r3, r1\n"
      "asrs r2, r2, #16\n adcs r4, r2\n asrs r3, r3, #16\n adcs r5, r3\n7: subs r0, #1\n bne 6b\n b 5b\n");
}

#else

/* The upper half, rounded. */
static int32_t sum_of(uint32_t products) { return (int32_t)(products + 0x8000U) >> 16; }

static uint32_t product(int32_t taps, const int32_t* weights) {
  return (uint32_t)taps * (uint32_t)rip_flash_s32(weights);
}

const int32_t* rip_m0_make_pixel(const int32_t* stream, const int32_t* taps, const rip_m0_pixel* pixel) {
  int8_t* out;
  for (out = pixel->out; out != pixel->out_end; out += 2) {
    int32_t sum0 = rip_flash_s32(stream++), sum1 = rip_flash_s32(stream++), loose;
    const int32_t* a;
    for (a = taps; a != pixel->taps_end; a += 2, stream += 4) {
      sum0 += sum_of(product(a[0], stream) + product(a[1], stream + 1));
      sum1 += sum_of(product(a[0], stream + 2) + product(a[1], stream + 3));
    }
    for (loose = rip_flash_s32(stream++); loose > 0; loose--, stream += 3) {
      const int32_t two = taps[rip_flash_s32(stream) / 4];
      sum0 += sum_of(product(two, stream + 1));
      sum1 += sum_of(product(two, stream + 2));
    }
    out[0] = rip_m0_output(sum0, stream);
    out[1] = rip_m0_output(sum1, stream + RIP_M0_OUTPUT);
    stream += 2 * RIP_M0_OUTPUT;
  }
  return stream;
}

const int32_t* rip_m0_add_piece(const int32_t* stream, const int32_t* taps, const rip_m0_piece* piece) {
  int32_t* sums;
  for (sums = piece->sums; sums != piece->sums_end; sums += 2, stream += 2 * RIP_M0_OUTPUT) {
    int32_t loose;
    const int32_t* a;
    stream += piece->before / 4;
    for (a = taps; a != piece->taps_end; a += 2, stream += 4) {
      sums[0] += sum_of(product(a[0], stream) + product(a[1], stream + 1));
      sums[1] += sum_of(product(a[0], stream + 2) + product(a[1], stream + 3));
    }
    stream += piece->after / 4;
    for (loose = rip_flash_s32(stream++); loose > 0; loose--, stream += 3) {
      const int32_t at = rip_flash_s32(stream) - piece->begin;
      if (at < 0 || at >= piece->bytes) continue;
      sums[0] += sum_of(product(taps[at / 4], stream + 1));
      sums[1] += sum_of(product(taps[at / 4], stream + 2));
    }
  }
  return stream;
}

#endif
