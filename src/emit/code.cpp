// NAME.c: parameters and nodes as tables, and the steps as code.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

#include "emit/emission.h"
#include "emit/op_fields.h"
#include "rip/version.h"

namespace ripc::emit {
namespace {

constexpr const char* kIncludes = R"(#include "$p.h"

#include <stddef.h>

#include "$p_weights.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/node.h"
#include "rip/version.h"
)";

constexpr const char* kVersionCheck = R"(
#if RIP_VERSION != {0}
#error "$p needs version {0} of the rip runtime: use the files that came with it, or compile the model again."
#endif
)";

constexpr const char* kTrace = R"(
/* Called after each operator with its index and its name; define it to time them, say. */
#ifndef RIP_TRACE
#define RIP_TRACE(op, name) ((void)0)
#endif
)";

/// Collects "/* name */ value," for each field, wrapped to lines.
class Initialiser {
 public:
  explicit Initialiser(const ConstantPool& constants) : constants_(constants) {}

  template <typename T>
  void operator()(const char* name, const T& value) {
    std::string item;
    if constexpr (std::is_pointer_v<T>) {
      item = constants_.name_of(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      item = literal(value);
    } else {
      item = literal(static_cast<std::int64_t>(value));
    }
    item = fmt::format("/* {} */ {},", name, item);
    if (column_ + item.size() > kLine) {
      text_ += "\n ";
      column_ = 1;
    }
    text_ += ' ' + item;
    column_ += item.size() + 1;
  }

  std::string text() && { return std::move(text_) + "\n"; }

 private:
  static constexpr std::size_t kLine = 118;
  const ConstantPool& constants_;
  std::string text_ = " ";
  std::size_t column_ = 1;
};

std::string params_text(const Emission& emission) {
  std::string text;
  for (std::size_t op = 0; op < emission.program.ops.size(); ++op) {
    fmt::format_to(std::back_inserter(text), "\n/* {}: {} */\n", op, op_label(emission, static_cast<OpId>(op)));
    std::visit(
        [&](const auto& params) {
          Initialiser initialiser(emission.constants);
          visit_fields(params, initialiser);
          fmt::format_to(std::back_inserter(text), "static const {} op_{} RIP_WEIGHTS_ATTR = {{\n{}}};\n",
                         struct_name(params), op, std::move(initialiser).text());
        },
        emission.program.ops[op].params);
  }
  text += "\nstatic const void *const params[$M_OPS] RIP_WEIGHTS_ATTR = {\n ";
  for (std::size_t op = 0; op < emission.program.ops.size(); ++op) {
    if (op > 0 && op % 12 == 0) text += "\n ";
    fmt::format_to(std::back_inserter(text), " &op_{},", op);
  }
  return text + "\n};\n";
}

std::string view_text(const rip_view& view) {
  const auto& [offset, row_bytes, slots, first_slot, pitch, pixel, slot_step, space] = view;
  return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}}}", offset, row_bytes, slots, first_slot, pitch, pixel,
                     slot_step, space);
}

constexpr const char* kNodes = R"(
/* Where the rows lie: of each operator's inputs and its output as {offset, row bytes, slots, first slot, pixel pitch,
   pixel, slot step, space}; constant, row map, inputs, input height, output height and width, kernel rows, stride,
   dilation, padding, upsampling, step, gathers, scratch, its steps, kept, state, kernel, blocks. */
static const rip_node nodes[$M_OPS] RIP_WEIGHTS_ATTR = {
)";

/// An operand in flash, of whichever type it is.
std::string constant_text(const Emission& emission, const void* constant) {
  const std::string name = emission.constants.name_of(constant);
  return constant == nullptr ? name : "(const int8_t *)" + name;
}

