// Table 3 anew: the arenas of eleven networks in the publication's accounting, beside what it printed, then in our own
// with the scratch inside the arena.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "import/import.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "plan/published.h"
#include "ripc/error.h"

namespace {

using namespace ripc;

struct PublishedRow {
  std::string model, network;
  std::int64_t scratch = 0, base = 0, rip = 0;
};

std::vector<PublishedRow> read_published(const std::filesystem::path& path) {
  std::vector<PublishedRow> rows;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    PublishedRow row;
    if (fields >> row.model >> row.network >> row.scratch >> row.base >> row.rip) rows.push_back(row);
  }
  return rows;
}

Plan plan_with(const Graph& graph, bool in_place, const KernelSource& kernels) {
  PlanOptions options;
  options.memory.in_place = in_place;
  options.kernels = kernels;
  return make_plan(graph, options);
}

std::int64_t largest_scratch(const Plan& plan) {
  std::int64_t bytes = 0;
  for (const PlannedOp& op : plan.ops) bytes = std::max(bytes, op.scratch.bytes);
  return bytes;
}

const char* mark(bool proven) { return proven ? "" : " (not proven)"; }

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    fmt::print(stderr, "usage: table3 SOURCE_DIR\n");
    return 2;
  }
  const std::filesystem::path source = argv[1];
  const auto published = read_published(source / "bench/published/table3.tsv");
  fmt::print("Published accounting: depthwise channel by channel at equal starts, its buffer outside the arena.\n");
  fmt::print("Our total: scratch inside the arena, every kernel as it ships.\n\n");
  fmt::print("{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} | {:>9} {:>9} {:>10} {:>8} {:>7}\n", "network", "dual buf", "base",
             "published", "RiP", "published", "published", "our total", "of it", "lower", "ratio");
  fmt::print("{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} | {:>9} {:>9} {:>10} {:>8} {:>7}\n", "", "", "", "base", "", "RiP",
             "RiP+buf", "", "scratch<=", "bound", "");
  int reached = 0;
  for (const PublishedRow& row : published) {
    const Graph graph = canonicalize(import_network(source / "networks/mcunet" / (row.network + ".json")), {});
    const Plan dual = plan_with(graph, false, published_rip_kernels);
    const Plan base = plan_with(graph, true, published_base_kernels);
    const Plan rip = plan_with(graph, true, published_rip_kernels);
    const Plan ours = plan_with(graph, true, PlanOptions{}.kernels);
    const bool good = base.arena_bytes == row.base && rip.arena_bytes <= row.rip && rip.proven && base.proven;
    reached += good ? 1 : 0;
    const std::int64_t total = row.rip + row.scratch;
    fmt::print("{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} | {:>9} {:>9} {:>10} {:>8} {:>7.3f}{}{}\n", row.model,
               dual.arena_bytes, base.arena_bytes, row.base, rip.arena_bytes, row.rip, total, ours.arena_bytes,
               largest_scratch(ours), ours.lower_bound,
               static_cast<double>(ours.arena_bytes) / static_cast<double>(total), mark(ours.proven),
               good ? "" : "  <- differs");
  }
  fmt::print("\ntable3: {} of {} at or below the published bytes\n", reached, published.size());
  return reached == static_cast<int>(published.size()) && reached > 0 ? 0 : 1;
} catch (const ripc::Error& error) {
  fmt::print(stderr, "table3: {}\n", error.what());
  return 1;
}
