# RISC-V rv32imc without floating point, as of an ESP32-C3: QEMU's virt machine. SPDX-License-Identifier: MIT-0
CROSS := riscv64-unknown-elf-
CPU := -march=rv32imc -mabi=ilp32
BOARD_CFLAGS = -mcmodel=medany -ffreestanding
BOARD_LDFLAGS = -nostdlib -T board/rv32.ld -Wl,--no-warn-rwx-segments \
  -Wl,--defsym=FLASH_BYTES=$(FLASH_BYTES),--defsym=RAM_BYTES=$(RAM_BYTES),--defsym=STACK_BYTES=$(STACK_BYTES)
BOARD_LIBS = -lgcc
EMULATOR = qemu-system-riscv32 -M virt -cpu rv32,a=off,f=off,d=off -bios none -display none -monitor none \
  -serial stdio -icount shift=0 -kernel $(build)/firmware.elf < /dev/null
