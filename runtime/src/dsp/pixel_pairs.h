/* What the two inner products of rip/dsp_pixel.h have in common in portable C; included after add_four, which adds four
 * taps to the sums of a pair of channels. SPDX-License-Identifier: MIT-0 */
#include "rip/memory.h"
#include "rip/scalars.h"

/* All taps of a pixel. Returns what follows their weights. */
static const int32_t* add_pixel(const rip_dsp_pixel* pixel, const int32_t* stream, int32_t sums[2]) {
  const rip_dsp_run* run;
  int32_t tap;
  if (pixel->halves != NULL) {
    const int32_t* end = pixel->halves + pixel->taps / 2;
    const int32_t* halves;
    for (halves = pixel->halves; halves != end; halves += 2) stream = add_four(sums, stream, halves[0], halves[1]);
    return stream;
  }
  for (run = pixel->runs; run != pixel->runs_end; run++) {
    for (tap = 0; tap < run->count; tap += 4) {
      if (run->from == NULL) {
        stream = add_four(sums, stream, pixel->zeros, pixel->zeros);
      } else {
        const int32_t bytes = rip_load_s32(run->from + tap);
        stream = add_four(sums, stream, rip_even_bytes(bytes), rip_odd_bytes(bytes));
      }
    }
  }
  return stream;
}

/* `make_pair` makes two channels and returns where the stream goes on. */
static void make_fours(const rip_dsp_pixel* pixel,
                       const int32_t* make_pair(const rip_dsp_pixel* pixel, const int32_t* stream, int8_t out[2])) {
  const int32_t *first = pixel->stream, *second = pixel->second;
  const int32_t record = (int32_t)(second - first);
  int8_t* out;
  for (out = pixel->out; out != pixel->out_end; out += 4) {
    int8_t four[4];
    make_pair(pixel, first, four);
    first = make_pair(pixel, second, four + 2);
    second = first + record;
    memcpy(out, four, sizeof four);
  }
}
