/* What the elementwise kernels of one operand share: the walk over a row. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_SINGLES_H
#define RIP_SINGLES_H

#include "rip/call.h"

/* Makes the scalar at `out` of the one at `in`. */
typedef void rip_single_function(const void* op, const int8_t* in, int8_t* out);

/* Calls `make` for every scalar of the row, in the order of `step`; the sizes are those of one scalar. Element i is
 * written only after element i is read. */
static inline void rip_each_single(const void* op, const rip_row_call* call, int32_t channels, int32_t in_scalar,
                                   int32_t out_scalar, rip_single_function* make) {
  const int32_t step = call->step;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, i;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const int8_t* in = call->rows[0] + x * call->in_pitch;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = step > 0 ? 0 : channels - 1;
    for (i = channels; i > 0; i--, channel += step) make(op, in + channel * in_scalar, out + channel * out_scalar);
  }
}

#endif
