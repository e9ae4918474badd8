/* Slices, transposes and other moves of whole blocks. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"

/* Bytes from the start to index i of an axis. */
static int32_t distance(const rip_rearrange* op, int32_t axis, int32_t i) {
  const int32_t* fields = op->axes + 3 * axis;
  const int32_t first = rip_flash_s32(fields + 2);
  return first < 0 ? i * rip_flash_s32(fields + 1) : rip_flash_s32(op->offsets + first + i);
}

RIP_HOT void rip_rearrange_row(const rip_rearrange* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_rearrange, op, params);
  const int32_t step = call->step;
  const size_t bytes = (size_t)op->block_bytes;
  int32_t index[RIP_REARRANGE_AXES];
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t at = op->start;
  int32_t blocks, axis, rest = x;
  for (axis = op->count - 1; axis >= 0; axis--) {
    const int32_t extent = rip_flash_s32(op->axes + 3 * axis);
    index[axis] = rest % extent;
    rest /= extent;
    at += distance(op, axis, index[axis]);
  }
  for (blocks = call->x1 - call->x0; blocks > 0; blocks--, x += step) {
    memmove(call->out + x * call->out_pitch, call->rows[0] + at, bytes);
    /* On to the next index, the last axis first. */
    for (axis = op->count - 1; axis >= 0; axis--) {
      const int32_t extent = rip_flash_s32(op->axes + 3 * axis);
      const int32_t next = index[axis] + step;
      at -= distance(op, axis, index[axis]);
      index[axis] = next < 0 ? extent - 1 : next >= extent ? 0 : next;
      at += distance(op, axis, index[axis]);
      if (index[axis] == next) break;
    }
  }
}
