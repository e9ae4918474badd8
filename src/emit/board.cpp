// The firmware around a model: Makefile, and the files of boards/ that its board needs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "emit/embedded_files.h"
#include "emit/emission.h"
#include "execute/execute.h"
#include "execute/input_stream.h"
#include "graph/fnv.h"
#include "ripc/error.h"

namespace ripc {
namespace emit {
namespace {

/// The folders of boards/ whose files a board takes, its own first.
struct BoardFolders {
  std::string_view name;
  std::array<std::string_view, 5> folders;
};

constexpr BoardFolders kBoards[] = {
    {"uno", {"uno", "common"}},
    {"m4", {"m4", "mps", "cortex-m", "common"}},
    {"pico", {"pico", "pico-sdk", "mps", "cortex-m", "common"}},
    {"m7", {"m7", "mps", "cortex-m", "common"}},
    {"rv32", {"rv32", "common"}},
    {"m55", {"m55", "mps", "cortex-m", "common"}},
    {"pico2", {"pico2", "pico-sdk", "mps", "cortex-m", "common"}},
};

constexpr std::int64_t kFirmwareStack = 256;

constexpr const char* kMakefile = R"(# {name} on {board}.   make: builds it   make run: runs it under the emulator
BOARD := {board}
RAM_BYTES ?= {ram}
FLASH_BYTES ?= {flash}
# {stack} measured for a run, 4 an operator for the self-test, the rest for the firmware
STACK_BYTES ?= {reserved}
include board/project.mk
)";

constexpr const char* kModelOpening = R"(/* $p, as the firmware sees it. SPDX-License-Identifier: MIT-0 */
#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>

#include "../$p.h"

#define MODEL_NAME "$p"
#define MODEL_ARENA_BYTES $M_ARENA_BYTES
#define MODEL_OPS $M_OPS

typedef $p_arena_t model_arena_t;
)";

constexpr const char* kModelCalls = R"(
static inline int model_fill(model_arena_t *arena) { return $p_selftest_input(arena$a); }
static inline int model_selftest(model_arena_t *arena) { return $p_selftest(arena$a); }
static inline int model_invoke(model_arena_t *arena) { return $p_invoke(arena$a); }
static inline int model_invoke_watched(model_arena_t *arena, $p_watch watch) {
  return $p_invoke_watched(arena$a, watch, NULL);
}
)";

std::string replaced(std::string text, std::string_view from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Definitions of what else a call takes: the state, and the buffers of external inputs.
std::string buffers_text(const Emission& emission) {
  std::string text;
  if (emission.program.state_bytes > 0) {
    text +=
        "\n#define MODEL_STATE_BYTES $M_STATE_BYTES\nstatic $p_state_t model_state;\nstatic void *const state = "
        "&model_state;\n";
  } else {
    text += "\n#define MODEL_STATE_BYTES 0u\n";
  }
  for (std::size_t i = 0; i < emission.program.inputs.size(); ++i) {
    const ProgramTensor& input = emission.program.inputs[i];
    if (!from_caller(emission, input)) continue;
    const std::string type = scalar_type(emission, input);
    fmt::format_to(std::back_inserter(text), "static {} {}[{} / sizeof({})];\n", type, input_name(emission, i),
                   input.bytes, type);
  }
  return text;
}

/// MODEL_OUTPUTS(arena, visit): visit(index, first byte, bytes, the host's checksum) for each output.
std::string outputs_text(const Emission& emission) {
  const RunResult result = execute(emission.program, random_inputs(emission.graph, emission.options.selftest_seed));
  std::string text =
      "\n/* visit(index, first byte, bytes, checksum on the host) */\n#define MODEL_OUTPUTS(arena, visit)";
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    fmt::format_to(std::back_inserter(text), " \\\n  visit({}, $p_{}(arena), {}, 0x{:08x}u)", i,
                   output_name(emission, i), emission.program.outputs[i].bytes, fnv1a32(result.outputs[i]));
  }
  return text + "\n";
}

const BoardFolders& folders_of(const std::string& board) {
  const auto* found = std::ranges::find(kBoards, board, &BoardFolders::name);
  if (found != std::end(kBoards)) return *found;
  throw Error({.fault = Fault::usage,
               .problem = "there is no such board",
               .expected = fmt::format("{}", fmt::join(board_names(), ", ")),
               .found = board});
}

}  // namespace

std::vector<EmittedFile> board_project(const Emission& emission) {
  const BoardProject& board = emission.options.board;
  std::string model = kModelOpening + buffers_text(emission) + kModelCalls + outputs_text(emission) + "\n#endif\n";
  model = expand(replaced(model, "$a", arguments(emission)), emission.names);
  std::vector<EmittedFile> files = {
      {"Makefile",
       fmt::format(kMakefile, fmt::arg("name", emission.names.prefix), fmt::arg("board", board.name),
                   fmt::arg("ram", board.ram), fmt::arg("flash", board.flash), fmt::arg("stack", board.stack),
                   fmt::arg("reserved", board.stack + 4 * std::ssize(emission.graph.ops) + kFirmwareStack))},
      {"board/model.h", model}};
  for (const std::string_view folder : folders_of(board.name).folders) {
    if (folder.empty()) continue;
    for (const EmbeddedFile& file : board_files()) {
      if (file.path.substr(0, file.path.find('/')) != folder) continue;
      files.push_back({fmt::format("board/{}", file.path.substr(folder.size() + 1)), std::string(file.text)});
    }
  }
  return files;
}

}  // namespace emit

std::vector<std::string> board_names() {
  std::vector<std::string> names;
  for (const emit::BoardFolders& board : emit::kBoards) names.emplace_back(board.name);
  return names;
}

}  // namespace ripc
