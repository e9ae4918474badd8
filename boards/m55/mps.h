/* Cortex-M55: MPS3 with AN547. SPDX-License-Identifier: MIT-0 */
#define MPS_UART 0x59303000u
#define MPS_COUNTER 0x58100000u /* the system counter */
#define MPS_COUNTS_UP 1
#define MPS_MHZ 32u