/// How the operators that make their rows in blocks do so.
std::string blocks_text(const Program& program) {
  if (!program.in_blocks) return {};
  std::string text =
      "\n/* Of operators that make their rows in blocks: pixels of one, input width, stride, padding, reach, inputs "
      "and\n   output whose slots hold pixels. */\nstatic const rip_column_blocks blocks[] RIP_WEIGHTS_ATTR = {\n";
  for (const LoweredOp& op : program.ops) {
    for (const rip_column_blocks& how : op.blocks) {
      const auto& [pixels, in_width, stride, pad, reach, in_pixels, out_pixels] = how;
      fmt::format_to(std::back_inserter(text), "  {{{}, {}, {}, {}, {}, {}, {}}},\n", pixels, in_width, stride, pad,
                     reach, in_pixels, out_pixels);
    }
  }
  return text + "};\n";
}

/// Where the scratch lies of operators whose scratch moves from step to step.
std::string scratch_text(const Program& program) {
  std::string text;
  for (std::size_t op = 0; op < program.ops.size(); ++op) {
    const std::vector<rip_scratch>& steps = program.ops[op].scratch_steps;
    if (steps.empty()) continue;
    fmt::format_to(std::back_inserter(text),
                   "\n/* {{offset, bytes}} of the scratch of each step. */\nstatic const rip_scratch scratch_{}[] "
                   "RIP_WEIGHTS_ATTR = {{",
                   op);
    for (std::size_t step = 0; step < steps.size(); ++step) {
      fmt::format_to(std::back_inserter(text), "{}{{{}, {}}},", step % 8 == 0 ? "\n  " : " ", steps[step].offset,
                     steps[step].bytes);
    }
    text += "\n};\n";
  }
  return text;
}

std::string nodes_text(const Emission& emission) {
  std::string text = "\nstatic const rip_view views[] RIP_WEIGHTS_ATTR = {\n";
  for (const LoweredOp& op : emission.program.ops) {
    for (const rip_view& view : op.in) fmt::format_to(std::back_inserter(text), "  {},\n", view_text(view));
  }
  text += "};\n";
  text += blocks_text(emission.program) + scratch_text(emission.program) + kNodes;
  std::size_t views = 0, divided = 0;
  for (std::size_t op = 0; op < emission.program.ops.size(); ++op) {
    const auto& [unused_in, out, constant, row_map, inputs, in_height, out_height, out_width, kernel_rows, stride,
                 dilation, pad, upsample, step, gathers, scratch, scratch_steps, kept, state, kernel, blocks] =
        emission.program.ops[op].node;
    fmt::format_to(std::back_inserter(text),
                   "  {{&views[{}], {}, {}, {},\n   {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {{{}, {}}}, {}, {}, "
                   "{}, {}, {}}},\n",
                   views, view_text(out), constant_text(emission, constant), emission.constants.name_of(row_map),
                   inputs, in_height, out_height, out_width, kernel_rows, stride, dilation, pad, upsample, step,
                   gathers, scratch.offset, scratch.bytes,
                   scratch_steps == nullptr ? "NULL" : fmt::format("scratch_{}", op), kept, state, kernel,
                   blocks == nullptr ? "NULL" : fmt::format("&blocks[{}]", divided++));
    views += emission.program.ops[op].in.size();
  }
  return text + "};\n";
}

std::string dispatch_text(const Emission& emission) {
  std::string text =
      "\nstatic void call_kernel(int32_t kernel, const void *op, const rip_row_call *call) {\n  switch (kernel) {\n";
  for (std::size_t kernel = 0; kernel < emission.program.kernels.size(); ++kernel) {
    const std::string& name = emission.program.kernels[kernel];
    std::string type;
    for (const LoweredOp& op : emission.program.ops) {
      if (op.kernel == name) type = std::visit([](const auto& params) { return struct_name(params); }, op.params);
    }
    fmt::format_to(std::back_inserter(text), "    case {}:\n      {}((const {} *)op, call);\n      break;\n", kernel,
                   name, type);
  }
  return text + "    default:\n      break;\n  }\n}\n";
}

constexpr const char* kRun = R"(
typedef struct $p_run {
  rip_memory memory;
  $p_watch watch;
  void *context;
} $p_run;
)";

