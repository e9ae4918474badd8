/* Start-up of a Cortex-M under emulation: vectors, memory, faults, and the end of the run through semihosting, which
 * QEMU and run.mjs understand. SPDX-License-Identifier: MIT-0 */
#include "cortex_m.h"

#define PAINT 0xc0dec0deu
#define REGISTER(address) (*(volatile uint32_t*)(address))

#if defined(__ARM_ARCH_7EM__) || defined(__ARM_ARCH_7M__)
#define HAS_MPU_V7 1
#elif defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
#define HAS_MPU_V8 1
#endif

int main(void);

void board_close(int code) {
  const uint32_t block[2] = {0x20026u, (uint32_t)code}; /* ADP_Stopped_ApplicationExit */
  register uint32_t operation __asm__("r0") = 0x20u;    /* SYS_EXIT_EXTENDED */
  register const uint32_t* argument __asm__("r1") = block;
  __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
  for (;;) {
  }
}

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

/* Also where the processor stacked nothing because the stack itself was the fault. */
static void __attribute__((used, noreturn)) report_fault(uint32_t exception) {
  board_text("fault: exception ");
  board_decimal(exception & 511u);
#ifndef __ARM_ARCH_6M__
  board_text(", status ");
  board_hexadecimal(REGISTER(0xe000ed28u)); /* CFSR */
  board_text(", address ");
  board_hexadecimal(REGISTER(0xe000ed34u)); /* MMFAR */
#endif
  board_text("\n");
  board_close(100);
  for (;;) {
  }
}

static void __attribute__((naked)) fault(void) {
  __asm__ volatile(
      "mrs r0, ipsr\n"
      "ldr r1, =stack_high\n"
      "mov sp, r1\n"
      "ldr r1, =report_fault\n"
      "bx r1\n"
      ".ltorg");
}

#if defined(HAS_MPU_V7)

static void mpu_region(uint32_t number, uint32_t start, uint32_t log2_bytes, uint32_t attributes) {
  REGISTER(0xe000ed98u) = number;
  REGISTER(0xe000ed9cu) = start;
  REGISTER(0xe000eda0u) = attributes | ((log2_bytes - 1u) << 1) | 1u;
}

/* Code may be read and executed; the chip's RAM, cut into powers of two, read and written; so may the peripherals; the
 * rest faults. */
static void protect(void) {
  const uint32_t read_only = 6u << 24, writable = (1u << 28) | (3u << 24); /* the latter never executed */
  uint32_t at = (uint32_t)ram_start, left = (uint32_t)(ram_end - ram_start), number = 2, log2_bytes = 5;
  while ((uint32_t)1 << log2_bytes < (uint32_t)(flash_end - flash_start)) log2_bytes++;
  mpu_region(0, (uint32_t)flash_start, log2_bytes, read_only);
  mpu_region(1, 0x40000000u, 29, writable);
  for (; left >= 32u && number < 8u; number++) {
    for (log2_bytes = 31; (uint32_t)1 << log2_bytes > left || at % ((uint32_t)1 << log2_bytes) != 0;) log2_bytes--;
    mpu_region(number, at, log2_bytes, writable);
    at += (uint32_t)1 << log2_bytes;
    left -= (uint32_t)1 << log2_bytes;
  }
  REGISTER(0xe000ed94u) = 1; /* on, without a background map */
  __asm__ volatile("dsb\n isb");
}

#elif defined(HAS_MPU_V8)

static void mpu_region(uint32_t number, uint32_t start, uint32_t end, uint32_t access) {
  REGISTER(0xe000ed98u) = number;
  REGISTER(0xe000ed9cu) = start | access;
  REGISTER(0xe000eda0u) = (end - 32u) | 1u;
}

/* As above, in regions of any length. */
static void protect(void) {
  const uint32_t read_only = 3u << 1, writable = (1u << 1) | 1u; /* the latter never executed */
  REGISTER(0xe000edc0u) = 0x44u;                                 /* MAIR0: normal memory, not cached */
  mpu_region(0, (uint32_t)flash_start, (uint32_t)flash_end, read_only);
  mpu_region(1, (uint32_t)ram_start, (uint32_t)ram_end, writable);
  mpu_region(2, 0x40000000u, 0x60000000u, writable);
  REGISTER(0xe000ed94u) = 1; /* on, without a background map */
  __asm__ volatile("dsb\n isb");
  __asm__ volatile("msr msplim, %0" ::"r"(stack_low));
}

#else

static void protect(void) {} /* the emulator does it */

#endif

void __attribute__((noreturn)) board_reset(void);
void __attribute__((noreturn)) board_reset(void) {
  uint32_t *to = data_start, *top;
  const uint32_t* from = data_load;
  while (to < data_end) *to++ = *from++;
  for (to = bss_start; to < bss_end;) *to++ = 0;
  __asm__ volatile("mov %0, sp" : "=r"(top));
  for (to = stack_low; to < top - 8;) *to++ = PAINT;
#ifndef __ARM_ARCH_6M__
  REGISTER(0xe000ed88u) |= 15u << 20; /* CPACR: the floating-point unit, or vectors */
  REGISTER(0xe000ed24u) |= 7u << 16;  /* SHCSR: faults by their kind */
  __asm__ volatile("dsb\n isb");
#endif
  protect();
  board_close(main());
  for (;;) {
  }
}

typedef void (*handler)(void);

/* The initial stack pointer, reset, NMI, hard fault, and those of memory management, bus and usage. */
__attribute__((section(".vectors"), used)) static const handler vectors[16] = {
    (handler)(uintptr_t)stack_high, board_reset, fault, fault, fault, fault, fault, fault,
};
