/* Walks down an image with some channels of it, whose output may take the input's very place. Included once a kernel,
 * which has a make_row. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/depthwise.h"

/* Some channels of an image. Their input rows pass through a ring: row y lies in slot y mod ring_rows. */
typedef struct plane {
  const rip_depthwise_s8* op;
  int32_t channel, channels; /* the first of them, and how many */
  const int8_t* weights;     /* of the first one; the next tap's lies RIP_BLOCK further on */
  int8_t* ring;
  const int8_t* ring_end;
  int32_t ring_rows, row_bytes;
  int32_t row_step;   /* bytes from one kernel row to the next */
  int32_t first_row;  /* input row of the first kernel row; may lie above the image */
  int32_t first_slot; /* that of the ring which is or would be its */
} plane;

/* No division: `slot` has gone round once at most. */
static int32_t wrapped(const plane* p, int32_t slot) { return slot < p->ring_rows ? slot : slot - p->ring_rows; }

/* Copies input row y of the image at `in`, whose pixels are `pitch` bytes apart, into a slot of the ring. */
static void load_row(const plane* p, int32_t y, int32_t slot, const int8_t* in, int32_t pitch) {
  const int32_t width = p->op->in_width, channels = p->channels;
  int8_t* row = p->ring + slot * p->row_bytes;
  int32_t x, i;
  in += y * width * pitch + p->channel;
  if (channels == 1) {
    for (x = 0; x < width; x++, in += pitch) row[x] = *in;
    return;
  }
  for (x = 0; x < width; x++, in += pitch, row += channels) {
    for (i = 0; i < channels; i++) row[i] = in[i];
  }
}

/* A kernel row on its way down the image and round the ring. */
typedef struct place {
  int32_t y;
  const int8_t* row;
} place;

static inline place first_place(const plane* p) {
  const place first = {p->first_row, p->ring + p->first_slot * p->row_bytes};
  return first;
}

static inline int is_inside(const plane* p, const place* at) { return at->y >= 0 && at->y < p->op->in_height; }

static inline void move_on(const plane* p, place* at) {
  at->y += p->op->dilation_h;
  at->row += p->row_step;
  if (at->row >= p->ring_end) at->row -= p->ring_end - p->ring;
}

/* Makes the output row that starts at `out`, of the plane's channels. */
static void make_row(const plane* p, const rip_output* output, int8_t* out, int32_t pitch);

/* Makes `channels` channels of the image from `channel` on, RIP_BLOCK at most. */
static inline void make_plane(const rip_depthwise_s8* op, const rip_row_call* call, int32_t channel, int32_t channels) {
  const rip_output output = rip_output_from(op, channel);
  int32_t row, advance, loaded = 0, slot = 0;
  plane p;
  p.op = op;
  p.channel = channel;
  p.channels = channels;
  p.weights = op->weights + channel / RIP_BLOCK * op->kernel_h * op->kernel_w * RIP_BLOCK + channel % RIP_BLOCK;
  p.ring = (int8_t*)call->scratch;
  p.row_bytes = op->in_width * channels;
  p.ring_rows = (op->kernel_h - 1) * op->dilation_h + 1;
  p.ring_end = p.ring + p.ring_rows * p.row_bytes;
  p.row_step = op->kernel_h > 1 ? op->dilation_h * p.row_bytes : 0;
  advance = op->stride_h % p.ring_rows;
  p.first_slot = op->pad_h % p.ring_rows;
  if (p.first_slot > 0) p.first_slot = p.ring_rows - p.first_slot;
  for (row = 0; row < op->out_height; row++, p.first_slot = wrapped(&p, p.first_slot + advance)) {
    int8_t* out = call->out + row * op->out_width * call->out_pitch + channel;
    p.first_row = row * op->stride_h - op->pad_h;
    for (; loaded < op->in_height && loaded < p.first_row + p.ring_rows; loaded++) {
      load_row(&p, loaded, slot, call->rows[0], call->in_pitch);
      slot = wrapped(&p, slot + 1);
    }
    make_row(&p, &output, out, call->out_pitch);
  }
}
