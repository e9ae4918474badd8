/* Average pooling: one output row from kernel_h input rows. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/columns.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/pooling.h"
#include "rip/requantize.h"

RIP_HOT void rip_avgpool_s8_row(const rip_pool_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_pool_s8, op, params);
  const int32_t step = call->step, pitch = call->in_pitch;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, channels, rows = 0, row, i;
  for (row = 0; row < op->kernel_h; row++) rows += call->rows[row] != NULL;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const rip_columns columns = rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, 1, op->in_width);
    const int32_t taps = columns.end - columns.first;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = step > 0 ? 0 : op->channels - 1;
    for (channels = op->channels; channels > 0; channels--, channel += step) {
      int32_t sum = 0;
      for (row = 0; row < op->kernel_h; row++) {
        const int8_t* in = call->rows[row];
        if (in == NULL) continue;
        in += columns.column * pitch + channel;
        for (i = taps; i > 0; i--, in += pitch) sum += *in;
      }
      out[channel] = (int8_t)rip_clamp(rip_rounded_mean(sum, rows * taps), op->act_min, op->act_max);
    }
  }
}
