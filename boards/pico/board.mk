# Raspberry Pi Pico: RP2040, Cortex-M0+. For the board itself: sdk/CMakeLists.txt. SPDX-License-Identifier: MIT-0
CPU := -mthumb -mcpu=cortex-m0plus
RAM_START := 0x20000000
ifeq ($(QEMU),1)
# The same code on a Cortex-M3, which runs it too: for instruction counts of what takes rp2040js long.
MACHINE := mps2-an385
FLASH_START := 0x00000000
BOARD_OMITS := board/pico.c
include board/mps.mk
else
FLASH_START := 0x10000000
BOARD_OMITS := board/mps.c
include board/cortex_m.mk
# The emulator is a package of npm, at the version of package-lock.json.
EMULATOR_DEPS = board/node_modules
EMULATOR = node board/run.mjs $(build)/firmware.elf $(if $(INSTRUCTIONS),--instructions)
BOARD_CFLAGS = $(if $(INSTRUCTIONS),-DCOUNTS_INSTRUCTIONS)
board/node_modules:
	@cd board && npm ci --silent --no-audit --no-fund
endif
