/* Depthwise convolution of a whole image, one channel plane after another, or four together: the output may take the
 * input's very place. SPDX-License-Identifier: MIT-0 */
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

/* Adds `count` taps outside of the image; returns the weights after theirs. */
static const int8_t* add_padding(int32_t* sum, int32_t zero, const int8_t* w, int32_t count) {
  for (; count > 0; count--, w += RIP_BLOCK) *sum += zero * rip_flash_s8(w);
  return w;
}

/* The sum of one output column, whose first tap lies in input column `start`. */
static int32_t sum_one(const plane* p, int32_t start) {
  const rip_depthwise_s8* op = p->op;
  const rip_columns columns = rip_columns_from(start, op->kernel_w, op->dilation_w, op->in_width);
  const int8_t* w = p->weights;
  place at = first_place(p);
  const int32_t after = op->kernel_w - columns.end, dilation = op->dilation_w;
  int32_t sum = 0, j, i;
  for (j = 0; j < op->kernel_h; j++, move_on(p, &at)) {
    const int8_t* x = at.row;
    if (!is_inside(p, &at)) {
      w = add_padding(&sum, op->in_zero, w, op->kernel_w);
      continue;
    }
    x += columns.column;
    if (columns.first > 0) w = add_padding(&sum, op->in_zero, w, columns.first);
    for (i = columns.end - columns.first; i > 0; i--, x += dilation, w += RIP_BLOCK) {
      sum += rip_product(*x, rip_flash_s8(w));
    }
    if (after > 0) w = add_padding(&sum, op->in_zero, w, after);
  }
  return sum;
}

/* The sums of RIP_BLOCK output columns whose taps all lie inside the image's columns. */
static void sum_block(int32_t sums[RIP_BLOCK], const plane* p, int32_t start) {
  const rip_depthwise_s8* op = p->op;
  const ptrdiff_t dilation = (ptrdiff_t)op->dilation_w, stride = (ptrdiff_t)op->stride_w;
  const int8_t* w = p->weights;
  place at = first_place(p);
  int32_t padding = 0, sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0, j;
  ptrdiff_t i;
  for (j = 0; j < op->kernel_h; j++, move_on(p, &at)) {
    const int8_t* x = at.row;
    if (!is_inside(p, &at)) {
      w = add_padding(&padding, op->in_zero, w, op->kernel_w);
      continue;
    }
    x += start;
    for (i = (ptrdiff_t)op->kernel_w; i > 0; i--, x += dilation, w += RIP_BLOCK) {
      const rip_factor weight = rip_flash_s8(w);
      sum0 += rip_product(x[0], weight);
      sum1 += rip_product(x[stride], weight);
      sum2 += rip_product(x[2 * stride], weight);
      sum3 += rip_product(x[3 * stride], weight);
    }
  }
  sums[0] = sum0 + padding;
  sums[1] = sum1 + padding;
  sums[2] = sum2 + padding;
  sums[3] = sum3 + padding;
}

/* Makes the output row that starts at `out`, of one channel. */
static void make_row_of_one(const plane* p, const rip_output* output, int8_t* out, int32_t pitch) {
  const rip_depthwise_s8* op = p->op;
  const int32_t reach = (RIP_BLOCK - 1) * op->stride_w + (op->kernel_w - 1) * op->dilation_w; /* of a block */
  int32_t x = 0;
  while (x < op->out_width) {
    const int32_t start = x * op->stride_w - op->pad_w;
    int32_t sums[RIP_BLOCK], count = 1, i;
    if (start >= 0 && start + reach < op->in_width && x + RIP_BLOCK <= op->out_width) {
      sum_block(sums, p, start);
      count = RIP_BLOCK;
    } else {
      sums[0] = sum_one(p, start);
    }
    for (i = 0; i < count; i++, x++, out += pitch) *out = rip_output_s8(output, 0, sums[i]);
  }
}

/* The same of all of the plane's channels. */
static void make_row(const plane* p, const rip_output* output, int8_t* out, int32_t pitch) {
  const int8_t* rows[RIP_PLANE_ROWS];
  rip_depthwise_taps t;
  place at = first_place(p);
  int32_t j, x;
  for (j = 0; j < p->op->kernel_h; j++, move_on(p, &at)) rows[j] = is_inside(p, &at) ? at.row : NULL;
  t = rip_depthwise_taps_of(p->op, rows, p->channels, p->channel, p->channels, 0);
  for (x = 0; x < p->op->out_width; x++, out += pitch) {
    rip_depthwise_move(&t, p->op, p->channels, x);
    rip_depthwise_pixel(&t, output, 1, out);
  }
}

/* Makes `channels` channels of the image from `channel` on, RIP_BLOCK at most. */
static inline void make_plane(const rip_depthwise_s8* op, const rip_row_call* call, int32_t channel, int32_t channels,
                              int one) {
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
    if (one) {
      make_row_of_one(&p, &output, out, call->out_pitch);
    } else {
      make_row(&p, &output, out, call->out_pitch);
    }
  }
}

RIP_HOT void rip_depthwise_s8_plane(const rip_depthwise_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_s8, op, params);
  int32_t channel;
  for (channel = 0; channel < op->channels; channel++) make_plane(op, call, channel, 1, 1);
}

RIP_HOT void rip_depthwise_s8_plane_block(const rip_depthwise_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_s8, op, params);
  int32_t channel;
  for (channel = 0; channel < op->channels; channel += RIP_BLOCK) {
    const int32_t left = op->channels - channel;
    make_plane(op, call, channel, left < RIP_BLOCK ? left : RIP_BLOCK, 0);
  }
}
