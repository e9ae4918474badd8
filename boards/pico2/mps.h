/* Cortex-M33 of the RP2350: MPS2 with AN505. SPDX-License-Identifier: MIT-0 */
#define MPS_UART 0x50200000u
#define MPS_COUNTER 0x50000000u /* CMSDK timer 0 */
#define MPS_COUNTS_UP 0
#define MPS_MHZ 20u
