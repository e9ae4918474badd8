/* What cortex_m.ld defines. SPDX-License-Identifier: MIT-0 */
#ifndef CORTEX_M_H
#define CORTEX_M_H

#include "board.h"

extern uint32_t stack_low[], stack_high[], data_start[], data_end[], bss_start[], bss_end[];
extern const uint32_t data_load[];
extern char ram_start[], ram_end[], ram_used_end[], flash_start[], flash_end[], flash_used_end[];

#endif
