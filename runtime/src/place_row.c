/* Turns "the index-th row that an operator makes" into a kernel call. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/flash.h"
#include "rip/node.h"

static const int8_t* start_of(const rip_node* node, const rip_memory* memory, const rip_view* view) {
  if (view->space == 0) return memory->arena + view->offset;
  if (view->space == RIP_STATE) return memory->state + view->offset;
  if (view->space == RIP_CONSTANT) return node->constant + view->offset;
  return memory->external[view->space - 1] + view->offset;
}

/* Bytes from slot 0 to row y. */
static int32_t row_offset(const rip_view* view, int32_t y) {
  return (view->first_slot + y * view->slot_step) % view->slots * view->row_bytes;
}

static const int8_t* row_of(const rip_node* node, const rip_memory* memory, const rip_view* view, int32_t y) {
  return start_of(node, memory, view) + row_offset(view, y);
}

/* One row of each of several inputs. */
static void place_inputs(const rip_node* node, const rip_memory* memory, int32_t y, const int8_t** rows,
                         rip_row_call* call) {
  const uint16_t* map = node->row_map != NULL ? node->row_map + y * node->inputs : NULL;
  int32_t j;
  for (j = 0; j < node->inputs; j++) {
    RIP_FLASH_STRUCT(rip_view, view, node->in + j);
    rows[j] = row_of(node, memory, view, map != NULL ? (int32_t)rip_flash_u16(map + j) : y);
    /* An input with fewer channels is broadcast over the others. */
    if (view->pitch > call->in_pitch) call->in_pitch = view->pitch;
  }
}

/* The rows of an only input that a kernel reads, from `tap` on; null where there is none. */
static void place_taps(const rip_node* node, const rip_memory* memory, const rip_view* view, int32_t tap,
                       const int8_t** rows) {
  const int8_t* const start = start_of(node, memory, view);
  const int32_t dilation = node->dilation, height = node->in_height;
  const int32_t row_bytes = view->row_bytes, slots = view->slots, step = view->slot_step;
  const int8_t** const end = rows + node->kernel_rows;
  int32_t slot = view->first_slot + tap * step; /* of so many */
  for (; rows < end; rows++, tap += dilation, slot += dilation * step) {
    *rows = (uint32_t)tap < (uint32_t)height ? start + slot % slots * row_bytes : NULL;
  }
}

/* The same where rows are spread `upsample` apart, or lie as a map says. */
static void place_spread(const rip_node* node, const rip_memory* memory, const rip_view* view, int32_t y,
                         const int8_t** rows) {
  const uint16_t* const map = node->row_map;
  const int32_t upsample = node->upsample;
  int32_t tap = y * node->stride - node->pad, j;
  for (j = 0; j < node->kernel_rows; j++, tap += node->dilation) {
    int32_t row = tap % upsample == 0 ? tap / upsample : -1;
    if (map != NULL) row = (int32_t)rip_flash_u16(map + y * node->kernel_rows + j);
    rows[j] = row >= 0 && row < node->in_height ? row_of(node, memory, view, row) : NULL;
  }
}

void rip_place_scratch(const rip_node* node, const rip_memory* memory, int32_t index, rip_row_call* call) {
  rip_scratch scratch = node->scratch;
  if (node->scratch_steps != NULL) {
    RIP_FLASH_STRUCT(rip_scratch, own, node->scratch_steps + index);
    scratch = *own;
  }
  call->scratch = scratch.offset >= 0 ? memory->arena + scratch.offset : NULL;
  call->scratch_bytes = scratch.bytes;
}

void rip_place_row(const rip_node* node, const rip_memory* memory, int32_t index, const int8_t** rows,
                   rip_row_call* call) {
  const int32_t y = node->step > 0 ? index : node->out_height - 1 - index;
  RIP_FLASH_STRUCT(rip_view, first, node->in);
  call->rows = rows;
  call->out =
      (node->out.space == RIP_STATE ? memory->state : memory->arena) + node->out.offset + row_offset(&node->out, y);
  call->in_pitch = first->pitch;
  call->out_pitch = node->out.pitch;
  call->in = node->in;
  call->x0 = 0;
  call->x1 = node->out_width;
  call->y = y;
  call->step = node->step;
  rip_place_scratch(node, memory, index, call);
  call->kept = call->state = NULL;
  if ((node->kept & node->state) >= 0) { /* not both are negative */
    if (node->kept >= 0) call->kept = memory->arena + node->kept;
    if (node->state >= 0) call->state = memory->state + node->state;
  }
  if (node->inputs > 1) {
    place_inputs(node, memory, y, rows, call);
  } else if (node->row_map != NULL || node->upsample > 1) {
    place_spread(node, memory, first, y, rows);
  } else {
    place_taps(node, memory, first, y * node->stride - node->pad, rows);
  }
}
