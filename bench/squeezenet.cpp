// SqueezeNet packed by every placer, in int8 and with widths of its tensors from a file, no two live tensors sharing a
// byte; and how large the exact cover is, cell by cell, until it is coarse enough to be solved.
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "import/import.h"
#include "passes/passes.h"
#include "placement/exact_cover.h"
#include "placement/placers.h"
#include "plan/published_program.h"
#include "ripc/error.h"

namespace {

using namespace ripc;

using Widths = std::map<std::string, std::int64_t>;  ///< bits by tensor

Widths read_widths(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error({.fault = Fault::usage, .file = path, .problem = "no such file"});
  Widths widths;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::string tensor, rest;
    std::int64_t bits = 0;
    if (!(fields >> tensor >> bits) || fields >> rest || bits < 1 || bits > 32) {
      throw Error({.file = path,
                   .problem = fmt::format("no width in line {}", number),
                   .expected = "a tensor and its bits, 1 to 32",
                   .found = line});
    }
    widths[tensor] = bits;
  }
  return widths;
}

/// Tensors of those widths, each packed tightly; 8 bits where none is given.
Problem with_widths(Problem problem, const Widths& widths) {
  std::set<std::string> unknown;
  for (const auto& [tensor, bits] : widths) unknown.insert(tensor);
  for (Buffer& buffer : problem.buffers) {
    unknown.erase(buffer.name);
    const auto width = widths.find(buffer.name);
    if (width != widths.end()) buffer.bytes = (buffer.bytes * width->second + 7) / 8;
  }
  if (!unknown.empty()) {
    throw Error({.problem = "a width for a tensor that the network does not have", .found = *unknown.begin()});
  }
  return problem;
}

const char* proof_name(Proof proof) {
  switch (proof) {
    case Proof::optimal:
      return "least";
    case Proof::limited:
      return "limited";
    case Proof::infeasible:
      return "infeasible";
    case Proof::heuristic:
      break;
  }
  return "";
}

/// Places and prints one row; the placement, or none if the placer refused. Its sizes are those of `problem`.
Placement row(const Problem& problem, const std::string& placer, const PlacerOptions& options,
              const std::string& cover) {
  const std::clock_t start = std::clock();
  Placement placement;
  std::string refused;
  try {
    placement = place(problem, placer, options);
  } catch (const Error& error) {
    refused = error.context().problem;
  }
  const double milliseconds = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const std::string name = placer == "exact-cover" ? fmt::format("{} k={}", placer, options.coarsening) : placer;
  fmt::print("{:<24} {:>32}", name, cover);
  if (!refused.empty()) {
    fmt::print(" {:>10}  {}\n", "-", refused);
    return {};
  }
  if (placement.offsets.empty()) {
    fmt::print(" {:>10} {:>6} {:<10} {:>9} {:>9.2f}\n", "-", "-", proof_name(placement.proof), placement.nodes,
               milliseconds);
    return {};
  }
  const std::string fault = validate_placement(problem, placement);
  fmt::print(" {:>10} {:>6.3f} {:<10} {:>9} {:>9.2f}{}\n", placement.peak,
             static_cast<double>(placement.peak) / static_cast<double>(placement.lower_bound),
             proof_name(placement.proof), placement.nodes, milliseconds, fault);
  return fault.empty() ? placement : Placement{};
}

/// Bytes of a cell: powers of four, and pixels of the 55x55 planes that most sizes are multiples of.
constexpr std::int64_t kCells[] = {1, 16, 256, 1024, 3025, 4096, 12100, 16384, 48400, 65536};

/// True if the exact placer proved the least peak and the exact cover reached it at some coarsening.
bool table(const Problem& problem, const char* title) {
  const std::int64_t bound = lower_bound(problem);
  fmt::print("\n{}: {} tensors, lower bound {} bytes\n", title, problem.buffers.size(), bound);
  fmt::print("{:<24} {:>10} {:>9} {:>11} {:>10} {:>6} {:<10} {:>9} {:>9}\n", "placer", "cells", "options", "ones",
             "peak", "ratio", "proof", "nodes", "ms");
  PlacerOptions options;
  for (const char* placer : {"first-fit", "greedy-by-size", "best-fit"}) row(problem, placer, options, "");
  const Placement exact = row(problem, "exact", options, "");
  bool reached = false;
  for (const std::int64_t cell : kCells) {
    options.coarsening = cell;
    const ExactCoverSize size = exact_cover_size(problem, cell);
    const std::string cover =
        fmt::format("{:>10} {:>9} {:>11.3g}", size.cells, size.options, static_cast<double>(size.ones));
    const Placement placement = row(problem, "exact-cover", options, cover);
    reached |= placement.proof == Proof::optimal && placement.peak == exact.peak;
  }
  return reached && exact.proof == Proof::optimal;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::filesystem::path source = argc > 1 ? argv[1] : ".";
  const bool given = argc == 4 && std::string_view(argv[2]) == "--widths";
  if (argc != 2 && !given) {
    fmt::print(stderr, "usage: squeezenet SOURCE_DIR [--widths FILE]\n");
    return 2;
  }
  const std::string widths = given ? argv[3] : (source / "networks/squeezenet.widths").string();
  const Graph graph = canonicalize(import_network(source / "networks/squeezenet.json"), {});
  const Problem problem = published_problem(graph, false).problem;
  fmt::print(
      "Peaks in bytes and their ratio to the lower bound. The exact cover has a cell for every k bytes of memory at\n");
  fmt::print(
      "every step, an option for every start of a tensor, a one for every cell that an option covers; its size is\n");
  fmt::print("that of a canvas as high as the lower bound. Limits are counted in nodes and ones, never in time.\n");
  int reached = 0;
  reached += table(problem, "int8") ? 1 : 0;
  reached += table(with_widths(problem, read_widths(widths)), "mixed widths") ? 1 : 0;
  fmt::print("\nsqueezenet: {} of 2 with the least peak proven, by the exact placer and by an exact cover\n", reached);
  return reached == 2 ? 0 : 1;
} catch (const ripc::Error& error) {
  fmt::print(stderr, "squeezenet: {}\n", error.what());
  return 1;
}
