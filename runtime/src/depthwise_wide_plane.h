/* Depthwise convolution plane by plane for scalars of more than a byte: included once a type, after wide_f32.h or
 * wide_s16.h. SPDX-License-Identifier: MIT-0 */
#include "rip/columns.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"

/* One channel of an image after another. Its input rows pass through a ring: row y lies in slot y mod ring_rows. */
static inline void depthwise_plane(const WIDE_OP* op, const rip_row_call* call) {
  const wide_output output = WIDE_OUTPUT_OF(op);
  const int32_t ring_rows = (op->kernel_h - 1) * op->dilation_h + 1, ring_row = op->in_width * WIDE_BYTES;
  int8_t* ring = (int8_t*)call->scratch;
  int32_t channel, row, x, j, i;
  for (channel = 0; channel < op->channels; channel++) {
    int32_t loaded = 0;
    for (row = 0; row < op->out_height; row++) {
      const int32_t first_row = row * op->stride_h - op->pad_h;
      int8_t* out = call->out + row * op->out_width * call->out_pitch;
      for (; loaded < op->in_height && loaded < first_row + ring_rows; loaded++) {
        const int8_t* in = call->rows[0] + loaded * op->in_width * call->in_pitch + channel * WIDE_BYTES;
        int8_t* slot = ring + loaded % ring_rows * ring_row;
        for (x = 0; x < op->in_width; x++, in += call->in_pitch) memcpy(slot + x * WIDE_BYTES, in, WIDE_BYTES);
      }
      for (x = 0; x < op->out_width; x++, out += call->out_pitch) {
        const rip_columns columns =
            rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, op->dilation_w, op->in_width);
        wide_sum sum = 0;
        for (j = 0; j < op->kernel_h; j++) {
          const int32_t y = first_row + j * op->dilation_h;
          const wide_weight* w = op->weights + (j * op->kernel_w + columns.first) * op->channels + channel;
          const int8_t* in;
          if (y < 0 || y >= op->in_height) continue;
          in = ring + y % ring_rows * ring_row + columns.column * WIDE_BYTES;
          for (i = columns.end - columns.first; i > 0; i--, in += op->dilation_w * WIDE_BYTES, w += op->channels) {
            sum = wide_add(sum, wide_load(in), w);
          }
        }
        wide_write(&output, channel, sum, out);
      }
    }
  }
}
