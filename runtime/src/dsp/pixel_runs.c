/* Where the taps of one pixel lie, for the convolutions of rip/dsp.h. SPDX-License-Identifier: MIT-0 */
#include "rip/columns.h"
#include "rip/dsp_pixel.h"
#include "rip/halves.h"
#include "rip/memory.h"
#include "rip/scalars.h"

typedef struct list {
  rip_dsp_run* to;
  rip_dsp_run* end; /* room for one more lies behind it */
} list;

/* Returns 0 where the list is full. */
static inline int put_run(list* runs, const int8_t* from, int32_t count) {
  if (count == 0) return 1;
  if (runs->to == runs->end) return 0;
  runs->to->from = from;
  runs->to++->count = count;
  return 1;
}

static inline rip_columns columns_of(const rip_conv2d_dsp* op, int32_t x) {
  return rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, op->dilation_w, op->in_width);
}

int32_t rip_dsp_find_runs(const rip_conv2d_dsp* op, const rip_row_call* call, int32_t x,
                          rip_dsp_run runs[RIP_DSP_MOST_RUNS]) {
  const rip_columns columns = columns_of(op, x);
  const int32_t channels = op->in_channels, stride = op->dilation_w * call->in_pitch;
  const int32_t own = columns.end - columns.first, together = stride == channels ? own : 1;
  list l;
  int32_t row, tap;
  if (channels % 4 != 0) return 0;
  l.to = runs;
  l.end = runs + RIP_DSP_MOST_RUNS - 1;
  for (row = 0; row < op->kernel_h; row++) {
    const int8_t* from = call->rows[row];
    if (from == NULL) {
      if (!put_run(&l, NULL, op->kernel_w * channels)) return 0;
      continue;
    }
    from += columns.column * call->in_pitch;
    if (!put_run(&l, NULL, columns.first * channels)) return 0;
    for (tap = 0; tap < own; tap += together, from += stride) {
      if (!put_run(&l, from, together * channels)) return 0;
    }
    if (!put_run(&l, NULL, (op->kernel_w - columns.end) * channels)) return 0;
  }
  return (int32_t)(l.to - runs);
}

void rip_dsp_copy_taps(const rip_conv2d_dsp* op, const rip_row_call* call, int32_t x, int8_t* to) {
  const rip_columns columns = columns_of(op, x);
  const int32_t channels = op->in_channels, stride = op->dilation_w * call->in_pitch;
  int32_t row, tap, channel, count = 0;
  for (row = 0; row < op->kernel_h; row++) {
    const int8_t* from = call->rows[row];
    if (from != NULL) from += columns.column * call->in_pitch;
    for (tap = 0; tap < op->kernel_w; tap++) {
      const int in_image = from != NULL && tap >= columns.first && tap < columns.end;
      for (channel = 0; channel < channels; channel++) {
        to[count++] = in_image ? from[channel] : (int8_t)op->in_zero;
      }
      if (in_image) from += stride;
    }
  }
  while (count % 4 != 0) to[count++] = 0;
}

void rip_dsp_widen_runs(const rip_dsp_run* runs, const rip_dsp_run* end, int32_t zeros, int32_t* to) {
  for (; runs != end; runs++) {
    const int8_t* from = runs->from;
    int32_t left = runs->count;
    if (from == NULL) {
      for (; left > 0; left -= 4, to += 2) to[0] = to[1] = zeros;
    } else {
      for (; left > 0; left -= 4, to += 2, from += 4) {
        const int32_t bytes = rip_load_s32(from);
        to[0] = rip_even_bytes(bytes);
        to[1] = rip_odd_bytes(bytes);
      }
    }
  }
}
