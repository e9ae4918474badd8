/* The board through the Pico SDK: serial line over USB and pins, time instead of cycles. SPDX-License-Identifier: MIT-0
 */
#include "board.h"
#include "pico/stdlib.h"

#define PAINT 0xc0dec0deu

extern uint32_t __StackBottom[], __StackTop[];
extern char __data_start__[], __bss_end__[], __flash_binary_start[], __flash_binary_end[];

void board_open(void) {
  uint32_t *to, *top;
  stdio_init_all();
  sleep_ms(3000); /* until somebody listens at the other end of the USB cable */
  __asm__ volatile("mov %0, sp" : "=r"(top));
  for (to = __StackBottom; to < top - 8;) *to++ = PAINT;
}

void board_put(char c) { putchar_raw(c); }

uint32_t board_count(void) { return time_us_32(); }

const char* board_unit(void) { return "microseconds"; }

board_memory board_measure(void) {
  board_memory memory;
  const uint32_t* low = __StackBottom;
  while (low < __StackTop && *low == PAINT) low++;
  memory.ram = SRAM_STRIPED_END - SRAM_BASE;
  memory.flash = PICO_FLASH_SIZE_BYTES;
  memory.ram_used = (uint32_t)(__bss_end__ - __data_start__);
  memory.flash_used = (uint32_t)(__flash_binary_end - __flash_binary_start);
  memory.stack = (uint32_t)((char*)__StackTop - (char*)__StackBottom);
  memory.stack_used = (uint32_t)((char*)__StackTop - (char*)low);
  return memory;
}

/* Prints the result over and over for whoever connects late: no emulator waits for it. */
void board_close(int code) {
  for (;;) {
    board_text(code == 0 ? "done\n" : "failed\n");
    sleep_ms(5000);
  }
}