/// `$last`: whether the operator's last row is made; `$ring`: what tells of a row, or of a part, that is soon gone.
constexpr const char* kMake = R"(
static void report(const $p_run *run, int op, const rip_node *node, $made) {
  const int8_t *first = $output_space + node->out.offset;
  int32_t y, x;
  if (node->gathers) {
    if ($last) run->watch(run->context, op, first, node->out_width * node->out.pixel);
  } else if (node->out.slots < node->out_height || node->out.first_slot != 0 || node->out.slot_step != 1) {
$ring
  } else if ($last && node->out.row_bytes != node->out_width * node->out.pixel) {
    for (y = 0; y < node->out_height; y++) {
      row = first + y * node->out.row_bytes;
      for (x = 0; x < node->out_width; x++) run->watch(run->context, op, row + x * node->out.pitch, node->out.pixel);
    }
  } else if ($last) {
    run->watch(run->context, op, first, node->out.row_bytes * node->out_height);
  }
}

/* Makes `count` $steps of an operator, from the `first` that it makes on. */
static void make(const $p_run *run, int op, int32_t first, int32_t count) {
  const int8_t *rows[$M_ROW_POINTERS];
  rip_row_call call;
  int32_t index;
  RIP_FLASH_STRUCT(rip_node, node, &nodes[op]);
  for (index = first; index < first + count; index++) {
$calls
  }
}
)";

constexpr const char* kRowCall = R"(    rip_place_row(node, &run->memory, index, rows, &call);
    call_kernel(node->kernel, rip_flash_pointer(&params[op]), &call);
    if (run->watch != NULL) report(run, op, node, index, call.out);)";

constexpr const char* kBlockCalls = R"(    rip_exchange exchange;
    int32_t left = 0;
    do {
      left = rip_place_block(node, &run->memory, index, left, rows, &call, &exchange);
      call_kernel(node->kernel, rip_flash_pointer(&params[op]), &call);
      rip_put_back(&exchange);
      if (run->watch != NULL) report(run, op, node, left == 0 && index + 1 == rip_step_count(node), &call);
    } while (left > 0);)";

constexpr const char* kRowReport = "    run->watch(run->context, op, row, node->out_width * node->out.pixel);";

constexpr const char* kBlockReport =
    R"(    /* Pixel by pixel in the order in which blocks are made, or a whole row. */
    for (x = call->x0; node->blocks != NULL && x < call->x1; x++) {
      y = call->step > 0 ? x : call->x0 + call->x1 - 1 - x;
      run->watch(run->context, op, call->out + y * node->out.pitch, node->out.pixel);
    }
    if (node->blocks == NULL) run->watch(run->context, op, call->out, node->out_width * node->out.pixel);)";

/// The functions that run steps of an operator.
std::string make_text(const Program& program) {
  const bool blocks = program.in_blocks;
  std::string text = kMake;
  replace_all(text, "$output_space",
              program.state_bytes > 0 ? "(node->out.space == RIP_STATE ? run->memory.state : run->memory.arena)"
                                      : "run->memory.arena");
  if (blocks)
    replace_all(text, "      row = first + y * node->out.row_bytes;",
                "      const int8_t *row = first + y * node->out.row_bytes;");
  replace_all(text, "$made", blocks ? "int last, const rip_row_call *call" : "int32_t index, const int8_t *row");
  replace_all(text, "$last", blocks ? "last" : "index + 1 == node->out_height");
  replace_all(text, "$ring", blocks ? kBlockReport : kRowReport);
  replace_all(text, "$steps", blocks ? "rows, or blocks of rows," : "rows");
  replace_all(text, "$calls", blocks ? kBlockCalls : kRowCall);
  return text;
}

/// "3", "i", "2 * i + 3": the first call of a run in pass i.
std::string first_call(const ProgramRun& run) {
  if (run.advance == 0) return std::to_string(run.first);
  const std::string product = run.advance == 1 ? "i" : fmt::format("{} * i", run.advance);
  return run.first == 0 ? product : fmt::format("{} + {}", product, run.first);
}

