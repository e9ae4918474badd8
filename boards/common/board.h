/* What the firmware asks of a board: a serial line, a counter, and what the chip's memory holds.
 * SPDX-License-Identifier: MIT-0 */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#include "rip/flash.h"

/* A string for board_text: on AVR it stays in flash. */
#if defined(__AVR__)
#define BOARD_TEXT(text) PSTR(text)
#else
#define BOARD_TEXT(text) (text)
#endif

typedef struct board_memory {
  uint32_t ram, flash;        /* bytes that the chip has */
  uint32_t ram_used;          /* by variables; the stack is not in it */
  uint32_t flash_used;        /* by code and constants */
  uint32_t stack, stack_used; /* bytes set aside, and the most that were in use since the start */
} board_memory;

void board_open(void);
void board_put(char c);
uint32_t board_count(void);   /* of board_unit, modulo 2^32 */
const char* board_unit(void); /* "instructions", "cycles": a BOARD_TEXT */
board_memory board_measure(void);
void board_close(int code); /* ends the emulator with that exit code; does not return */

/* board_print.c: what the firmware says, without the C library. */
void board_text(const char* text); /* a BOARD_TEXT */
void board_decimal(uint32_t value);
void board_hexadecimal(uint32_t value);

#endif
