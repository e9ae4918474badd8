# From the variables of board.mk to firmware.elf. SPDX-License-Identifier: MIT-0
#   make                 builds it
#   make run             runs it under the emulator; the exit code is the firmware's
#   make TRACE=1 run     prints the checksum of every operator's output too
# Objects of other settings than board.mk's go elsewhere: make BUILD=build/other ...
BUILD ?= build/$(BOARD)
build := $(BUILD)$(if $(TRACE),-trace)
all:
include board/board.mk
OPT ?= -O2
sources := $(filter-out $(BOARD_OMITS),$(wildcard *.c src/*.c src/*/*.c board/*.c))
objects := $(sources:%.c=$(build)/%.o) $(patsubst %.S,$(build)/%.o,$(wildcard board/*.S))

CFLAGS_ALL = $(CPU) -std=c99 -pedantic -Wall -Wextra $(OPT) -ffp-contract=off -ffunction-sections -fdata-sections \
  -I . -I board $(if $(TRACE),-DBOARD_TRACE) $(BOARD_CFLAGS) $(CFLAGS)

.PHONY: all run size clean
all: $(build)/firmware.elf

$(build)/firmware.elf: $(objects) $(wildcard board/*.ld)
	@$(CROSS)gcc $(CPU) $(objects) -Wl,--gc-sections $(BOARD_LDFLAGS) $(LDFLAGS) $(BOARD_LIBS) -o $@

$(build)/%.o: %.c
	@mkdir -p $(dir $@)
	@$(CROSS)gcc $(CFLAGS_ALL) -MMD -c $< -o $@

$(build)/%.o: %.S
	@mkdir -p $(dir $@)
	@$(CROSS)gcc $(CFLAGS_ALL) -c $< -o $@

# A run that hangs is stopped after TIMEOUT seconds.
TIMEOUT ?= 600
run: $(build)/firmware.elf $(EMULATOR_DEPS)
	@timeout $(TIMEOUT) $(EMULATOR)

size: $(build)/firmware.elf
	@$(CROSS)size $<

clean:
	@rm -rf build

-include $(objects:.o=.d)
