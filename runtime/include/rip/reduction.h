/* How the kernels that reduce axes walk their input. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_REDUCTION_H
#define RIP_REDUCTION_H

#include <stdint.h>

/* A tensor seen as [outer][first][middle][second][inner], reduced over `first` and `second`. Output [o][m][i] is the
 * scalar of that index. */
typedef struct rip_reduction {
  int32_t outer, first, middle, second, inner;
} rip_reduction;

/* `op` points to a parameter struct that has these fields. */
#define RIP_REDUCTION_OF(op) \
  { (op)->outer, (op)->first, (op)->middle, (op)->second, (op)->inner }

static inline int32_t rip_reduction_outputs(const rip_reduction* r) { return r->outer * r->middle * r->inner; }

/* Index of the first input scalar of an output; the others lie `inner` apart in runs of `second`, the runs
 * middle * second * inner apart. */
static inline int32_t rip_reduction_start(const rip_reduction* r, int32_t output) {
  const int32_t inner = output % r->inner, row = output / r->inner;
  const int32_t run = r->second * r->inner;
  return (row / r->middle) * r->first * r->middle * run + (row % r->middle) * run + inner;
}

#endif
