/* What the elementwise kernels of two operands share: the walk over a row. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_PAIRS_H
#define RIP_PAIRS_H

#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/scalars.h"

/* A scalar of an operand that is read as `operand` says. */
static inline int32_t rip_operand_s8(const int8_t* p, int32_t operand) {
  return operand & RIP_IN_FLASH ? rip_flash_s8(p) : *p;
}

static inline int32_t rip_operand_s16(const int8_t* p, int32_t operand) {
  return operand & RIP_IN_FLASH ? rip_flash_s16((const int16_t*)(const void*)p) : rip_load_s16(p);
}

static inline int32_t rip_operand_s32(const int8_t* p, int32_t operand) {
  return operand & RIP_IN_FLASH ? rip_flash_s32((const int32_t*)(const void*)p) : rip_load_s32(p);
}

static inline float rip_operand_f32(const int8_t* p, int32_t operand) {
  return operand & RIP_IN_FLASH ? rip_flash_f32((const float*)(const void*)p) : rip_load_f32(p);
}

/* Makes the scalar at `out` of those at `a` and `b`. */
typedef void rip_pair_function(const void* op, const int8_t* a, const int8_t* b, int8_t* out);

/* Calls `make` for every scalar of the row, in the order of `step`. `operand0` and `operand1` say how rows[0] and
 * rows[1] are read; `scalar` is the size of theirs, `out_scalar` of the output's. Element i is written only after
 * element i of both is read, and whoever is read for more than one element is never overwritten. */
static inline void rip_each_pair(const void* op, const rip_row_call* call, int32_t channels, int32_t operand0,
                                 int32_t operand1, int32_t scalar, int32_t out_scalar, rip_pair_function* make) {
  const int32_t step = call->step;
  const int32_t channel0 = operand0 & RIP_EVERY_CHANNEL ? scalar : 0;
  const int32_t channel1 = operand1 & RIP_EVERY_CHANNEL ? scalar : 0;
  const int32_t pixel0 = operand0 & RIP_EVERY_PIXEL ? channel0 != 0 ? call->in_pitch : scalar : 0;
  const int32_t pixel1 = operand1 & RIP_EVERY_PIXEL ? channel1 != 0 ? call->in_pitch : scalar : 0;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t pixels, i;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    const int8_t* a = call->rows[0] + x * pixel0;
    const int8_t* b = call->rows[1] + x * pixel1;
    int8_t* out = call->out + x * call->out_pitch;
    int32_t channel = step > 0 ? 0 : channels - 1;
    for (i = channels; i > 0; i--, channel += step) {
      make(op, a + channel * channel0, b + channel * channel1, out + channel * out_scalar);
    }
  }
}

#endif
