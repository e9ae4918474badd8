/* Arduino Uno: ATmega328P, and larger AVRs with the same registers. The emulator gives cycles and takes the exit code
 * through general purpose registers. SPDX-License-Identifier: MIT-0 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "board.h"

#define PAINT 0xc5

/* Of the linker. */
extern uint8_t _end, __stack, __data_start;
extern const char __data_load_end;

/* Paints the memory between the variables and the stack, before anything has used it. */
void __attribute__((naked, used, section(".init1"))) paint(void);
void paint(void) {
  __asm__ volatile(
      "ldi r30, lo8(_end)\n"
      "ldi r31, hi8(_end)\n"
      "ldi r24, %0\n"
      "ldi r25, hi8(__stack)\n"
      "1: st Z+, r24\n"
      "cpi r30, lo8(__stack)\n"
      "cpc r31, r25\n"
      "brlo 1b\n"
      "breq 1b\n" ::"M"(PAINT));
}

void board_open(void) {
  UBRR0 = 16; /* 115200 baud of 16 MHz, at double speed */
  UCSR0A = _BV(U2X0);
  UCSR0B = _BV(TXEN0);
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
}

void board_put(char c) {
  while (!(UCSR0A & _BV(UDRE0))) {
  }
  UCSR0A |= _BV(TXC0); /* cleared by writing it */
  UDR0 = (uint8_t)c;
}

/* After GPIOR1 = i, GPIOR2 is byte i of the cycles up to the last GPIOR1 = 0. */
uint32_t board_count(void) {
  uint32_t count;
  GPIOR1 = 0;
  count = GPIOR2;
  GPIOR1 = 1;
  count |= (uint32_t)GPIOR2 << 8;
  GPIOR1 = 2;
  count |= (uint32_t)GPIOR2 << 16;
  GPIOR1 = 3;
  count |= (uint32_t)GPIOR2 << 24;
  return count;
}

const char* board_unit(void) { return BOARD_TEXT("cycles"); }

board_memory board_measure(void) {
  board_memory memory;
  const uint8_t* low = &_end;
  while (low < &__stack && *low == PAINT) low++;
  memory.ram = RAM_BYTES;
  memory.flash = FLASH_BYTES;
  memory.ram_used = (uint32_t)(&_end - &__data_start);
  memory.flash_used = (uint32_t)(uintptr_t)&__data_load_end;
  memory.stack = (uint32_t)(&__stack - &_end) + 1u;
  memory.stack_used = (uint32_t)(&__stack - low) + 1u;
  return memory;
}

void board_close(int code) {
  while (!(UCSR0A & _BV(TXC0))) {
  }
  GPIOR0 = (uint8_t)code;
  set_sleep_mode(SLEEP_MODE_PWR_DOWN);
  sleep_enable();
  cli();
  sleep_cpu(); /* without interrupts: the emulator ends */
  for (;;) {
  }
}
