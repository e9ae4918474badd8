/* Turns "the index-th row that an operator makes" into a kernel call. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/flash.h"
#include "rip/node.h"

static const int8_t* start_of(const rip_view* view, const rip_memory* memory) {
  return view->space == 0 ? memory->arena + view->offset : memory->external[view->space - 1] + view->offset;
}

static const int8_t* row_of(const rip_view* view, const rip_memory* memory, int32_t y) {
  return start_of(view, memory) + (y % view->slots) * view->row_bytes;
}

void rip_place_row(const rip_node* node, const rip_memory* memory, int32_t index, const int8_t** rows,
                   rip_row_call* call) {
  const int32_t y = node->step > 0 ? index : node->out_height - 1 - index;
  int32_t j;
  RIP_FLASH_STRUCT(rip_view, first, node->in);
  call->in_pitch = first->pitch;
  if (node->inputs > 1) {
    rows[0] = row_of(first, memory, y);
    for (j = 1; j < node->inputs; j++) {
      RIP_FLASH_STRUCT(rip_view, next, node->in + j);
      rows[j] = row_of(next, memory, y);
      /* An input of one scalar is broadcast over the other. */
      if (next->pitch > call->in_pitch) call->in_pitch = next->pitch;
    }
  } else if (node->row_map != NULL) {
    rows[0] = row_of(first, memory, (int32_t)rip_flash_u16(node->row_map + y));
  } else {
    for (j = 0; j < node->kernel_rows; j++) {
      const int32_t tap = y * node->stride - node->pad + j * node->dilation;
      rows[j] = tap >= 0 && tap < node->in_height ? row_of(first, memory, tap) : NULL;
    }
  }
  call->rows = rows;
  call->out = memory->arena + node->out.offset + (y % node->out.slots) * node->out.row_bytes;
  call->in = node->in;
  call->out_pitch = node->out.pitch;
  call->x0 = 0;
  call->x1 = node->out_width;
  call->step = node->step;
  call->scratch = node->scratch >= 0 ? memory->arena + node->scratch : NULL;
  call->kept = node->kept >= 0 ? memory->arena + node->kept : NULL;
}
