/* Rounded square roots, shifted back by what the samples were shifted. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"
#include "rip/scalars.h"

/* To nearest, within 16 bits for x of 32 bits and within 32 otherwise. */
static uint32_t square_root(uint64_t x) {
  const uint64_t most = x >> 32 == 0 ? 0xffffu : 0xffffffffu;
  uint64_t root = 0, bit = (uint64_t)1 << 62;
  for (; bit != 0; bit >>= 2) {
    if (x >= root + bit) {
      x -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return (uint32_t)(x > root && root != most ? root + 1 : root);
}

RIP_HOT void rip_signal_square_root_whole(const rip_signal_vector* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_signal_vector, op, params);
  const uint32_t shift = (uint32_t)rip_load_s32(call->rows[1]);
  int32_t i = call->step > 0 ? 0 : op->size - 1;
  int32_t count;
  for (count = op->size; count > 0; count--, i += call->step) {
    uint64_t x;
    memcpy(&x, call->rows[0] + 8 * i, sizeof x);
    rip_store_s32(call->out + 4 * i, (int32_t)(shift < 32 ? square_root(x) >> shift : 0));
  }
}
