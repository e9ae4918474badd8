/* Start-up and services of QEMU's mps2-an386, run with -icount shift=6: every instruction takes 64 ns there. */
#ifndef M4_H
#define M4_H

#include <stdint.h>

/* Starts to count. Up to 2^31 timer ticks, 1.3 billion instructions. */
void count_start(void);

/* Instructions since count_start, or since the last call. */
uint32_t count_lap(void);

void print(const char* text);
void print_number(uint32_t number);

#endif
