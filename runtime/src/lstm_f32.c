/* LSTM over a sequence in binary32; the last bits of tanh are those of the C library. SPDX-License-Identifier:
 * MIT-0 */
#include <math.h>

#include "rip/exp_f32.h"
#include "rip/f32.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"
#include "rip/scalars.h"

static inline float load(const int8_t* scalars, int32_t index) {
  return rip_load_f32(scalars + (int32_t)sizeof(float) * index);
}

static inline void store(int8_t* scalars, int32_t index, float value) {
  rip_store_f32(scalars + (int32_t)sizeof(float) * index, value);
}

static float weighted(const int8_t* x, const float* weights, int32_t count) {
  float sum = 0.0f;
  int32_t i;
  for (i = 0; i < count; i++) {
    sum = rip_multiply_add_f32(sum, load(x, i), rip_flash_f32(weights + i));
  }
  return sum;
}

static float gate_of(const rip_lstm_f32* op, int32_t gate, int32_t unit, const int8_t* input, const int8_t* hidden) {
  const int32_t row = gate * op->units + unit;
  const float from_input =
      weighted(input, op->input_weights + row * op->inputs, op->inputs) + rip_flash_f32(op->bias + row);
  return from_input + weighted(hidden, op->hidden_weights + row * op->units, op->units);
}

RIP_HOT void rip_lstm_f32_whole(const rip_lstm_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_lstm_f32, op, params);
  int8_t* cells = (int8_t*)call->state;
  int8_t* hidden = cells + (int32_t)sizeof(float) * op->units;
  int32_t step, unit;
  for (step = call->x0; step < call->x1; step++) {
    const int8_t* input = call->rows[0] + step * call->in_pitch;
    int8_t* out = call->out + step * call->out_pitch;
    for (unit = 0; unit < op->units; unit++) {
      const float in_gate = rip_logistic_f32(gate_of(op, 0, unit, input, hidden));
      const float forget = rip_logistic_f32(gate_of(op, 1, unit, input, hidden));
      const float fresh = tanhf(gate_of(op, 2, unit, input, hidden));
      const float out_gate = rip_logistic_f32(gate_of(op, 3, unit, input, hidden));
      const float kept = forget * load(cells, unit);
      float cell = rip_multiply_add_f32(kept, in_gate, fresh);
      if (op->cell_clip > 0.0f) cell = rip_clamp_f32(cell, -op->cell_clip, op->cell_clip);
      store(cells, unit, cell);
      store(out, unit, out_gate * tanhf(cell));
    }
    memcpy(hidden, out, sizeof(float) * (size_t)op->units);
  }
}
