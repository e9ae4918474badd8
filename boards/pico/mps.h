/* MPS2 with AN385, in place of the Pico. SPDX-License-Identifier: MIT-0 */
#define MPS_UART 0x40004000u
#define MPS_COUNTER 0x40000000u /* CMSDK timer 0 */
#define MPS_COUNTS_UP 0
#define MPS_MHZ 25u
