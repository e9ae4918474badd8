/* Text, decimal and hexadecimal numbers on the serial line. SPDX-License-Identifier: MIT-0 */
#include "board.h"

void board_text(const char* text) {
  int8_t c;
  while ((c = rip_flash_s8((const int8_t*)text++)) != 0) board_put((char)c);
}

void board_decimal(uint32_t value) {
  char digits[10]; /* 2^32 has ten */
  int8_t count = 0;
  do {
    digits[count++] = (char)('0' + value % 10u);
    value /= 10u;
  } while (value > 0);
  while (count > 0) board_put(digits[--count]);
}

void board_hexadecimal(uint32_t value) {
  int8_t shift;
  board_text(BOARD_TEXT("0x"));
  for (shift = 28; shift >= 0; shift = (int8_t)(shift - 4)) {
    const uint32_t digit = (value >> shift) & 15u;
    board_put((char)(digit < 10u ? '0' + digit : 'a' + digit - 10u));
  }
}
