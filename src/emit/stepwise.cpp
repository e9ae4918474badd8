// What lets the caller run a network step by step: the steps as a table, and the functions that walk it.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "emit/emission.h"

namespace ripc::emit {
namespace {

/// The steps of all loops.
std::string tables_text(const Program& program) {
  std::string loops = "\nstatic const rip_loop step_loops[] RIP_WEIGHTS_ATTR = {\n";
  std::string runs = "\nstatic const rip_run step_runs[] RIP_WEIGHTS_ATTR = {\n";
  std::size_t first = 0;
  for (const ProgramLoop& loop : program.loops) {
    fmt::format_to(std::back_inserter(loops), "  {{{}, {}, {}}},\n", loop.times, first, loop.runs.size());
    for (const ProgramRun& run : loop.runs) {
      fmt::format_to(std::back_inserter(runs), "  {{{}, {}, {}, {}}},\n", run.op, run.first, run.advance, run.rows);
    }
    first += loop.runs.size();
  }
  return loops + "};\n" + runs + "};\n";
}

std::string trace_text(const Emission& emission) {
  std::string text = "\nstatic void trace(int32_t op) {\n  switch (op) {\n";
  for (std::size_t op = 0; op < emission.program.ops.size(); ++op) {
    fmt::format_to(std::back_inserter(text), "    case {0}:\n      RIP_TRACE({0}, \"{1}\");\n      break;\n", op,
                   op_label(emission, static_cast<OpId>(op)));
  }
  return text + "    default:\n      break;\n  }\n}\n";
}

constexpr const char* kWalk = R"(
static rip_step step_at(const rip_position *at) {
  const rip_steps steps = {step_loops, step_runs, $loops};
  return rip_step_at(&steps, at);
}

static void next_step(rip_position *at) {
  const rip_steps steps = {step_loops, step_runs, $loops};
  rip_next_step(&steps, at);
}

/* How far the work has come. */
static int8_t *position(void *arena) { return (int8_t *)arena + $progress; }

/* Makes the next row and returns 1; 0 if there is none, or if a row of the input must arrive first. */
static int make_next(const $p_run *run, rip_position *at) {
  const rip_step step = step_at(at);
  if (step.op < 0) return 0;
  make(run, (int)step.op, step.index, 1);
  {
    RIP_FLASH_STRUCT(rip_node, node, &nodes[step.op]);
    if (step.index + 1 == $count) trace(step.op);
  }
  next_step(at);
  return 1;
}
)";

constexpr const char* kBegin = R"(
int $p_begin(void *arena$parameters) {
  const rip_position start = {0, 0, 0, 0};
  if ($refusal) return -1;
  rip_store_position(&start, position(arena));
  return 0;
}

int $p_step(void *arena$parameters) {
  $p_run run;
  rip_position at;
  int made;
$callers  if ($refusal) return -1;
$binding  rip_load_position(&at, position(arena));
  made = make_next(&run, &at);
  rip_store_position(&at, position(arena));
  return made;
}
)";

constexpr const char* kPush = R"(
int $p_take_row(void *arena$state, const $scalar *row) {
  $p_run run;
  rip_position at;
  rip_step step;
  if ($refusal || row == NULL) return -1;
$binding  rip_load_position(&at, position(arena));
  step = step_at(&at);
  if (step.op != RIP_SOURCE) return 0;
  arrive(&run, (const int8_t *)row, step.index);
  next_step(&at);
  rip_store_position(&at, position(arena));
  return 1;
}

int $p_push_rows(void *arena$state, const $scalar *rows, int count) {
  int taken;
  if ($refusal || count < 0 || (rows == NULL && count > 0)) return -1;
  for (taken = 0; taken < count; taken++, rows += $M_ROW_BYTES / sizeof *rows) {
    while ($p_step(arena$state_argument) > 0) {
    }
    if ($p_take_row(arena$state_argument, rows) != 1) break;
  }
  while ($p_step(arena$state_argument) > 0) {
  }
  return taken;
}

int $p_finish(void *arena$state) {
  rip_position at;
  if ($refusal) return -1;
  rip_load_position(&at, position(arena));
  return step_at(&at).op == RIP_DONE ? 0 : -1;
}
)";

/// Pixels that the first `steps` steps of an operator make; rows of its input where it sums them up.
std::int64_t pixels_until(const rip_node& node, std::int64_t steps) {
  if (node.blocks == nullptr) return steps;
  const std::int64_t of_row = rip_step_count(&node) / node.out_height;
  const std::int64_t rest = std::min<std::int64_t>(node.out_width, steps % of_row * node.blocks->pixels);
  return steps / of_row * node.out_width + rest;
}

std::string input_scalar(const Emission& emission) { return scalar_type(emission, emission.program.inputs[0]); }

}  // namespace

bool is_stepwise(const Emission& emission) { return emission.plan.progress.bytes > 0; }

