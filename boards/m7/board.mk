# Cortex-M7 with DSP instructions and double-precision floating point. SPDX-License-Identifier: MIT-0
MACHINE := mps2-an500
CPU := -mthumb -mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16
FLASH_START := 0x00000000
RAM_START := 0x20000000
include board/mps.mk
