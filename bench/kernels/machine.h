/* Start-up and services of QEMU's MPS boards, run with -icount shift=6: every instruction takes 64 ns there. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

/* Starts to count. Up to 2^32 timer ticks, 2.6 billion instructions. */
void count_start(void);

/* Instructions since count_start, or since the last call. */
uint32_t count_lap(void);

void print(const char* text);
void print_number(uint32_t number);

#endif
