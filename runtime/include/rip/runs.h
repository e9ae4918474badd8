/* Rows of two int8 tensors of one shape, run by run. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_RUNS_H
#define RIP_RUNS_H

#include "rip/call.h"
#include "rip/requantize.h"

/* Makes `count` scalars, each `step` bytes after the last. */
typedef void rip_run(const void* op, const int8_t* a, const int8_t* b, int8_t* out, int32_t count, int32_t step);

static inline void rip_clamp_run(int8_t* out, int32_t count, int32_t act_min, int32_t act_max) {
  if (act_min <= -128 && act_max >= 127) return;
  for (; count > 0; count--, out++) *out = (int8_t)rip_clamp(*out, act_min, act_max);
}

/* Calls make() for each run of the row in the order of the call's step, and clamps what it made. Pixels that lie side
 * by side are one run. */
static inline void rip_each_run(const void* op, const rip_row_call* call, int32_t channels, int32_t act_min,
                                int32_t act_max, rip_run* make) {
  const int dense = call->in_pitch == channels && call->out_pitch == channels;
  const int32_t run = dense ? (call->x1 - call->x0) * channels : channels;
  const int32_t last = call->step > 0 ? 0 : run - 1;
  int32_t runs = dense ? run > 0 : call->x1 - call->x0;
  int32_t x = dense || call->step > 0 ? call->x0 : call->x1 - 1;
  for (; runs > 0; runs--, x += call->step) {
    int8_t* const out = call->out + x * call->out_pitch;
    const int32_t in = x * call->in_pitch + last;
    make(op, call->rows[0] + in, call->rows[1] + in, out + last, run, call->step);
    rip_clamp_run(out, run, act_min, act_max);
  }
}

#endif
