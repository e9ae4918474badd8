/* Turns "the index-th block that an operator makes" into kernel calls. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/flash.h"
#include "rip/node.h"

/* The slots that a row goes through. */
typedef struct ring {
  const rip_view* view; /* a copy, not in flash */
  int8_t* start;        /* slot 0 */
  int32_t row;          /* slot of the row's first pixel */
} ring;

static ring ring_of(const rip_memory* memory, const rip_view* view, const int8_t* row) {
  ring r;
  r.view = view;
  r.start = memory->arena + view->offset;
  r.row = (int32_t)(row - r.start) / view->pitch;
  return r;
}

/* Slot of column x. */
static int32_t slot_of(const ring* r, int32_t x) { return (r->row + x) % r->view->slots; }

/* Where column 0 would lie if the row reached column x without meeting the end of the slots. */
static int8_t* row_through(const ring* r, int32_t x) { return r->start + (slot_of(r, x) - x) * r->view->pitch; }

/* How many pixels from column x on, in the order of `step`, lie side by side. */
static int32_t room_at(const ring* r, int32_t x, int32_t step) {
  const int32_t slot = slot_of(r, x);
  return step > 0 ? r->view->slots - slot : slot + 1;
}

static void swap_bytes(int8_t* a, int8_t* b, int32_t bytes) {
  while (bytes-- > 0) {
    const int8_t byte = *a;
    *a++ = *b;
    *b++ = byte;
  }
}

void rip_put_back(const rip_exchange* e) {
  swap_bytes(e->end, e->other, e->at_end);
  swap_bytes(e->start, e->other + e->at_end, e->at_start);
}

/* Puts `count` pixels of the row side by side, which from column `first` on meet the end of the slots. They change
 * places with the pixels before them if no later row is read, else with those after them: the rows of a window are far
 * enough apart. */
static void put_together(const ring* r, int32_t first, int32_t count, int last_row, rip_exchange* e) {
  const int32_t pitch = r->view->pitch;
  e->start = r->start;
  e->end = r->start + slot_of(r, first) * pitch;
  e->at_end = room_at(r, first, 1) * pitch;
  e->at_start = count * pitch - e->at_end;
  e->other = last_row ? e->end - count * pitch : e->start + e->at_start;
  rip_put_back(e);
}

/* Pixels from the one on whose window starts at column `start`, in the order of `step`, that read padding only: up to
 * the first that reads the image, or all `count`. */
static int32_t before_image(const rip_column_blocks* b, int32_t start, int32_t count, int32_t step) {
  const int32_t away = step > 0 ? -(start + b->reach) : start - b->in_width + 1; /* columns to the image */
  const int32_t pixels = (away + b->stride - 1) / b->stride;
  return away > 0 && pixels < count ? pixels : count;
}

/* Lets *row reach what the pixels from x on read of an only input: of at most `count` pixels, as many as returned. */
static int32_t place_window(const rip_column_blocks* b, const ring* r, int32_t x, int32_t count, int32_t step,
                            int last_row, const int8_t** row, rip_exchange* e) {
  const int32_t start = x * b->stride - b->pad;
  const int32_t first = start > 0 ? start : 0;
  const int32_t last = start + b->reach < b->in_width ? start + b->reach : b->in_width - 1;
  const int32_t from = step > 0 ? first : last; /* of its columns the first to be read */
  const int32_t room = room_at(r, from, step);
  int32_t seam, most; /* the first column beyond the slots' end, and how many pixels do not read it */
  if (last < first) return before_image(b, start, count, step);
  if (room < last - first + 1) {
    put_together(r, first, last - first + 1, last_row, e);
    *row = e->other - first * r->view->pitch;
    return 1;
  }
  *row = row_through(r, from);
  if (step > 0) {
    seam = from + room;
    if (seam >= b->in_width) return count;
    most = (seam - 1 - b->reach + b->pad) / b->stride - x + 1;
  } else {
    seam = from - room;
    if (seam < 0) return count;
    most = x - (seam + b->pad) / b->stride;
  }
  return most < count ? most : count;
}

static int32_t blocks_of_row(const rip_node* node, const rip_column_blocks* b) {
  return (node->out_width + b->pixels - 1) / b->pixels;
}

int32_t rip_step_count(const rip_node* node) {
  if (node->blocks == NULL) return node->out_height;
  {
    RIP_FLASH_STRUCT(rip_column_blocks, b, node->blocks);
    return node->out_height * blocks_of_row(node, b);
  }
}

int32_t rip_place_block(const rip_node* node, const rip_memory* memory, int32_t index, int32_t left,
                        const int8_t** rows, rip_row_call* call, rip_exchange* exchange) {
  int32_t per_row, begin, count, x, fit, j;
  exchange->at_end = exchange->at_start = 0;
  if (node->blocks == NULL) {
    rip_place_row(node, memory, index, rows, call);
    return 0;
  }
  {
    RIP_FLASH_STRUCT(rip_column_blocks, b, node->blocks);
    per_row = blocks_of_row(node, b);
    begin = index % per_row * b->pixels;
    count = node->out_width - begin < b->pixels ? node->out_width - begin : b->pixels;
    if (left == 0) left = count;
    begin += count - left;
    x = node->step > 0 ? begin : node->out_width - 1 - begin;
    rip_place_row(node, memory, index / per_row, rows, call);
    rip_place_scratch(node, memory, index, call);
    fit = left;
    if (b->out_pixels) {
      const ring out = ring_of(memory, &node->out, call->out);
      const int32_t room = room_at(&out, x, node->step);
      call->out = row_through(&out, x);
      if (room < fit) fit = room;
    }
    for (j = 0; node->inputs > 1 && j < node->inputs; j++) {
      if (b->in_pixels >> j & 1) {
        RIP_FLASH_STRUCT(rip_view, view, node->in + j);
        const ring in = ring_of(memory, view, rows[j]);
        const int32_t room = room_at(&in, x, node->step);
        rows[j] = row_through(&in, x);
        if (room < fit) fit = room;
      }
    }
    for (j = 0; node->inputs == 1 && b->in_pixels && j < node->kernel_rows; j++) {
      if (rows[j] != NULL) {
        RIP_FLASH_STRUCT(rip_view, view, node->in);
        const ring in = ring_of(memory, view, rows[j]);
        const int last_row = j + 1 == node->kernel_rows || rows[j + 1] == NULL;
        fit = place_window(b, &in, x, fit, node->step, last_row, &rows[j], exchange);
      }
    }
  }
  call->x0 = node->step > 0 ? x : x - fit + 1;
  call->x1 = call->x0 + fit;
  return left - fit;
}
