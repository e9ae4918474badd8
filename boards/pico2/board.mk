# Raspberry Pi Pico 2: RP2350, Cortex-M33 with DSP instructions and floating point; emulated as an MPS2 with the same core
# and as much memory. For the board itself: sdk/CMakeLists.txt with -DPICO_BOARD=pico2. SPDX-License-Identifier: MIT-0
MACHINE := mps2-an505
CPU := -mthumb -mcpu=cortex-m33 -mfloat-abi=hard
FLASH_START := 0x10000000
RAM_START := 0x38000000
include board/mps.mk
