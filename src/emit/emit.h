// A program as C99 source: what `ripc compile` writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "execute/program.h"
#include "graph/graph.h"
#include "plan/plan.h"

namespace ripc {

struct EmittedFile {
  std::string path;  ///< relative to the output folder
  std::string text;

  bool operator==(const EmittedFile&) const = default;
};

/// A board that the model is to run on: a folder of boards/, and the memory of its chip.
struct BoardProject {
  std::string name;  ///< empty: none
  std::int64_t ram = 0, flash = 0;
  std::int64_t stack = 0;  ///< set aside for it, in bytes
};

struct EmitOptions {
  std::string prefix;               ///< of every public name and file; empty: the name of the graph
  bool keeps_input = false;         ///< the plan keeps the inputs; said in the header
  std::string flags;                ///< recorded in the header as the user gave them
  std::uint32_t selftest_seed = 1;  ///< of the input stream of the self-test; not 0
  BoardProject board{};             ///< adds its start-up, a firmware around the model, and a Makefile
};

/// Names of the boards that EmitOptions::board can have.
std::vector<std::string> board_names();

/// NAME.h, NAME.c, NAME_weights.h, NAME_weights.c, NAME_selftest.c, NAME_row_macs.c (of a streamed input),
/// NAME_plan.json, CMakeLists.txt and the files of the runtime that the program needs; for a board also Makefile and
/// board/. The same arguments give the same bytes. `program` is link(graph, plan). Throws ripc::Error if the prefix is
/// no C identifier, if there is nothing to compute, or if an output lies in the caller's buffer.
std::vector<EmittedFile> emit_c(const Graph& graph, const Plan& plan, const Program& program,
                                const EmitOptions& options);

/// The nearest C identifier to the name of a model: "person-det 2" becomes person_det_2.
std::string c_identifier(std::string_view name);

/// Writes the files into `folder`, which is made if it does not exist. Everything is first written to a temporary
/// folder and then renamed, so that a full disk leaves the old files as they were. Other files in the folder stay.
/// Throws ripc::Error.
void write_files(const std::filesystem::path& folder, const std::vector<EmittedFile>& files);

}  // namespace ripc
