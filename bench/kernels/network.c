/* Runs a compiled network: the instructions of every operator, then of the whole inference, then whether all bytes are
 * the host's. */
#include "machine.h"
#include "model.h"

static model_arena_t arena;

static void lap(void* context, int op, const int8_t* bytes, int32_t count) {
  (void)context;
  (void)bytes;
  (void)count;
  print("op ");
  print_number((uint32_t)op);
  print(" ");
  print_number(count_lap());
  print("\n");
  count_lap();
}

int main(void) {
  int fault;
  count_start();
  model_invoke_watched(&arena, lap, 0);
  count_start();
  model_invoke(&arena);
  print("total ");
  print_number(count_lap());
  print("\n");
  fault = model_selftest(&arena);
  print(fault == 0 ? "same\n" : "different\n");
  return fault == 0 ? 0 : 1;
}
