/* The scalars of conv2d_wide.h and depthwise_wide.h as int16 with weights of int8. SPDX-License-Identifier: MIT-0 */
#include "rip/s16.h"

#define WIDE_BYTES ((int32_t)sizeof(int16_t))
typedef int64_t wide_sum;
typedef int8_t wide_weight;
typedef rip_output_s16 wide_output;

#define WIDE_OUTPUT_OF(op) RIP_OUTPUT_S16_OF(op)

static inline int32_t wide_load(const int8_t* p) { return rip_load_s16(p); }
static inline int64_t wide_add(int64_t sum, int32_t x, const int8_t* w) { return sum + x * rip_flash_s8(w); }
static inline void wide_write(const wide_output* o, int32_t channel, int64_t sum, int8_t* out) {
  rip_write_s16(o, channel, sum, out);
}
