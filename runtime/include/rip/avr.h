/* The loop of rip/block.h on AVR processors that multiply: the same bits. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_AVR_H
#define RIP_AVR_H

#include <stdint.h>

#if defined(__AVR_HAVE_MUL__) && defined(__AVR_HAVE_LPMX__) && !defined(RIP_NO_ASM)
#define RIP_AVR 1
#else
#define RIP_AVR 0
#endif

#if RIP_AVR

enum { RIP_AVR_RUN = 128 }; /* most products without a hole; their sum has 24 bits */

/* A product added to 24 bits. */
#define RIP_AVR_PRODUCT                                                                               \
  "ld %[tap], X+\n lpm %[weight], Z+\n muls %[tap], %[weight]\n add %[low], r0\n adc %[middle], r1\n" \
  "adc %[high], %[zero]\n sbrc r1, 7\n dec %[high]\n"

/* The sum of products: from each of `rows` pointers `length` scalars, `offset` bytes on, and the weights in flash, all
 * without a hole. 1 <= rows, 1 <= length <= RIP_AVR_RUN. */
__attribute__((noinline, unused)) static int32_t rip_avr_dot(const int8_t* const* pointers, uint8_t rows,
                                                             int16_t offset, uint8_t length, const int8_t* weights) {
  int32_t sum = 0;
  uint8_t low = 0, middle = 0, high = 0, count, tap, weight;
  __asm__ volatile(
      "1: movw r26, %[pointers]\n ld %[tap], X+\n ld %[weight], X+\n movw %[pointers], r26\n"
      "mov r26, %[tap]\n mov r27, %[weight]\n add r26, %A[offset]\n adc r27, %B[offset]\n"
      "mov %[count], %[length]\n inc %[count]\n lsr %[count]\n brcc 3f\n" /* an odd number begins in the middle */
      "2:" RIP_AVR_PRODUCT "3:" RIP_AVR_PRODUCT
      "dec %[count]\n brne 2b\n"
      "add %A[sum], %[low]\n adc %B[sum], %[middle]\n adc %C[sum], %[high]\n adc %D[sum], %[zero]\n"
      "sbrc %[high], 7\n dec %D[sum]\n clr %[low]\n clr %[middle]\n clr %[high]\n"
      "dec %[rows]\n brne 1b\n clr __zero_reg__\n"
      : [sum] "+&r"(sum), [low] "+&r"(low), [middle] "+&r"(middle), [high] "+&r"(high), [count] "=&r"(count),
        [tap] "=&d"(tap), [weight] "=&d"(weight), [pointers] "+&r"(pointers), [rows] "+&r"(rows), "+&z"(weights)
      : [zero] "r"((uint8_t)0), [offset] "r"(offset), [length] "r"(length)
      : "r0", "r26", "r27", "memory");
  return sum;
}

#endif
#endif
