/* The energy of every point of a spectrum. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/scalars.h"

RIP_HOT void rip_signal_energy_whole(const rip_signal_vector* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_signal_vector, op, params);
  int32_t i = call->step > 0 ? 0 : op->size - 1;
  int32_t count;
  for (count = op->size; count > 0; count--, i += call->step) {
    const int32_t re = rip_load_s16(call->rows[0] + 4 * i), im = rip_load_s16(call->rows[0] + 4 * i + 2);
    const uint32_t energy = i >= op->first && i < op->end ? (uint32_t)(re * re) + (uint32_t)(im * im) : 0;
    rip_store_s32(call->out + 4 * i, (int32_t)energy);
  }
}
