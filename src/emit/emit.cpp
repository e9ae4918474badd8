#include "emit/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "emit/emission.h"
#include "emit/runtime_files.h"
#include "ripc/error.h"

namespace ripc {
namespace emit {

std::string op_label(const Emission& emission, OpId op) {
  const Op& node = emission.graph.ops[static_cast<std::size_t>(op)];
  return fmt::format("{} {}", kind_name(node),
                     harmless(emission.graph.tensors[static_cast<std::size_t>(node.output)].name));
}

std::string cmake_text(const Emission& emission, const std::vector<EmittedFile>& runtime) {
  std::string text =
      "# $p as a static library. SPDX-License-Identifier: MIT-0\ncmake_minimum_required(VERSION 3.13)\nproject($p "
      "C)\n\n"
      "add_library($p STATIC\n  $p.c\n  $p_weights.c\n  $p_selftest.c\n";
  if (emission.program.streamed) text += "  $p_row_macs.c\n";
  for (const EmittedFile& file : runtime) {
    if (file.path.ends_with(".c")) fmt::format_to(std::back_inserter(text), "  {}\n", file.path);
  }
  text +=
      ")\ntarget_include_directories($p PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\n"
      "set_target_properties($p PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)\n"
      "if(CMAKE_C_COMPILER_ID MATCHES \"GNU|Clang\")\n"
      "  target_compile_options($p PRIVATE -ffp-contract=off) # or binary32 has other last bits\n"
      "endif()\n";
  const auto has_math = [](const EmittedFile& file) { return file.text.find("<math.h>") != std::string::npos; };
  if (std::ranges::any_of(runtime, has_math)) text += "if(NOT MSVC)\n  target_link_libraries($p PUBLIC m)\nendif()\n";
  return expand(text, emission.names);
}

}  // namespace emit

namespace {

/// The emitted accessors are typed, so a tensor that the user sees must be aligned as its scalars are.
void check_alignment(const Graph& graph, const Program& program, const ProgramTensor& place) {
  const Tensor& tensor = graph.tensors[static_cast<std::size_t>(place.tensor)];
  const auto scalar = static_cast<std::int64_t>(scalar_bytes(tensor.type));
  if (place.space > 0 || (place.offset % scalar == 0 && program.alignment % scalar == 0)) return;
  throw Error({.tensor = tensor.name,
               .problem = "the plan does not align an input or output",
               .expected = fmt::format("a multiple of {} bytes", scalar),
               .found = fmt::format("offset {} in an arena aligned to {}", place.offset, program.alignment),
               .remedy = "Plan the network again."});
}

void check_emittable(const Graph& graph, const Program& program) {
  if (program.ops.empty()) {
    throw Error({.problem = "nothing to compute: the network has no operator", .found = graph.name});
  }
  for (const ProgramTensor& input : program.inputs) check_alignment(graph, program, input);
  for (const ProgramTensor& output : program.outputs) {
    check_alignment(graph, program, output);
    if (output.space == 0) continue;
    throw Error({.tensor = graph.tensors[static_cast<std::size_t>(output.tensor)].name,
                 .problem = "an output of the network is the input in the caller's buffer",
                 .remedy = "Leave this output out with --outputs, or compile without --input extern."});
  }
}

}  // namespace

std::vector<EmittedFile> emit_c(const Graph& graph, const Plan& plan, const Program& program,
                                const EmitOptions& options) {
  check_emittable(graph, program);
  const emit::Names names = emit::names_of(options.prefix.empty() ? c_identifier(graph.name) : options.prefix);
  const emit::Emission emission{.graph = graph,
                                .plan = plan,
                                .program = program,
                                .options = options,
                                .names = names,
                                .constants = emit::ConstantPool(program, names)};
  std::vector<std::string> symbols = program.kernels;
  if (emit::is_stepwise(emission) || program.streamed) symbols.emplace_back("rip_step_at");
  if (program.in_blocks) symbols.emplace_back("rip_place_block");
  const std::vector<EmittedFile> runtime = emit::needed_runtime(symbols);
  std::vector<EmittedFile> files = {{names.prefix + ".h", emit::header_text(emission)},
                                    {names.prefix + ".c", emit::code_text(emission)},
                                    {names.prefix + "_weights.h", emit::weights_header_text(emission)},
                                    {names.prefix + "_weights.c", emit::weights_text(emission)},
                                    {names.prefix + "_selftest.c", emit::selftest_text(emission)},
                                    {names.prefix + "_plan.json", to_json(plan)},
                                    {"CMakeLists.txt", emit::cmake_text(emission, runtime)}};
  if (program.streamed) files.push_back({names.prefix + "_row_macs.c", emit::row_macs_text(emission)});
  files.insert(files.end(), runtime.begin(), runtime.end());
  if (!options.board.name.empty()) {
    const std::vector<EmittedFile> board = emit::board_project(emission);
    files.insert(files.end(), board.begin(), board.end());
  }
  return files;
}

}  // namespace ripc
