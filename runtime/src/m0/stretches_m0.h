/* The row kernels of rip_depthwise_m0: with strips of the whole row, or as long as there is room for, of stretches of
 * it one after another. A stretch loads only what the one before it did not, so that a column of a channel is read
 * once. Included once a size. SPDX-License-Identifier: MIT-0 */
#include "strips_m0.h"

/* Columns [first, first + count) of the image, padding included, of a channel into strips of `room` words. */
static void load_columns(const rip_depthwise_m0* op, const rip_row_call* call, int32_t channel, int32_t* to,
                         int32_t room, int32_t first, int32_t count) {
  const int32_t pitch = call->in_pitch, zero = op->in_zero, zeros = pair_of(zero, zero);
  const int32_t left = first >= 0 ? 0 : -first < count ? -first : count;
  const int32_t rest = count - left, width = op->in_width - (first + left);
  const int32_t inside = rest < width ? rest : width > 0 ? width : 0;
  const int32_t offset = inside > 0 ? (first + left) * pitch + channel : 0;
  const int8_t* const* rows = call->rows;
  int32_t j;
  for (j = 0; j < KERNEL; j += 2, to += room) {
    const int8_t* const upper = channel_of(rows[j], offset);
    fill(to, j + 1 < KERNEL ? zeros : zero, left);
    fill(to + (left + inside), j + 1 < KERNEL ? zeros : zero, rest - inside);
    if (j + 1 < KERNEL) {
      load_pair_columns(op, to + left, upper, channel_of(rows[j + 1], offset), pitch, inside);
    } else {
      load_row_columns(op, to + left, upper, pitch, inside);
    }
  }
}

/* Moves words that two stretches share from where they lie in the strips of the one to where in the other's. */
static void carry(int32_t* line, int32_t room, int32_t from, int32_t to, int32_t count) {
  int32_t strip, i;
  for (strip = 0; strip < STRIPS; strip++, line += room) {
    if (from > to) {
      for (i = 0; i < count; i++) line[to + i] = line[from + i];
    } else {
      for (i = count - 1; i >= 0; i--) line[to + i] = line[from + i];
    }
  }
}

/* One channel in stretches of so many outputs, in the order of `step`, from strips of `room` words. */
static void make_stretches(const rip_depthwise_m0* op, const rip_row_call* call, int32_t channel, int32_t* lines,
                           int32_t room, int32_t most) {
  const int32_t stride = op->stride_w, shared = stride < KERNEL ? KERNEL - stride : 0;
  const int32_t forward = call->step > 0;
  int32_t left, x = forward ? call->x0 : call->x1, count, carried = 0;
  outputs o;
  int32_t j;
  o.first = lines;
  for (j = 0; j < STRIPS - 1; j++) o.gaps[j] = 4 * (room - KERNEL);
  o.record = op->stream + channel * RECORD;
  o.step = 4 * stride;
  o.pitch = call->out_pitch;
  for (left = call->x1 - call->x0; left > 0; left -= count) {
    int32_t first, columns, before;
    count = left < most ? left : most;
    if (!forward) x -= count;
    first = x * stride - op->pad_w;
    columns = (count - 1) * stride + KERNEL;
    before = forward ? carried : 0;
    if (!forward && carried > 0) carry(lines, room, 0, columns - carried, carried);
    load_columns(op, call, channel, lines + before, room, first + before, columns - carried);
    o.out = call->out + (x * o.pitch + channel);
    o.end = o.out + count * o.pitch;
    make_row_outputs(&o);
    if (forward) carry(lines, room, columns - shared, 0, shared);
    carried = shared;
    if (forward) x += count;
  }
}

/* One output row, as rip_depthwise*_m0_row. */
static void make_row(const rip_depthwise_m0* op, const rip_row_call* call) {
  const int32_t words = words_of(call);
  int32_t stack[RIP_M0_STACK];
  int32_t room = words / STRIPS, channel;
  int32_t* lines = lines_of(call);
  if (call->x0 >= call->x1) return;
  if (room < op->strip_words && words < RIP_M0_STACK) {
    lines = stack;
    room = RIP_M0_STACK / STRIPS;
  }
  if (room >= op->strip_words) {
    make_whole_row(op, call, lines);
    return;
  }
  for (channel = 0; channel < op->channels; channel++) {
    make_stretches(op, call, channel, lines, room, (room - KERNEL) / op->stride_w + 1);
  }
}
