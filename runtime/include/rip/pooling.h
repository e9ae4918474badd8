/* What the kernels of AVERAGE_POOL_2D share. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_POOLING_H
#define RIP_POOLING_H

#include <stdint.h>

/* Halves away from zero. */
static inline int32_t rip_rounded_mean(int32_t sum, int32_t count) {
  return sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
}

#endif
