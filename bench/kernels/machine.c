#include "machine.h"

extern uint32_t data_source[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];
int main(void);

static int host_call(int operation, const void* argument) {
  register int r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

__attribute__((noreturn)) static void leave(int code) {
  uint32_t block[2] = {0x20026u, 0};
  block[1] = (uint32_t)code;
  host_call(0x20, block);
  for (;;) {
  }
}

void print(const char* text) { host_call(4, text); }

void print_number(uint32_t number) {
  char text[11];
  char* at = text + sizeof text - 1;
  *at = 0;
  do {
    *--at = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  print(at);
}

/* The CMSDK timer 0 counts down, at TIMER_MHZ. */
static volatile uint32_t* const timer = (volatile uint32_t*)TIMER;
static uint32_t before;

void count_start(void) {
  timer[2] = 0xffffffffu;
  timer[1] = 0xffffffffu;
  timer[0] = 1;
  before = timer[1];
}

uint32_t count_lap(void) {
  const uint32_t now = timer[1], ticks = before - now;
  before = now;
  return (uint32_t)((uint64_t)ticks * (1000u / TIMER_MHZ) / 64u);
}

static void fault(void) {
  print("fault\n");
  leave(100);
}

void reset(void);
void reset(void) {
  uint32_t *to = data_start, *from = data_source;
  while (to < data_end) *to++ = *from++;
  for (to = bss_start; to < bss_end; to++) *to = 0;
  leave(main());
}

__attribute__((section(".vectors"), used)) static const void* const vectors[16] = {
    stack_top, (void*)reset, (void*)fault, (void*)fault, (void*)fault, (void*)fault, (void*)fault};
