/* The window of an audio front end: every sample times a weight. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/requantize.h"
#include "rip/scalars.h"

RIP_HOT void rip_signal_window_whole(const rip_signal_window* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_signal_window, op, params);
  int32_t i = call->step > 0 ? 0 : op->samples - 1;
  int32_t count;
  for (count = op->samples; count > 0; count--, i += call->step) {
    const int32_t product = rip_load_s16(call->rows[0] + 2 * i) * (int32_t)rip_flash_s16(op->weights + i % op->period);
    rip_store_s16(call->out + 2 * i, rip_clamp(product >> op->shift, INT16_MIN, INT16_MAX));
  }
}
