/* The order of work as a table, to be walked one row at a time. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_STEPS_H
#define RIP_STEPS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RIP_SOURCE (-1) /* a row of the input is to arrive */
#define RIP_DONE (-2)   /* nothing is left to do           */

/* `rows` rows of an operator in each pass of a loop; in pass i the first of them is row first + i * advance. */
typedef struct rip_run {
  int32_t op; /* or RIP_SOURCE */
  int32_t first, advance, rows;
} rip_run;

typedef struct rip_loop {
  int32_t times;
  int32_t first_run, runs;
} rip_loop;

typedef struct rip_steps {
  const rip_loop* loops; /* in flash, as the runs */
  const rip_run* runs;
  int32_t count; /* of loops */
} rip_steps;

/* How far the work has come; all zero at the start. */
typedef struct rip_position {
  int32_t loop, pass, run, row; /* the run counts within its loop */
} rip_position;

typedef struct rip_step {
  int32_t op;    /* or RIP_SOURCE, or RIP_DONE */
  int32_t index; /* of the row among those that the operator makes, or that arrive */
} rip_step;

rip_step rip_step_at(const rip_steps* steps, const rip_position* at);

/* On to the step after it; not beyond RIP_DONE. */
void rip_next_step(const rip_steps* steps, rip_position* at);

/* From and to memory of any alignment. */
void rip_load_position(rip_position* at, const void* from);
void rip_store_position(const rip_position* at, void* to);

#ifdef __cplusplus
}
#endif
#endif
