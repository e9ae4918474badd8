/* Overlapping triangular filters over a spectrum: what a band does not weigh into its channel goes to the next.
 * SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"
#include "rip/scalars.h"

RIP_HOT void rip_signal_filter_bank_whole(const rip_signal_filter_bank* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_signal_filter_bank, op, params);
  uint64_t carried = 0;
  int32_t channel, i;
  for (channel = 0; channel <= op->channels; channel++) {
    const int16_t* band = op->bands + 3 * channel;
    const int32_t point = rip_flash_s16(band), weight = rip_flash_s16(band + 1), width = rip_flash_s16(band + 2);
    uint64_t sum = carried;
    carried = 0;
    for (i = 0; i < width; i++) {
      const uint64_t energy = (uint32_t)rip_load_s32(call->rows[0] + 4 * (point + i));
      sum += (uint64_t)(int64_t)rip_flash_s16(op->weights + weight + i) * energy;
      carried += (uint64_t)(int64_t)rip_flash_s16(op->rests + weight + i) * energy;
    }
    /* The first band only feeds the second. */
    if (channel > 0) memcpy(call->out + 8 * (channel - 1), &sum, sizeof sum);
  }
}
