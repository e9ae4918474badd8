/* The call that every kernel takes: which columns of one output row to make, and where the input rows lie.
 * SPDX-License-Identifier: MIT-0 */
#ifndef RIP_CALL_H
#define RIP_CALL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rip_view;

typedef struct rip_row_call {
  const int8_t* const* rows;   /* kernel_rows pointers; null = a row of padding, never stored       */
  int8_t* out;                 /* first byte of the output row                                      */
  int32_t in_pitch, out_pitch; /* bytes from pixel to pixel (channels, or more inside a slice)      */
  const struct rip_view* in;   /* the inputs' views (rip/node.h), in flash: each has a pitch of its own */
  int32_t x0, x1;              /* columns to make: x0 <= x < x1                                     */
  int32_t y;                   /* the output row, where one call makes one row                      */
  int32_t step;                /* +1: from x0 up; -1: from x1 - 1 down                              */
  void* scratch;               /* undefined at each call                                            */
  int32_t scratch_bytes;       /* of a kernel that takes any scratch; null with 0                   */
  void* kept;                  /* persists over the op's calls, if the contract asks for it         */
  void* state;                 /* what the operator itself keeps from run to run, or null           */
} rip_row_call;

#ifdef __cplusplus
}
#endif
#endif
