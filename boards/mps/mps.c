/* The Arm MPS boards that QEMU has: a serial port, and a counter of instructions. Under `-icount shift=6` every
 * instruction takes 64 ns of the machine's time. SPDX-License-Identifier: MIT-0 */
#include "mps.h"

#include "board.h"

#define REGISTER(address) (*(volatile uint32_t*)(address))
#define UART_CONTROL REGISTER(MPS_UART + 8u)

void board_open(void) {
  REGISTER(MPS_UART + 16u) = 16; /* the divisor: the least that there is */
  UART_CONTROL = 1;              /* transmit */
#if MPS_COUNTS_UP
  REGISTER(MPS_COUNTER) = 1;
#else
  REGISTER(MPS_COUNTER + 8u) = 0xffffffffu; /* reload */
  REGISTER(MPS_COUNTER + 4u) = 0xffffffffu;
  REGISTER(MPS_COUNTER) = 1;
#endif
}

void board_put(char c) {
  while (REGISTER(MPS_UART + 4u) & 1u) {
  } /* full */
  REGISTER(MPS_UART) = (uint8_t)c;
}

/* A tick is 1000 / MPS_MHZ ns, and 64 ns are an instruction. */
uint32_t board_count(void) {
#if MPS_COUNTS_UP
  const uint32_t ticks = REGISTER(MPS_COUNTER + 8u);
#else
  const uint32_t ticks = 0xffffffffu - REGISTER(MPS_COUNTER + 4u);
#endif
  return (uint32_t)((uint64_t)ticks * 1000u / (64u * MPS_MHZ));
}

const char* board_unit(void) { return "instructions"; }
