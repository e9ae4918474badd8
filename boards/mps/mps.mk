# How QEMU runs an MPS board. SPDX-License-Identifier: MIT-0
include board/cortex_m.mk
EMULATOR = qemu-system-arm -M $(MACHINE) -display none -monitor none -serial stdio -icount shift=6 \
  -semihosting-config enable=on,target=native -kernel $(build)/firmware.elf < /dev/null
