/* Pooling for scalars of more than a byte: included once a kernel, which defines the type of a pool's running value,
 * pool_start, pool_take and pool_write. Only taps inside of the image count, row by row.
 * SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/columns.h"
#include "rip/flash.h"
#include "rip/kernels.h"

static inline void pool_row(const POOL_OP* op, const rip_row_call* call) {
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
      pool_value value = POOL_START;
      for (row = 0; row < op->kernel_h; row++) {
        const int8_t* in = call->rows[row];
        if (in == NULL) continue;
        in += columns.column * pitch + channel * POOL_BYTES;
        for (i = taps; i > 0; i--, in += pitch) value = pool_take(value, in);
      }
      pool_write(op, value, rows * taps, out + channel * POOL_BYTES);
    }
  }
}
