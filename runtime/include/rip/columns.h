/* Which columns of its input rows an output pixel of a windowed kernel reads. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_COLUMNS_H
#define RIP_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

/* Taps first <= k < end lie in the image; tap `first` reads input column `column`. Without any, first == end. */
typedef struct rip_columns {
  int32_t first, end, column;
} rip_columns;

/* The taps k with 0 <= start + k * dilation < in_width, for 0 <= k < kernel. */
static inline rip_columns rip_columns_from(int32_t start, int32_t kernel, int32_t dilation, int32_t in_width) {
  rip_columns taps;
  taps.first = 0;
  taps.end = kernel;
  if (start < 0) taps.first = (dilation - 1 - start) / dilation;
  if (start + (kernel - 1) * dilation >= in_width) {
    taps.end = start < in_width ? (in_width - 1 - start) / dilation + 1 : 0;
  }
  taps.column = start + taps.first * dilation;
  if (taps.end <= taps.first) taps.first = taps.end = taps.column = 0;
  return taps;
}

/* Whether one of the kernel's rows is a row of padding. */
static inline int rip_any_null(const int8_t* const* rows, int32_t kernel_h) {
  int32_t row;
  for (row = 0; row < kernel_h; row++) {
    if (rows[row] == NULL) return 1;
  }
  return 0;
}

#endif