/// The steps, each operator traced where its last row is made.
std::string steps_text(const Emission& emission) {
  std::string text;
  std::vector<std::int64_t> made(emission.program.ops.size(), 0);
  for (const ProgramLoop& loop : emission.program.loops) {
    const bool repeats = loop.times > 1;
    std::vector<OpId> finished;
    if (repeats) fmt::format_to(std::back_inserter(text), "  for (i = 0; i < {}; i++) {{\n", loop.times);
    for (const ProgramRun& run : loop.runs) {
      if (run.op == kSourceRows) {
        fmt::format_to(std::back_inserter(text), "{}  take(&run, {}, {}, {});\n", repeats ? "  " : "",
                       input_name(emission, 0), first_call(run), run.rows);
        continue;
      }
      const auto op = static_cast<std::size_t>(run.op);
      fmt::format_to(std::back_inserter(text), "{}  make(&run, {}, {}, {});\n", repeats ? "  " : "", run.op,
                     first_call(run), run.rows);
      made[op] += run.rows * loop.times;
      if (made[op] < rip_step_count(&emission.program.ops[op].node)) continue;
      if (repeats) {
        finished.push_back(run.op);
      } else {
        fmt::format_to(std::back_inserter(text), "  RIP_TRACE({}, \"{}\");\n", run.op, op_label(emission, run.op));
      }
    }
    if (repeats) text += "  }\n";
    for (const OpId op : finished) {
      fmt::format_to(std::back_inserter(text), "  RIP_TRACE({}, \"{}\");\n", op, op_label(emission, op));
    }
  }
  return text;
}

bool has_loop(const Program& program) {
  return std::ranges::any_of(program.loops, [](const ProgramLoop& loop) { return loop.times > 1; });
}

/// The function that stores `count` rows of a streamed input from the `first` on.
std::string take_text(const Emission& emission) {
  return fmt::format(
      "\nstatic void take(const $p_run *run, const {} *input, int32_t first, int32_t count) {{\n"
      "  for (; count > 0; count--, first++) arrive(run, (const int8_t *)input + first * (int32_t)$M_ROW_BYTES, "
      "first);\n}}\n",
      scalar_type(emission, emission.program.inputs[0]));
}

std::string invoke_text(const Emission& emission) {
  const Program& program = emission.program;
  std::string text =
      fmt::format("\nint $p_invoke_watched(void *arena{}, $p_watch watch, void *context) {{\n  $p_run run;\n",
                  parameters(emission));
  text += callers_text(program);
  if (has_loop(program)) text += "  int32_t i;\n";
  fmt::format_to(std::back_inserter(text), "  if ({}) return -1;\n", refusal(emission));
  text += binding_text(emission);
  text += "  run.watch = watch;\n  run.context = context;\n" + steps_text(emission) + "  return 0;\n}\n";
  fmt::format_to(std::back_inserter(text),
                 "\nint $p_invoke(void *arena{}) {{\n  return $p_invoke_watched(arena{}, NULL, NULL);\n}}\n",
                 parameters(emission), arguments(emission));
  return text;
}