std::string arrive_text(const Emission& emission) {
  const rip_view& view = emission.program.streamed->view;
  return fmt::format(
      "\n/* Stores row y of the input. */\nstatic void arrive(const $p_run *run, const int8_t *row, int32_t y) {{\n"
      "  memcpy(run->memory.arena + {} + ({} + y * {}) % {} * {}, row, $M_ROW_BYTES);\n}}\n",
      view.offset, view.first_slot, view.slot_step, view.slots, view.row_bytes);
}

std::string stepwise_text(const Emission& emission) {
  const Program& program = emission.program;
  std::string text = tables_text(program) + trace_text(emission) + kWalk + kBegin;
  if (program.streamed) text += kPush;
  const bool streamed = program.streamed.has_value();
  const std::string state = program.state_bytes > 0 ? ", void *state" : "";
  // Rows of a streamed input come with push_rows; the input is no parameter of the other functions.
  replace_all(text, "$parameters", streamed ? state : parameters(emission));
  replace_all(text, "$state_argument", state.empty() ? "" : ", state");
  replace_all(text, "$state", state);
  replace_all(text, "$refusal", streamed ? refusal_of_memory(emission) : refusal(emission));
  replace_all(text, "$callers", callers_text(program));
  replace_all(text, "$binding", binding_text(emission) + "  run.watch = NULL;\n  run.context = NULL;\n");
  replace_all(text, "$scalar", streamed ? input_scalar(emission) : "");
  replace_all(text, "$count", program.in_blocks ? "rip_step_count(node)" : "node->out_height");
  replace_all(text, "$loops", std::to_string(program.loops.size()));
  replace_all(text, "$progress", std::to_string(emission.plan.progress.offset));
  return text;
}

std::string stepwise_header(const Emission& emission) {
  if (!is_stepwise(emission)) return {};
  const Program& program = emission.program;
  const std::string state = program.state_bytes > 0 ? ", void *state" : "";
  std::string text =
      "\n/* The same in steps, for a caller who has other work in between: begin, then step until it returns 0. A step "
      "makes one\n   row of one operator (1: made; 0: nothing left to do; negative: refused). How far it has come lies "
      "in "
      "the arena. */\n";
  if (!program.streamed) {
    fmt::format_to(std::back_inserter(text), "int $p_begin(void *arena{0});\nint $p_step(void *arena{0});\n",
                   parameters(emission));
    return text;
  }
  text =
      "\n/* The input arrives row by row: begin, then push $M_ROWS rows of $M_ROW_BYTES bytes as they come.\n   "
      "push_rows "
      "makes all that they allow and returns how many it took: fewer if the input has no more; negative: refused.\n   "
      "finish returns 0 if the output is complete. How far the work has come lies in the arena.\n   push_rows in "
      "pieces, "
      "for a caller who has other work in between: take_row only stores a row (1: taken; 0: there are\n   steps to "
      "make "
      "first, or no rows left), step makes one row of one operator (1: made; 0: a row must come first). */\n";
  fmt::format_to(std::back_inserter(text), "int $p_begin(void *arena{});\n", state);
  const std::string scalar = input_scalar(emission);
  fmt::format_to(std::back_inserter(text), "int $p_push_rows(void *arena{}, const {} *rows, int count);\n", state,
                 scalar);
  fmt::format_to(std::back_inserter(text), "int $p_finish(void *arena{});\n", state);
  fmt::format_to(std::back_inserter(text), "int $p_take_row(void *arena{}, const {} *row);\n", state, scalar);
  fmt::format_to(std::back_inserter(text), "int $p_step(void *arena{});\n", state);
  const std::vector<std::int64_t> macs = row_macs(emission);
  fmt::format_to(std::back_inserter(text),
                 "\n/* Multiplications that each arriving row causes; in a file of its own. */\n"
                 "#define $M_MAX_ROW_MACS {}u\nextern const uint32_t $p_row_macs[$M_ROWS];\n",
                 std::ranges::max(macs));
  return text;
}

std::vector<std::int64_t> row_macs(const Emission& emission) {
  std::vector<std::int64_t> macs(static_cast<std::size_t>(emission.program.streamed->rows), 0);
  std::size_t row = 0;
  for_each_call(emission.program, [&](OpId op, std::int32_t index) {
    if (op == kSourceRows) {
      row = static_cast<std::size_t>(index);
      return;
    }
    const rip_node& node = emission.program.ops[static_cast<std::size_t>(op)].node;
    const std::int64_t all = mac_count(emission.graph, emission.graph.ops[static_cast<std::size_t>(op)]);
    // Shares by pixels, and what is left of them to the last step.
    const std::int64_t pixels = pixels_until(node, rip_step_count(&node));
    macs[row] += all * pixels_until(node, index + 1) / pixels - all * pixels_until(node, index) / pixels;
  });
  return macs;
}

std::string row_macs_text(const Emission& emission) {
  std::string text =
      "/* The work that each row of the input causes. SPDX-License-Identifier: MIT-0 */\n#include \"$p.h\"\n\n"
      "const uint32_t $p_row_macs[$M_ROWS] = {\n";
  for (const std::int64_t macs : row_macs(emission)) fmt::format_to(std::back_inserter(text), "  {}u,\n", macs);
  return expand(text + "};\n", emission.names);
}

}  // namespace ripc::emit
