# What every Cortex-M needs of the tools. SPDX-License-Identifier: MIT-0
CROSS := arm-none-eabi-
BOARD_LDFLAGS = -nostartfiles --specs=nosys.specs -T board/cortex_m.ld -Wl,--no-warn-rwx-segments \
  -Wl,--defsym=FLASH_START=$(FLASH_START),--defsym=FLASH_BYTES=$(FLASH_BYTES) \
  -Wl,--defsym=RAM_START=$(RAM_START),--defsym=RAM_BYTES=$(RAM_BYTES),--defsym=STACK_BYTES=$(STACK_BYTES)
BOARD_LIBS = -lm -lc -lgcc
