/* The scalars of conv2d_wide.h, depthwise_wide.h and pool_wide.h as binary32. SPDX-License-Identifier: MIT-0 */
#include "rip/f32.h"
#include "rip/flash.h"

#define WIDE_BYTES ((int32_t)sizeof(float))
typedef float wide_sum;
typedef float wide_weight;

/* What turns the sum of a channel's products into its output. */
typedef struct wide_output {
  const float* bias; /* by channel, in flash */
  float min, max;
} wide_output;

#define WIDE_OUTPUT_OF(op) \
  { (op)->bias, (op)->act_min, (op)->act_max }

static inline float wide_load(const int8_t* p) { return rip_load_f32(p); }
static inline float wide_add(float sum, float x, const float* w) {
  return rip_multiply_add_f32(sum, x, rip_flash_f32(w));
}
static inline void wide_write(const wide_output* o, int32_t channel, float sum, int8_t* out) {
  const float whole = sum + rip_flash_f32(o->bias + channel);
  rip_store_f32(out + channel * WIDE_BYTES, rip_clamp_f32(whole, o->min, o->max));
}
