/* Runs the model once on the input of its self-test, and says what came out and what it took. Exit code 0: every byte
 * was the host's. SPDX-License-Identifier: MIT-0 */
#include "board.h"
#include "model.h"

#define GUARD 0xa5c3u /* lies on either side of the arena */

static struct {
  uint16_t before[4];
  model_arena_t arena;
  uint16_t after[4];
} guarded;

enum { PASSED = 0, OUTPUT_DIFFERS = 1, SELFTEST_FAILED = 2, ARENA_OVERRUN = 3, REFUSED = 4 };

static uint32_t fnv1a(uint32_t sum, const void* bytes, uint32_t count) {
  const uint8_t* at = (const uint8_t*)bytes;
  uint32_t i;
  for (i = 0; i < count; i++) sum = (sum ^ at[i]) * 16777619u;
  return sum;
}

static void number(const char* before, uint32_t value, const char* after) {
  board_text(before);
  board_decimal(value);
  board_text(after);
}

static void set_guards(void) {
  int8_t i;
  for (i = 0; i < 4; i++) guarded.before[i] = guarded.after[i] = GUARD;
}

static int guards_hold(void) {
  int8_t i;
  for (i = 0; i < 4; i++) {
    if (guarded.before[i] != GUARD || guarded.after[i] != GUARD) return 0;
  }
  return 1;
}

static int compare_output(int index, const void* bytes, uint32_t count, uint32_t expected) {
  const uint32_t sum = fnv1a(2166136261u, bytes, count);
  number(BOARD_TEXT("output"), (uint32_t)index, BOARD_TEXT(" "));
  board_hexadecimal(sum);
  if (sum == expected) {
    board_text(BOARD_TEXT(" equal to the host's\n"));
    return 1;
  }
  board_text(BOARD_TEXT(" differs from the host's "));
  board_hexadecimal(expected);
  board_text(BOARD_TEXT("\n"));
  return 0;
}

static int compare_outputs(void) {
  int equal = 1;
#define COMPARE(index, bytes, count, expected) equal &= compare_output(index, bytes, count, expected);
  MODEL_OUTPUTS(&guarded.arena, COMPARE)
#undef COMPARE
  return equal;
}

static void print_memory(const board_memory* memory) {
  number(BOARD_TEXT("stack "), memory->stack_used, BOARD_TEXT(" of "));
  number(BOARD_TEXT(""), memory->stack, BOARD_TEXT(" bytes\n"));
  number(BOARD_TEXT("ram "), memory->ram_used + memory->stack_used, BOARD_TEXT(" of "));
  number(BOARD_TEXT(""), memory->ram, BOARD_TEXT(" bytes:"));
  number(BOARD_TEXT(" arena "), MODEL_ARENA_BYTES, BOARD_TEXT(","));
  number(BOARD_TEXT(" state "), MODEL_STATE_BYTES, BOARD_TEXT(","));
  number(BOARD_TEXT(" stack "), memory->stack_used, BOARD_TEXT(","));
  number(BOARD_TEXT(" the firmware "), memory->ram_used - MODEL_ARENA_BYTES - MODEL_STATE_BYTES, BOARD_TEXT("\n"));
  number(BOARD_TEXT("flash "), memory->flash_used, BOARD_TEXT(" of "));
  number(BOARD_TEXT(""), memory->flash, BOARD_TEXT(" bytes\n"));
}

#ifdef BOARD_TRACE
static uint32_t sums[MODEL_OPS];

static void add_bytes(void* context, int op, const int8_t* bytes, int32_t count) {
  (void)context;
  sums[op] = fnv1a(sums[op], bytes, (uint32_t)count);
}

/* The checksum of what every operator makes. */
static void print_trace(void) {
  int op;
  for (op = 0; op < MODEL_OPS; op++) sums[op] = 2166136261u;
  model_fill(&guarded.arena);
  model_invoke_watched(&guarded.arena, add_bytes);
  for (op = 0; op < MODEL_OPS; op++) {
    number(BOARD_TEXT("op "), (uint32_t)op, BOARD_TEXT(" "));
    board_hexadecimal(sums[op]);
    board_text(BOARD_TEXT("\n"));
  }
}
#endif

static int run(void) {
  board_memory memory;
  uint32_t before, empty, count;
  int failed;
  set_guards();
  model_fill(&guarded.arena);
  before = board_count();
  empty = board_count() - before; /* what counting itself takes */
  before = board_count();
  if (model_invoke(&guarded.arena) != 0) return REFUSED;
  count = board_count() - before - empty;
  memory = board_measure();
  if (!guards_hold()) {
    board_text(BOARD_TEXT("fault: the model has written outside of its arena\n"));
    return ARENA_OVERRUN;
  }
  if (!compare_outputs()) return OUTPUT_DIFFERS;
  number(BOARD_TEXT("invoke "), count, BOARD_TEXT(" "));
  board_text(board_unit());
  board_text(BOARD_TEXT("\n"));
  print_memory(&memory);
#ifdef BOARD_TRACE
  print_trace();
#endif
  failed = model_selftest(&guarded.arena);
  if (failed != 0) {
    number(BOARD_TEXT("selftest: operator "), (uint32_t)(failed - 1), BOARD_TEXT(" differs from the host's\n"));
    return SELFTEST_FAILED;
  }
  number(BOARD_TEXT("selftest passed: "), MODEL_OPS, BOARD_TEXT(" operators, every byte is the host's\n"));
  return PASSED;
}

int main(void) {
  int code;
  board_open();
  board_text(BOARD_TEXT(MODEL_NAME "\n"));
  code = run();
  board_close(code);
  return code;
}
