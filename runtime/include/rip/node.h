/* Where the rows of an operator lie, and the step from "row y of operator n" to a kernel call. SPDX-License-Identifier:
 * MIT-0 */
#ifndef RIP_NODE_H
#define RIP_NODE_H

#include "rip/call.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rows of one tensor: row y lies in slot (first_slot + y * slot_step) mod slots. A whole tensor has as many slots
 * as rows, a ring fewer. */
typedef struct rip_view {
  int32_t offset;    /* bytes from the start of its space to slot 0                        */
  int32_t row_bytes; /* bytes from slot to slot                                            */
  int32_t slots;
  int32_t first_slot; /* of row 0; less than slots                                          */
  int32_t pitch;      /* bytes from pixel to pixel                                          */
  int32_t pixel;      /* bytes of a pixel: less than the pitch inside of a slice                */
  int16_t slot_step;  /* from row to row; positive                                          */
  int16_t space;      /* 0: the arena; n > 0: the caller's buffer n - 1; RIP_CONSTANT; RIP_STATE */
} rip_view;

#define RIP_CONSTANT (-1) /* the space of an operand in flash */
#define RIP_STATE (-2)    /* the space of what survives from run to run */

/* Of an operator that makes a row in several calls: which columns a call makes, and which of its input they read. Where
 * the slots of a view hold pixels (their bytes are a pitch), pixel x of a row lies x slots after the row's first, and
 * the first slot comes after the last. */
typedef struct rip_column_blocks {
  int32_t pixels;             /* of a block; the last one of a row may have fewer                           */
  int32_t in_width;           /* of an only input                                                           */
  int32_t stride, pad, reach; /* pixel x reads the columns of an only input from x * stride - pad on, as far as reach
                                 after it, those that exist */
  int32_t in_pixels;          /* bit j: the slots of input j hold pixels                                    */
  int32_t out_pixels;         /* 1: those of the output do                                                  */
} rip_column_blocks;

/* Where the scratch of one step lies. */
typedef struct rip_scratch {
  int32_t offset; /* in the arena; negative: none */
  int32_t bytes;
} rip_scratch;

/* Which input rows make output row y: those that lie at y * stride - pad + j * dilation for 0 <= j < kernel_rows, where
 * input row i lies at i * upsample. */
typedef struct rip_node {
  const rip_view* in; /* [inputs], in flash */
  rip_view out;
  const int8_t* constant;  /* an operand in flash, or null */
  const uint16_t* row_map; /* if not null: which row of each input makes an output row, input after input for each; of
                              an only input, kernel_rows of them */
  int32_t inputs;          /* more than one: row j is row y of input j (or row 0 of a one-row input) */
  int32_t in_height;
  int32_t out_height;
  int32_t out_width;
  int32_t kernel_rows;
  int32_t stride, dilation, pad, upsample;
  int16_t step;        /* +1: rows from the top, columns from the left; -1: both from the other end */
  int16_t gathers;     /* 1: each of out_height calls takes input row y; together they make one row (RIP_ROW_SUM) */
  rip_scratch scratch; /* of every step ...                                 */
  const rip_scratch* scratch_steps; /* ... or [steps], in flash, of each; null: the same */
  int32_t kept;                     /* offset in the arena; negative: none */
  int32_t state;                    /* offset in the state of what the operator itself keeps; negative: none */
  int32_t kernel;                   /* index into the program's list of kernels */
  const rip_column_blocks* blocks;  /* in flash; null: a call makes a whole row */
} rip_node;

typedef struct rip_memory {
  int8_t* arena;
  const int8_t* const* external; /* the caller's buffers, by space - 1 */
  int8_t* state;                 /* or null: nothing survives from run to run */
} rip_memory;

/* Fills `call` and `rows` (room for node->kernel_rows, or node->inputs if that is more) for the `index`-th row that the
 * operator makes. */
void rip_place_row(const rip_node* node, const rip_memory* memory, int32_t index, const int8_t** rows,
                   rip_row_call* call);

/* Fills `call` with the scratch of the `index`-th step. */
void rip_place_scratch(const rip_node* node, const rip_memory* memory, int32_t index, rip_row_call* call);

/* Bytes that have changed places for one call: those of a window's row that meets the end of its slots, the first of
 * which lie at the end and the others at the start, with as many side by side that the call does not touch. */
typedef struct rip_exchange {
  int8_t *end, *start, *other;
  int32_t at_end, at_start; /* bytes; 0: none */
} rip_exchange;

/* The same for an operator that may make its rows in blocks: fills `call` with as many pixels of its `index`-th block
 * as one call can make, since rows meet the end of their slots. `left`: how many of the block the call before this one
 * left, 0 for a new block. Returns how many this one leaves. After the call, `exchange` has to be put back. */
int32_t rip_place_block(const rip_node* node, const rip_memory* memory, int32_t index, int32_t left,
                        const int8_t** rows, rip_row_call* call, rip_exchange* exchange);

void rip_put_back(const rip_exchange* exchange);

/* Steps of an operator: rows, or blocks of them. */
int32_t rip_step_count(const rip_node* node);

#ifdef __cplusplus
}
#endif
#endif
