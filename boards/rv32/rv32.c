/* QEMU's virt machine: serial port, counter of instructions, and the limits of the chip that it stands for.
 * SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "board.h"

#define PAINT 0xc0dec0deu
#define SERIAL 0x10000000u
#define FINISHER (*(volatile uint32_t*)0x100000u)

extern uint32_t stack_low[], stack_high[], data_start[], data_end[], bss_start[], bss_end[];
extern const uint32_t data_load[];
extern char ram_start[], ram_end[], ram_used_end[], flash_start[], flash_end[], flash_used_end[];

#define CSR_READ(name, value) \
  __asm__ volatile(".option push\n.option arch,+zicsr\ncsrr %0, " #name "\n.option pop" : "=r"(value))
#define CSR_WRITE(name, value) \
  __asm__ volatile(".option push\n.option arch,+zicsr\ncsrw " #name ", %0\n.option pop" ::"r"(value))

/* The compiler calls these; there is no C library here. It must not see in their loops what they are. */
#define NOT_ITSELF __attribute__((optimize("no-tree-loop-distribute-patterns")))
void* memcpy(void* to, const void* from, size_t count);
void* memset(void* to, int value, size_t count);
void* memmove(void* to, const void* from, size_t count);

NOT_ITSELF void* memcpy(void* to, const void* from, size_t count) {
  char* at = (char*)to;
  const char* source = (const char*)from;
  while (count-- > 0) *at++ = *source++;
  return to;
}

NOT_ITSELF void* memset(void* to, int value, size_t count) {
  char* at = (char*)to;
  while (count-- > 0) *at++ = (char)value;
  return to;
}

NOT_ITSELF void* memmove(void* to, const void* from, size_t count) {
  char* at = (char*)to;
  const char* source = (const char*)from;
  if ((uintptr_t)to <= (uintptr_t)from) return memcpy(to, from, count);
  while (count-- > 0) at[count] = source[count];
  return to;
}

/* Locked regions, each up to its address: nothing beyond peripherals and flash, which are not written, nothing between
 * flash and RAM, nothing beyond the RAM. */
static void protect(void) {
  enum { LOCKED = 0x80, TO_ADDRESS = 0x08, EXECUTE = 4, WRITE = 2, READ = 1 };
  CSR_WRITE(pmpaddr0, (uint32_t)flash_start >> 2);
  CSR_WRITE(pmpaddr1, (uint32_t)flash_end >> 2);
  CSR_WRITE(pmpaddr2, (uint32_t)ram_start >> 2);
  CSR_WRITE(pmpaddr3, (uint32_t)ram_end >> 2);
  CSR_WRITE(pmpaddr4, 0xffffffffu);
  CSR_WRITE(pmpcfg1, (uint32_t)(LOCKED | TO_ADDRESS));
  CSR_WRITE(pmpcfg0, (uint32_t)(LOCKED | TO_ADDRESS | WRITE | READ) << 24 | (uint32_t)(LOCKED | TO_ADDRESS) << 16 |
                         (uint32_t)(LOCKED | TO_ADDRESS | EXECUTE | READ) << 8 |
                         (uint32_t)(LOCKED | TO_ADDRESS | WRITE | READ));
}

void prepare_memory(void);
void prepare_memory(void) {
  uint32_t *to = data_start, *top;
  const uint32_t* from = data_load;
  while (to < data_end) *to++ = *from++;
  for (to = bss_start; to < bss_end;) *to++ = 0;
  __asm__ volatile("mv %0, sp" : "=r"(top));
  for (to = stack_low; to < top - 16;) *to++ = PAINT;
  protect();
}

void board_open(void) {}

void board_put(char c) { *(volatile uint8_t*)SERIAL = (uint8_t)c; }

uint32_t board_count(void) {
  uint32_t count;
  CSR_READ(minstret, count);
  return count;
}

const char* board_unit(void) { return "instructions"; }

board_memory board_measure(void) {
  board_memory memory;
  const uint32_t* low = stack_low;
  while (low < stack_high && *low == PAINT) low++;
  memory.ram = (uint32_t)(ram_end - ram_start);
  memory.flash = (uint32_t)(flash_end - flash_start);
  memory.stack = (uint32_t)((char*)stack_high - (char*)stack_low);
  memory.stack_used = (uint32_t)((char*)stack_high - (char*)low);
  memory.ram_used = (uint32_t)(ram_used_end - ram_start) - memory.stack;
  memory.flash_used = (uint32_t)(flash_used_end - flash_start);
  return memory;
}

void board_close(int code) {
  FINISHER = code == 0 ? 0x5555u : (uint32_t)code << 16 | 0x3333u;
  for (;;) {
  }
}

void report_fault(uint32_t cause, uint32_t instruction, uint32_t address);
void report_fault(uint32_t cause, uint32_t instruction, uint32_t address) {
  board_text("fault: cause ");
  board_decimal(cause);
  board_text(" at ");
  board_hexadecimal(instruction);
  board_text(", address ");
  board_hexadecimal(address);
  board_text("\n");
  board_close(100);
}
