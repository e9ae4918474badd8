/* Runs the layers of a network (layers.h, written by reference.py) on pseudo-random numbers: the instructions of each.
 */
#include "layers.h"
#include "machine.h"
#include "reference.h"

static int8_t in[MOST_SCALARS], other[MOST_SCALARS], weights[MOST_WEIGHTS], out[MOST_SCALARS];
static int32_t bias[MOST_CHANNELS], multiplier[MOST_CHANNELS], shift[MOST_CHANNELS];

static uint32_t state = 1;

static uint32_t next(void) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static void fill(int8_t* bytes, int32_t count) {
  int32_t i;
  for (i = 0; i < count; i++) bytes[i] = (int8_t)next();
}

int main(void) {
  const operands operands = {in, other, weights, bias, multiplier, shift, out};
  int32_t i;
  fill(in, MOST_SCALARS);
  fill(other, MOST_SCALARS);
  fill(weights, MOST_WEIGHTS);
  for (i = 0; i < MOST_CHANNELS; i++) {
    bias[i] = (int32_t)(next() & 4095u) - 2048;
    multiplier[i] = (int32_t)((1u << 30) + next());
    shift[i] = -8 - (int32_t)(next() & 3u);
  }
  for (i = 0; i < (int32_t)(sizeof layers / sizeof *layers); i++) {
    count_start();
    layers[i].run(&layers[i], operands);
    const uint32_t count = count_lap();
    print("op ");
    print_number((uint32_t)layers[i].op);
    print(" ");
    print_number(count);
    print("\n");
  }
  return 0;
}
