# Cortex-M55 with vector instructions. SPDX-License-Identifier: MIT-0
MACHINE := mps3-an547
CPU := -mthumb -mcpu=cortex-m55 -mfloat-abi=hard
FLASH_START := 0x00000000
RAM_START := 0x30000000
include board/mps.mk
