# Arduino Uno: ATmega328P. A larger AVR:
#   make MCU=atmega1284p RAM_BYTES=16384 FLASH_BYTES=131072 BUILD=build/atmega1284p run
# SPDX-License-Identifier: MIT-0
MCU ?= atmega328p
CROSS := avr-
CPU := -mmcu=$(MCU)
OPT ?= -Os
BOARD_CFLAGS = -DF_CPU=16000000UL -DRAM_BYTES=$(RAM_BYTES)UL -DFLASH_BYTES=$(FLASH_BYTES)UL
# What the stack needs is not there for variables.
BOARD_LDFLAGS = -Wl,--defsym=__DATA_REGION_LENGTH__=$(RAM_BYTES)-$(STACK_BYTES)
EMULATOR_DEPS = $(build)/simavr
EMULATOR = $(build)/simavr $(MCU) $(build)/firmware.elf
HOST_CC ?= cc
$(build)/simavr: board/simavr/run.c
	@mkdir -p $(dir $@)
	@$(HOST_CC) -O2 $< -o $@ -lsimavr -lelf
