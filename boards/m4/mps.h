/* Cortex-M4: MPS2 with AN386. SPDX-License-Identifier: MIT-0 */
#define MPS_UART 0x40004000u
#define MPS_COUNTER 0x40000000u /* CMSDK timer 0 */
#define MPS_COUNTS_UP 0
#define MPS_MHZ 25u
