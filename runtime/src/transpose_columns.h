/* Which columns of a kernel meet an input column, in a transposed convolution. SPDX-License-Identifier: MIT-0 */
#ifndef TRANSPOSE_COLUMNS_H
#define TRANSPOSE_COLUMNS_H

#include <stdint.h>

/* Kernel columns first, first + upsample, ..., count of them; they meet input columns column, column + 1, ... */
typedef struct transpose_columns {
  int32_t first, count, column;
} transpose_columns;

/* Of the kernel whose column 0 lies at `start`, where input column i lies at i * upsample. */
static inline transpose_columns transpose_columns_of(int32_t start, int32_t kernel, int32_t upsample,
                                                     int32_t in_width) {
  transpose_columns t;
  t.column = start <= 0 ? 0 : (start + upsample - 1) / upsample;
  t.first = t.column * upsample - start;
  t.count = t.first < kernel ? (kernel - 1 - t.first) / upsample + 1 : 0;
  if (t.count > in_width - t.column) t.count = in_width > t.column ? in_width - t.column : 0;
  return t;
}

#endif
