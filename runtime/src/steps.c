/* Walks the table of steps. SPDX-License-Identifier: MIT-0 */
#include "rip/steps.h"

#include "rip/flash.h"
#include "rip/memory.h"

rip_step rip_step_at(const rip_steps* steps, const rip_position* at) {
  rip_step step = {RIP_DONE, 0};
  if (at->loop < steps->count) {
    RIP_FLASH_STRUCT(rip_loop, loop, steps->loops + at->loop);
    RIP_FLASH_STRUCT(rip_run, run, steps->runs + loop->first_run + at->run);
    step.op = run->op;
    step.index = run->first + at->pass * run->advance + at->row;
  }
  return step;
}

void rip_load_position(rip_position* at, const void* from) { memcpy(at, from, sizeof *at); }

void rip_store_position(const rip_position* at, void* to) { memcpy(to, at, sizeof *at); }

void rip_next_step(const rip_steps* steps, rip_position* at) {
  RIP_FLASH_STRUCT(rip_loop, loop, steps->loops + at->loop);
  RIP_FLASH_STRUCT(rip_run, run, steps->runs + loop->first_run + at->run);
  if (++at->row < run->rows) return;
  at->row = 0;
  if (++at->run < loop->runs) return;
  at->run = 0;
  if (++at->pass < loop->times) return;
  at->pass = 0;
  at->loop++;
}
