/* run MCU firmware.elf [FILE BYTES]: runs it on an emulated AVR at 16 MHz and ends with its exit code.
 *
 * The serial port goes to standard output. Of FILE so many BYTES are sent whenever the firmware has said a line; the
 * run ends, with exit code 0, at the line after the last. A stack that grows into the variables, or a memory access
 * that the chip does not have, ends the run with exit code 100. SPDX-License-Identifier: MIT-0 */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Data addresses: where the exit code is left; where a byte of the count is asked for, and where it is answered. */
enum { GPIOR0 = 0x3e, GPIOR1 = 0x4a, GPIOR2 = 0x4b };
enum { FAULT = 100, USAGE = 2 };

/* The serial line, seen from its other end. */
typedef struct terminal {
  FILE* file; /* or null: nothing is sent */
  long bytes; /* of a request */
  long left;  /* of this request */
  int ready;  /* the firmware can take a byte */
  int done;
} terminal;

static void put(struct avr_irq_t* irq, uint32_t value, void* context) {
  terminal* line = context;
  (void)irq;
  putchar((int)value);
  if (value != '\n' || line->file == NULL) return;
  const int next = fgetc(line->file);
  line->done = next == EOF;
  if (!line->done) ungetc(next, line->file);
  line->left = line->bytes;
}

static void ready(struct avr_irq_t* irq, uint32_t value, void* context) {
  (void)irq, (void)value;
  ((terminal*)context)->ready = 1;
}

static void full(struct avr_irq_t* irq, uint32_t value, void* context) {
  (void)irq, (void)value;
  ((terminal*)context)->ready = 0;
}

/* Errors only, and not among what the firmware says. */
static void log_errors(struct avr_t* avr, const int level, const char* format, va_list arguments) {
  (void)avr;
  if (level == LOG_ERROR) vfprintf(stderr, format, arguments);
}

static void count(struct avr_t* avr, avr_io_addr_t address, uint8_t index, void* context) {
  uint32_t* latched = context;
  avr->data[address] = index;
  if (index == 0) *latched = (uint32_t)avr->cycle;
  avr->data[GPIOR2] = (uint8_t)(*latched >> 8 * (index & 3));
}

/* The value of a symbol of the program, as an address of data; -1 if it has none. */
static long symbol(const char* path, const char* name) {
  long value = -1;
  GElf_Shdr header;
  elf_version(EV_CURRENT);
  const int file = open(path, O_RDONLY);
  Elf* elf = elf_begin(file, ELF_C_READ, NULL);
  for (Elf_Scn* section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
    gelf_getshdr(section, &header);
    if (header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* data = elf_getdata(section, NULL);
    for (size_t i = 0; i < header.sh_size / header.sh_entsize; i++) {
      GElf_Sym entry;
      gelf_getsym(data, (int)i, &entry);
      const char* found = elf_strptr(elf, header.sh_link, entry.st_name);
      if (found != NULL && strcmp(found, name) == 0) value = (long)(entry.st_value & 0xffff);
    }
  }
  elf_end(elf);
  close(file);
  return value;
}

int main(int argc, char** argv) {
  elf_firmware_t firmware;
  uint32_t latched = 0, flags = 0;
  terminal line = {.file = argc == 5 ? fopen(argv[3], "rb") : NULL, .bytes = argc == 5 ? atol(argv[4]) : 0};
  memset(&firmware, 0, sizeof firmware);
  avr_global_logger_set(log_errors);
  avr_t* avr = argc == 3 || argc == 5 ? avr_make_mcu_by_name(argv[1]) : NULL;
  if (avr == NULL || elf_read_firmware(argv[2], &firmware) != 0) {
    fprintf(stderr, "usage: run MCU firmware.elf [FILE BYTES]\n");
    return USAGE;
  }
  avr_init(avr);
  avr->log = LOG_ERROR;
  avr->frequency = firmware.frequency = 16000000;
  avr_load_firmware(avr, &firmware);
  avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
  flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP); /* or it waits in the host's time */
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), put, &line);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), ready, &line);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), full, &line);
  avr_irq_t* const input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
  avr_register_io_write(avr, GPIOR1, count, &latched);

  const long variables_end = symbol(argv[2], "_end");
  int state = cpu_Running;
  while (state != cpu_Done && state != cpu_Crashed && !line.done) {
    const long stack = avr->data[R_SPL] | avr->data[R_SPH] << 8;
    if (stack != 0 && stack < variables_end) {
      printf("fault: the stack is at 0x%lx, among the variables, which end at 0x%lx\n", stack, variables_end);
      return FAULT;
    }
    if (line.ready && line.left > 0) {
      line.ready = 0;
      line.left--;
      avr_raise_irq(input, (uint32_t)fgetc(line.file));
    }
    state = avr_run(avr);
  }
  if (line.done) return 0;
  if (state == cpu_Crashed) {
    printf("fault: an access outside of the memory, at 0x%x\n", (unsigned)avr->pc);
    return FAULT;
  }
  return avr->data[GPIOR0];
}
