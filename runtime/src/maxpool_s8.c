/* Max pooling: one output row from kernel_h input rows. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/columns.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/requantize.h"

RIP_HOT void rip_maxpool_s8_row(const rip_pool_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_pool_s8, op, params);
  const int32_t step = call->step, pitch = call->in_pitch;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels, row, i;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const rip_columns columns = rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, 1, op->in_width);
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += step) {
      int32_t most = INT8_MIN;
      for (row = 0; row < op->kernel_h; row++) {
        const int8_t* in = call->rows[row];
        if (in == NULL) continue;
        in += columns.column * pitch + channel;
        for (i = columns.end - columns.first; i > 0; i--, in += pitch) {
          if (*in > most) most = *in;
        }
      }
      out[channel] = (int8_t)rip_clamp(most, op->act_min, op->act_max);
    }
  }
}
