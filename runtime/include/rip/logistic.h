/* The logistic function and tanh of 16 bits: straight lines between the points of one table.
 * SPDX-License-Identifier: MIT-0 */
#ifndef RIP_LOGISTIC_H
#define RIP_LOGISTIC_H

#include <stdint.h>

#include "rip/flash.h"

/* 2^(16 + bits) * the logistic function of a / (24 * 2^bits), a >= 0, from 256 points of 2^16 times it at i / 24; from
 * point 255 on it is `most`. */
static inline uint32_t rip_logistic_point(const uint16_t* table, uint32_t a, int32_t bits, uint32_t most) {
  const uint32_t point = a >> bits, rest = a & (((uint32_t)1 << bits) - 1);
  uint32_t low, high;
  if (point >= 255) return most << bits;
  low = rip_flash_u16(table + point);
  high = rip_flash_u16(table + point + 1);
  return (low << bits) + rest * (high - low);
}

/* 2^15 times the logistic function of x / (3 * 2^12). */
static inline int32_t rip_logistic(const uint16_t* table, int32_t x) {
  const int32_t y = (int32_t)rip_logistic_point(table, (uint32_t)(x < 0 ? -x : x), 9, 0xFFFE);
  return ((x < 0 ? ((int32_t)1 << 25) - y - 1 : y) + ((int32_t)1 << 9)) >> 10;
}

/* 2^15 times tanh of the same: twice the logistic function at twice the place, less one. */
static inline int32_t rip_tanh(const uint16_t* table, int32_t x) {
  const int32_t y = (int32_t)rip_logistic_point(table, (uint32_t)(x < 0 ? -x : x), 8, 0xFFFF) - ((int32_t)1 << 23);
  return ((x < 0 ? -y - 1 : y) + ((int32_t)1 << 7)) >> 8;
}

#endif
