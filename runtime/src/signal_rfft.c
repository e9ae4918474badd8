/* Fourier transform of real int16, in fixed point: a complex one of half as many points, in place, whose stages divide
 * by their radix; then the spectrum of the real sequence out of it. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"
#include "rip/scalars.h"

typedef struct complex16 {
  int16_t re, im;
} complex16;

static complex16 load(const int8_t* p, int32_t i) {
  complex16 c;
  c.re = rip_load_s16(p + 4 * i);
  c.im = rip_load_s16(p + 4 * i + 2);
  return c;
}

static void store(int8_t* p, int32_t i, complex16 c) {
  rip_store_s16(p + 4 * i, c.re);
  rip_store_s16(p + 4 * i + 2, c.im);
}

/* Sums and differences wrap. */
static complex16 add(complex16 a, complex16 b) {
  complex16 c;
  c.re = (int16_t)(a.re + (int32_t)b.re);
  c.im = (int16_t)(a.im + (int32_t)b.im);
  return c;
}

static complex16 subtract(complex16 a, complex16 b) {
  complex16 c;
  c.re = (int16_t)(a.re - (int32_t)b.re);
  c.im = (int16_t)(a.im - (int32_t)b.im);
  return c;
}

static int16_t rounded(int32_t x) { return (int16_t)((x + 16384) >> 15); }

static complex16 times(complex16 a, const int16_t* factor) {
  const int32_t re = rip_flash_s16(factor), im = rip_flash_s16(factor + 1);
  complex16 c;
  c.re = rounded(a.re * re - a.im * im);
  c.im = rounded(a.re * im + a.im * re);
  return c;
}

static complex16 divided(complex16 a, int32_t by) {
  const int32_t factor = 32767 / by;
  complex16 c;
  c.re = rounded(a.re * factor);
  c.im = rounded(a.im * factor);
  return c;
}

/* Radices are 4 from the outermost stage on, and 2 for the innermost if one is left. */
static int32_t radix_of(int32_t points) { return points % 4 == 0 ? 4 : 2; }

/* Which point of the sequence lies at `place` before the innermost stage. */
static int32_t source_of(int32_t points, int32_t place) {
  int32_t stride = 1, source = 0;
  while (points > 1) {
    const int32_t radix = radix_of(points);
    points /= radix;
    source += place / points * stride;
    place %= points;
    stride *= radix;
  }
  return source;
}

static void permute(int8_t* data, int32_t points) {
  int32_t i;
  for (i = 0; i < points; i++) {
    int32_t from = source_of(points, i);
    complex16 c = load(data, i);
    while (from < i) from = source_of(points, from); /* it has been swapped away */
    store(data, i, load(data, from));
    store(data, from, c);
  }
}

static void radix2(int8_t* data, int32_t at, int32_t m, const int16_t* twiddle) {
  const complex16 a = divided(load(data, at), 2), b = times(divided(load(data, at + m), 2), twiddle);
  store(data, at, add(a, b));
  store(data, at + m, subtract(a, b));
}

static void radix4(int8_t* data, int32_t at, int32_t m, const int16_t* twiddles, int32_t stride) {
  const complex16 a = divided(load(data, at), 4);
  const complex16 b = times(divided(load(data, at + m), 4), twiddles + 2 * stride);
  const complex16 c = times(divided(load(data, at + 2 * m), 4), twiddles + 4 * stride);
  const complex16 d = times(divided(load(data, at + 3 * m), 4), twiddles + 6 * stride);
  const complex16 even = add(a, c), odd = add(b, d), left = subtract(a, c), right = subtract(b, d);
  complex16 turned; /* right, a quarter backwards */
  turned.re = right.im;
  turned.im = (int16_t)(0 - (int32_t)right.re);
  store(data, at, add(even, odd));
  store(data, at + m, add(left, turned));
  store(data, at + 2 * m, subtract(even, odd));
  store(data, at + 3 * m, subtract(left, turned));
}

static void transform(int8_t* data, int32_t points, const int16_t* twiddles) {
  int32_t m, radix, block, i;
  int32_t inner = points;
  while (inner > 4) inner /= 4; /* radix of the innermost stage */
  for (m = 1, radix = inner; m < points; m *= radix, radix = 4) {
    const int32_t stride = points / (m * radix);
    for (block = 0; block < points; block += m * radix) {
      for (i = 0; i < m; i++) {
        if (radix == 2) {
          radix2(data, block + i, m, twiddles + 2 * stride * i);
        } else {
          radix4(data, block + i, m, twiddles, stride * i);
        }
      }
    }
  }
}

/* From the transform of pairs of samples as complex numbers to that of the samples. */
static void unpack(int8_t* data, int32_t points, const int16_t* twiddles) {
  const complex16 first = divided(load(data, 0), 2);
  complex16 c;
  int32_t k;
  c.im = 0;
  c.re = (int16_t)(first.re + (int32_t)first.im);
  store(data, 0, c);
  c.re = (int16_t)(first.re - (int32_t)first.im);
  store(data, points, c);
  for (k = 1; k <= points / 2; k++) {
    const complex16 low = divided(load(data, k), 2);
    complex16 high = load(data, points - k), sum, turned;
    high.im = (int16_t)(0 - (int32_t)high.im);
    high = divided(high, 2);
    sum = add(low, high);
    turned = times(subtract(low, high), twiddles + 2 * (k - 1));
    c.re = (int16_t)((sum.re + (int32_t)turned.re) >> 1);
    c.im = (int16_t)((sum.im + (int32_t)turned.im) >> 1);
    store(data, k, c);
    c.re = (int16_t)((sum.re - (int32_t)turned.re) >> 1);
    c.im = (int16_t)((turned.im - (int32_t)sum.im) >> 1);
    store(data, points - k, c);
  }
}

RIP_HOT void rip_signal_rfft_whole(const rip_signal_rfft* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_signal_rfft, op, params);
  memmove(call->out, call->rows[0], (size_t)(2 * op->samples));
  memset(call->out + 2 * op->samples, 0, (size_t)(4 * op->points - 2 * op->samples));
  permute(call->out, op->points);
  transform(call->out, op->points, op->twiddles);
  unpack(call->out, op->points, op->unpacking);
}
