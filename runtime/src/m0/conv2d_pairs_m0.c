/* 2-D convolution as conv2d_m0.c's, two pixels at a time, on processors of many registers. SPDX-License-Identifier:
 * MIT-0
 */
#include "gather_m0.h"
#include "rip/flash.h"

/* The sums of two channels of two pixels. */
typedef struct four_sums {
  int32_t a0, a1, b0, b1; /* pixel a or b, channel 0 or 1 */
} four_sums;

static inline int32_t two(int32_t taps, int32_t weights) {
  return (int32_t)((uint32_t)taps * (uint32_t)weights + 0x8000U) >> 16;
}

static inline int32_t four(int32_t taps0, int32_t weights0, int32_t taps1, int32_t weights1) {
  return (int32_t)((uint32_t)taps0 * (uint32_t)weights0 + (uint32_t)taps1 * (uint32_t)weights1 + 0x8000U) >> 16;
}

/* Adds four taps of either pixel, two words at `a` and two at `b`. */
static inline void add_unit(four_sums* s, const int32_t* a, const int32_t* b, const int32_t* stream) {
  const int32_t w0 = rip_flash_s32(stream), w1 = rip_flash_s32(stream + 1);
  const int32_t v0 = rip_flash_s32(stream + 2), v1 = rip_flash_s32(stream + 3);
  const int32_t a0 = a[0], a1 = a[1], b0 = b[0], b1 = b[1];
  s->a0 += four(a0, w0, a1, w1);
  s->a1 += four(a0, v0, a1, v1);
  s->b0 += four(b0, w0, b1, w1);
  s->b1 += four(b0, v0, b1, v1);
}

/* Two pixels, or one twice. */
typedef struct two_pixels {
  const int32_t *a, *b; /* taps */
  int8_t *out_a, *out_b;
} two_pixels;

/* Makes all their channels from `words` words of taps each. */
static void make_pixels(const int32_t* stream, const two_pixels* pixels, int32_t words, int32_t channels) {
  int8_t *const out_a = pixels->out_a, *const out_b = pixels->out_b;
  int32_t channel;
  for (channel = 0; channel < channels; channel += 2) {
    const int32_t *a = pixels->a, *b = pixels->b;
    int32_t units = words / 2, loose;
    four_sums s;
    s.a0 = s.b0 = rip_flash_s32(stream);
    s.a1 = s.b1 = rip_flash_s32(stream + 1);
    stream += 2;
    if (units % 2 != 0) {
      add_unit(&s, a, b, stream);
      a += 2, b += 2, stream += 4;
    }
    for (units /= 2; units > 0; units--, a += 4, b += 4, stream += 8) {
      add_unit(&s, a, b, stream);
      add_unit(&s, a + 2, b + 2, stream + 4);
    }
    for (loose = rip_flash_s32(stream++); loose > 0; loose--, stream += 3) {
      const int32_t at = rip_flash_s32(stream) >> 2;
      const int32_t w = rip_flash_s32(stream + 1), v = rip_flash_s32(stream + 2);
      s.a0 += two(pixels->a[at], w);
      s.a1 += two(pixels->a[at], v);
      s.b0 += two(pixels->b[at], w);
      s.b1 += two(pixels->b[at], v);
    }
    out_a[channel] = rip_m0_output(s.a0, stream);
    out_b[channel] = rip_m0_output(s.b0, stream);
    stream += RIP_M0_OUTPUT;
    if (channel + 1 < channels) {
      out_a[channel + 1] = rip_m0_output(s.a1, stream);
      out_b[channel + 1] = rip_m0_output(s.b1, stream);
    }
    stream += RIP_M0_OUTPUT;
  }
}

RIP_HOT void rip_conv2d_pairs_m0_row(const rip_conv2d_m0* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_conv2d_m0, op, params);
  const int32_t words = words_of(op), channels = op->out_channels;
  const int touching = all_touch(op, call);
  int32_t* const gathered = aligned(call->scratch);
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1, count;
  two_pixels pixels;
  pixels.a = gathered;
  for (count = call->x1 - call->x0; count > 0; count -= 2, x += 2 * call->step) {
    const int32_t next = x + call->step;
    gather(op, call, x, gathered, words, touching);
    pixels.b = gathered;
    pixels.out_a = pixels.out_b = call->out + x * call->out_pitch;
    if (count > 1) {
      gather(op, call, next, gathered + words, words, touching);
      pixels.b = gathered + words;
      pixels.out_b = call->out + next * call->out_pitch;
    }
    make_pixels(op->stream, &pixels, words, channels);
  }
}
