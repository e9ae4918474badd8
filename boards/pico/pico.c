/* RP2040: serial port 0 on pins 0 and 1. SPDX-License-Identifier: MIT-0 */
#include "board.h"

#define REGISTER(address) (*(volatile uint32_t*)(address))
#define CLEAR 0x3000u /* of a register's address: writes clear bits */
#define RESETS 0x4000c000u
#define CLOCKS 0x40008000u
#define CRYSTAL 0x40024000u
#define PINS 0x40014000u
#define UART 0x40034000u

/* The serial port runs from the crystal, 12 MHz: 115200 = 12 MHz / 16 / (6 + 33/64). */
void board_open(void) {
  const uint32_t needed = (1u << 22) | (1u << 5) | (1u << 8); /* serial port, pins, pads */
  REGISTER(CRYSTAL + 0x0cu) = 47;                             /* start-up in units of 256 cycles */
  REGISTER(CRYSTAL) = 0x00fabaa0u;                            /* on */
  while (!(REGISTER(CRYSTAL + 4u) & 0x80000000u)) {
  }
  REGISTER(RESETS + CLEAR) = needed;
  while ((REGISTER(RESETS + 8u) & needed) != needed) {
  }
  REGISTER(CLOCKS + 0x48u) = (1u << 11) | (4u << 5); /* peripherals: on, from the crystal */
  REGISTER(PINS + 4u) = 2;                           /* pins 0 and 1 belong to the serial port */
  REGISTER(PINS + 12u) = 2;
  REGISTER(UART + 0x24u) = 6;
  REGISTER(UART + 0x28u) = 33;
  REGISTER(UART + 0x2cu) = 0x70; /* 8 bits, with a queue */
  REGISTER(UART + 0x30u) = 0x301;
}

void board_put(char c) {
  while (REGISTER(UART + 0x18u) & 0x20u) {
  } /* full */
  REGISTER(UART) = (uint8_t)c;
}

/* The emulator knows: SYS_ELAPSED of semihosting. */
uint32_t board_count(void) {
  uint32_t elapsed[2];
  register uint32_t operation __asm__("r0") = 0x30u;
  register uint32_t* argument __asm__("r1") = elapsed;
  __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
  return elapsed[0];
}

#ifdef COUNTS_INSTRUCTIONS
const char* board_unit(void) { return "instructions"; }
#else
const char* board_unit(void) { return "cycles of the emulator, memory without wait states"; }
#endif
