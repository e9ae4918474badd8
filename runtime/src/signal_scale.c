/* How far the samples of an audio front end can be shifted to the left, and the shift. SPDX-License-Identifier: MIT-0
 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/scalars.h"

/* The bits between the largest magnitude and the sign. The reference keeps the magnitude in an int16, where that of the
 * least sample is negative, and so below the next. */
static int32_t headroom(const int8_t* samples, int32_t count) {
  int32_t most = 0, bits = 0, i;
  for (i = 0; i < count; i++) {
    const int32_t sample = rip_load_s16(samples + 2 * i);
    if (sample > most) {
      most = sample;
    } else if (-sample > most) {
      most = sample == INT16_MIN ? INT16_MIN : -sample;
    }
  }
  if (most <= 0) return 0;
  for (; most < 0x4000; most *= 2) bits++;
  return bits;
}

RIP_HOT void rip_signal_headroom_whole(const rip_signal_vector* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_signal_vector, op, params);
  rip_store_s32(call->out, headroom(call->rows[0], op->size));
}

RIP_HOT void rip_signal_scale_whole(const rip_signal_vector* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_signal_vector, op, params);
  const int32_t factor = (int32_t)1 << headroom(call->rows[0], op->size);
  int32_t i = call->step > 0 ? 0 : op->size - 1;
  int32_t count;
  for (count = op->size; count > 0; count--, i += call->step) {
    rip_store_s16(call->out + 2 * i, rip_load_s16(call->rows[0] + 2 * i) * factor);
  }
}
