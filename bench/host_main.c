/* Runs a compiled model once on a constant input, so that the instructions of model_invoke can be counted; exit code 0
 * if its self-test passes too. */
#include <stdio.h>
#include <string.h>

#include "model.h"

static model_arena_t arena;

int main(void) {
  memset(&arena, 1, sizeof arena);
  if (model_invoke(&arena) != 0) return 1;
  printf("%d\n", (int)model_output(&arena)[0]);
  return model_selftest(&arena) == 0 ? 0 : 1;
}
