# Cortex-M4 with DSP instructions and single-precision floating point. SPDX-License-Identifier: MIT-0
MACHINE := mps2-an386
CPU := -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16
FLASH_START := 0x00000000
RAM_START := 0x20000000
include board/mps.mk