/// Fills the state as it is before the first run: stretch by stretch of equal bytes, and from flash what is not.
std::string reset_text(const Emission& emission) {
  const std::vector<std::byte>& initial = emission.program.initial_state;
  if (initial.empty()) return {};
  constexpr std::size_t kLongRun = 32;
  std::string code, constants;
  std::size_t at = 0, loose = 0, count = 0;
  const auto flush = [&](std::size_t end) {
    if (loose == end) return;
    Constant bytes{.role = "initial", .type = "int8_t", .data = {}};
    bytes.data.assign(initial.begin() + static_cast<std::ptrdiff_t>(loose),
                      initial.begin() + static_cast<std::ptrdiff_t>(end));
    fmt::format_to(std::back_inserter(constants), "\nstatic const int8_t initial_{}[{}] RIP_WEIGHTS_ATTR = {{\n", count,
                   end - loose);
    append_elements(constants, bytes);
    constants += "};\n";
    fmt::format_to(std::back_inserter(code), "  for (i = 0; i < {}; i++) to[{} + i] = rip_flash_s8(initial_{} + i);\n",
                   end - loose, loose, count++);
  };
  while (at < initial.size()) {
    std::size_t end = at;
    while (end < initial.size() && initial[end] == initial[at]) ++end;
    if (end - at >= kLongRun || (at == loose && end == initial.size())) {
      flush(at);
      fmt::format_to(std::back_inserter(code), "  for (i = {}; i < {}; i++) to[i] = {};\n", at, end,
                     static_cast<int>(std::to_integer<std::int8_t>(initial[at])));
      loose = end;
    }
    at = end;
  }
  flush(initial.size());
  return constants + "\nvoid $p_reset(void *state) {\n  int8_t *to = (int8_t *)state;\n  int32_t i;\n" + code + "}\n";
}

std::string accessors_text(const Emission& emission) {
  const Program& program = emission.program;
  std::string text;
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    if (from_caller(emission, program.inputs[i])) continue;
    fmt::format_to(std::back_inserter(text),
                   "\n{0} *$p_{1}(void *arena) {{\n  return ({0} *)(void *)((int8_t *)arena + {2});\n}}\n",
                   scalar_type(emission, program.inputs[i]), input_name(emission, i), program.inputs[i].offset);
  }
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    fmt::format_to(std::back_inserter(text),
                   "\nconst {0} *$p_{1}(const void *arena) {{\n  return (const {0} *)(const void *)((const int8_t "
                   "*)arena + {2});\n}}\n",
                   scalar_type(emission, program.outputs[i]), output_name(emission, i), program.outputs[i].offset);
  }
  return text;
}

}  // namespace

std::string callers_text(const Program& program) {
  return program.external > 0 ? fmt::format("  const int8_t *callers[{}];\n", program.external) : "";
}

std::string binding_text(const Emission& emission) {
  const Program& program = emission.program;
  std::string text;
  std::set<std::int32_t> bound;
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const std::int32_t space = program.inputs[i].space;
    if (space == 0 || !bound.insert(space).second) continue;
    fmt::format_to(std::back_inserter(text), "  callers[{}] = (const int8_t *){};\n", space - 1,
                   input_name(emission, i));
  }
  text += "  run.memory.arena = (int8_t *)arena;\n";
  text += program.state_bytes > 0 ? "  run.memory.state = (int8_t *)state;\n" : "  run.memory.state = NULL;\n";
  fmt::format_to(std::back_inserter(text), "  run.memory.external = {};\n", program.external > 0 ? "callers" : "NULL");
  return text;
}

std::string code_text(const Emission& emission) {
  std::string text = fmt::format(
      "/* {}: its operators, where their rows lie, and the order of work. SPDX-License-Identifier: MIT-0 */\n",
      harmless(emission.graph.name));
  std::string includes = kIncludes;
  if (emission.program.streamed) includes += "#include \"rip/memory.h\"\n";
  if (is_stepwise(emission)) includes += "#include \"rip/steps.h\"\n";
  text += includes;
  fmt::format_to(std::back_inserter(text), kVersionCheck, RIP_VERSION);
  text += kTrace;
  fmt::format_to(std::back_inserter(text), "\n#define $M_ROW_POINTERS {}\n", emission.program.row_pointers);
  text += params_text(emission) + nodes_text(emission) + dispatch_text(emission) + kRun + make_text(emission.program) +
          reset_text(emission);
  if (emission.program.streamed) text += arrive_text(emission) + take_text(emission);
  text += invoke_text(emission) + accessors_text(emission);
  if (is_stepwise(emission)) text += stepwise_text(emission);
  return expand(text, emission.names);
}

}  // namespace ripc::emit
