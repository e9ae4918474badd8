/* LSTM over a sequence: 8-bit input and hidden state, 16-bit cell state and gates. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/logistic.h"
#include "rip/memory.h"
#include "rip/requantize.h"

static inline int32_t to_s16(int32_t x) { return rip_clamp(x, INT16_MIN, INT16_MAX); }

static int32_t weighted(const int8_t* x, const int8_t* weights, int32_t count, int32_t bias) {
  uint32_t sum = (uint32_t)bias;
  int32_t i;
  for (i = 0; i < count; i++) sum += (uint32_t)(x[i] * rip_flash_s8(weights + i));
  return (int32_t)sum;
}

/* Gate `gate` of a unit before its activation, Q3.12. */
static int32_t gate_of(const rip_lstm_s8* op, int32_t gate, int32_t unit, const int8_t* input, const int8_t* hidden) {
  const int32_t row = gate * op->units + unit;
  const int32_t from_input =
      weighted(input, op->input_weights + (int32_t)(row * op->inputs), op->inputs, rip_flash_s32(op->input_bias + row));
  const int32_t from_hidden = weighted(hidden, op->hidden_weights + (int32_t)(row * op->units), op->units,
                                       rip_flash_s32(op->hidden_bias + row));
  const int32_t a = rip_requantize(from_input, rip_flash_s32(op->multiplier + gate), rip_flash_s8(op->shift + gate));
  const int32_t b =
      rip_requantize(from_hidden, rip_flash_s32(op->multiplier + 4 + gate), rip_flash_s8(op->shift + 4 + gate));
  return to_s16(to_s16(a) + to_s16(b));
}

/* The state is the cells, then the hidden vector. The output row holds the new hidden vector until the old one has been
 * read by every unit. */
RIP_HOT void rip_lstm_s8_whole(const rip_lstm_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_lstm_s8, op, params);
  int8_t* cells = (int8_t*)call->state;
  int8_t* hidden = cells + 2 * op->units;
  int32_t step, unit;
  for (step = call->x0; step < call->x1; step++) {
    const int8_t* input = call->rows[0] + step * call->in_pitch;
    int8_t* out = call->out + step * call->out_pitch;
    for (unit = 0; unit < op->units; unit++) {
      const int32_t in_gate = rip_logistic(op->table, 3 * gate_of(op, 0, unit, input, hidden));
      const int32_t forget = rip_logistic(op->table, 3 * gate_of(op, 1, unit, input, hidden));
      const int32_t fresh = rip_tanh(op->table, 3 * gate_of(op, 2, unit, input, hidden));
      const int32_t out_gate = rip_logistic(op->table, 3 * gate_of(op, 3, unit, input, hidden));
      int16_t cell;
      int32_t sum, y;
      memcpy(&cell, cells + 2 * unit, sizeof cell);
      sum = to_s16(rip_requantize(forget * cell, op->forget_multiplier, op->forget_shift)) +
            to_s16(rip_requantize(in_gate * fresh, op->fresh_multiplier, op->fresh_shift));
      sum = to_s16(sum);
      if (op->cell_clip > 0) sum = rip_clamp(sum, -op->cell_clip, op->cell_clip);
      cell = (int16_t)sum;
      memcpy(cells + 2 * unit, &cell, sizeof cell);
      sum = rip_tanh(op->table, (int32_t)((uint32_t)(3 * sum) << op->cell_shift));
      y = rip_requantize(out_gate * sum, op->out_multiplier, op->out_shift) + op->out_zero;
      out[unit] = (int8_t)rip_clamp(y, INT8_MIN, INT8_MAX);
    }
    memcpy(hidden, out, (size_t)op->units);
  }
}
