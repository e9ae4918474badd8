/* What AVR processors have assembly for, on an emulated one against plain C. Built and run by avr.sh.
 * SPDX-License-Identifier: MIT-0 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "rip/block.h"

enum { FLASH_BYTES = 2048, INPUTS = 640, CASES = 400 };

static int8_t input[INPUTS];
static uint32_t seed = 1;

/* Uniform, both ends included. */
static int16_t number(int16_t least, int16_t most) {
  seed = seed * 1664525U + 1013904223U;
  return (int16_t)(least + (int16_t)((seed >> 12) % (uint32_t)(most - least + 1)));
}

static int32_t any_bits(void) {
  const uint32_t upper = (uint32_t)number(0, 0x7ffe) << 17, lower = (uint32_t)number(0, 0x7ffe) << 3;
  return (int32_t)(upper ^ lower) >> number(0, 24);
}

/* The exit code. Ends the emulation. */
__attribute__((noreturn)) static void leave(uint8_t code) {
  GPIOR0 = code;
  cli();
  set_sleep_mode(SLEEP_MODE_PWR_DOWN);
  sleep_enable();
  for (;;) sleep_cpu();
}

static void check_product(int32_t a, int32_t b) {
  if (rip_high_product(a, b) != (int32_t)(((int64_t)a * b + ((int64_t)1 << 30)) >> 31)) leave(2);
}

static void check_shift(int32_t x, uint8_t bits) {
  const int32_t toward_zero = bits == 0 ? x : x + (x >> 31) + ((int32_t)1 << (bits - 1));
  if (rip_rounded_shift(x, bits) != toward_zero >> bits) leave(3);
}

/* The weights are whatever lies in the flash. */
static void check_dot(void) {
  const uint8_t rows = (uint8_t)number(1, 4), length = (uint8_t)number(1, RIP_AVR_RUN);
  const int16_t offset = number(0, 60);
  const int8_t *pointers[4], *weights = (const int8_t*)0 + number(0, FLASH_BYTES - 4 * RIP_AVR_RUN), *w = weights;
  int32_t sum = 0;
  uint8_t row, i;
  for (row = 0; row < rows; row++) {
    pointers[row] = input + number(0, INPUTS - 60 - RIP_AVR_RUN);
    for (i = 0; i < length; i++, w++) sum += (int32_t)pointers[row][offset + i] * rip_flash_s8(w);
  }
  if (rip_avr_dot(pointers, rows, offset, length, weights) != sum) leave(4);
}

/* The largest sums: the program has runs of bytes of one sign nowhere, these have. */
static const int8_t extremes[] PROGMEM = {
#define EIGHT(x) x, x, x, x, x, x, x, x
#define SIXTY_FOUR(x) EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x)
    SIXTY_FOUR(-128), SIXTY_FOUR(-128)};

static void check_extremes(int8_t scalar) {
  const int8_t* pointers[1] = {input};
  int16_t i;
  for (i = 0; i < RIP_AVR_RUN; i++) input[i] = scalar;
  if (rip_avr_dot(pointers, 1, 0, RIP_AVR_RUN, extremes) != (int32_t)RIP_AVR_RUN * -128 * scalar) leave(5);
}

int main(void) {
  int16_t i;
  if (!RIP_AVR) leave(6);
  check_extremes(-128);
  check_extremes(127);
  for (i = 0; i < INPUTS; i++) input[i] = (int8_t)number(-128, 127);
  for (i = 0; i < CASES; i++) {
    check_product(any_bits(), any_bits());
    check_shift(any_bits() >> 2, (uint8_t)number(0, 28));
    check_dot();
  }
  check_product(INT32_MIN, INT32_MAX);
  check_product(INT32_MAX, INT32_MAX);
  check_product(-1, (int32_t)1 << 30);
  leave(0);
}
