/* Sum or difference of two int8 tensors of one shape, both brought to one scale by a table. SPDX-License-Identifier:
 * MIT-0 */
#include "rip/flash.h"
#include "rip/halves.h"
#include "rip/kernels.h"
#include "rip/runs.h"

#define TOGETHER 4 /* scalars of a turn of the loop */

/* What the sum of two scalars takes. */
typedef struct adder {
  const int32_t *table0, *table1;
  int32_t multiplier, addend, shift;
} adder;

static inline int8_t add(const adder* f, int8_t a, int8_t b) {
  const int32_t sum = rip_flash_s32(f->table0 + (uint8_t)a) + rip_flash_s32(f->table1 + (uint8_t)b);
  return (int8_t)rip_saturate_byte(rip_smmlar(sum, f->multiplier, f->addend + (sum >> 31)) >> f->shift);
}

static void add_run(const void* params, const int8_t* a, const int8_t* b, int8_t* out, int32_t count, int32_t step) {
  const rip_add_dsp* op = (const rip_add_dsp*)params;
  const adder f = {op->table0, op->table1, op->multiplier, op->addend, op->shift};
  for (; count >= TOGETHER; count -= TOGETHER, a += TOGETHER * step, b += TOGETHER * step, out += TOGETHER * step) {
    out[0] = add(&f, a[0], b[0]);
    out[step] = add(&f, a[step], b[step]);
    out[2 * step] = add(&f, a[2 * step], b[2 * step]);
    out[3 * step] = add(&f, a[3 * step], b[3 * step]);
  }
  for (; count > 0; count--, a += step, b += step, out += step) *out = add(&f, *a, *b);
}

RIP_HOT void rip_add_dsp_row(const rip_add_dsp* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_add_dsp, op, params);
  rip_each_run(op, call, op->channels, op->act_min, op->act_max, add_run);
}
