// Orders of operators: what networks that branch need in the file's order and in ours, before and after placement.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <vector>

#include "import/import.h"
#include "passes/passes.h"
#include "plan/order_problem.h"
#include "plan/pipeline.h"
#include "ripc/error.h"
#include "schedule/schedule.h"

namespace {

using namespace ripc;
namespace fs = std::filesystem;

std::vector<fs::path> networks_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

struct Row {
  std::string name;
  std::size_t ops = 0;
  std::int64_t file_peak = 0, file_arena = 0, arena = 0;
  Order order;
  double seconds = 0;  ///< of the search for the order
};

Row measure(const Graph& graph) {
  Row row{.name = graph.name, .ops = graph.ops.size(), .order = {}};
  std::vector<std::vector<KernelOption>> kernels;
  for (const Op& op : graph.ops) kernels.push_back(kernel_options(graph, op));
  const OrderProblem problem = order_problem_of(graph, kernels, {});
  std::vector<int> own(graph.ops.size());
  std::iota(own.begin(), own.end(), 0);
  row.file_peak = order_peak(problem, own);
  const auto start = std::chrono::steady_clock::now();
  row.order = find_order(problem);
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  PlanOptions options;
  row.arena = make_plan(graph, options).arena_bytes;
  options.order = OperatorOrder::file;
  row.file_arena = make_plan(graph, options).arena_bytes;
  return row;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    fmt::print(stderr, "usage: order NETWORKS_DIR\n");
    return 2;
  }
  fmt::print("Peak: what the worst step needs at least, overlaps and scratch included. Arena: after placement.\n");
  fmt::print("Networks whose operators can run in one order only are left out.\n\n");
  fmt::print("{:<20} {:>5} {:>10} {:>10} {:>10} {:>10} | {:>10} {:>10} {:>6} | {:>8} {:>7}\n", "network", "ops",
             "file peak", "our peak", "bound", "", "file arena", "our arena", "ratio", "states", "seconds");
  int asked = 0, reached = 0, better = 0;
  for (const fs::path& path : networks_in(argv[1])) {
    const Graph graph = canonicalize(import_network(path), {});
    if (has_one_order(graph)) continue;
    ++asked;
    const Row row = measure(graph);
    const bool proven = row.order.peak == row.order.lower_bound;
    const bool good = proven && row.arena <= row.file_arena && row.order.peak <= row.file_peak;
    reached += good ? 1 : 0;
    better += row.arena < row.file_arena ? 1 : 0;
    fmt::print("{:<20} {:>5} {:>10} {:>10} {:>10} {:>10} | {:>10} {:>10} {:>6.3f} | {:>8} {:>7.3f}{}\n", row.name,
               row.ops, row.file_peak, row.order.peak, row.order.lower_bound, proven ? "proven" : "", row.file_arena,
               row.arena, static_cast<double>(row.arena) / static_cast<double>(row.file_arena), row.order.states,
               row.seconds, good ? "" : "  <- missed");
  }
  fmt::print("\n{} smaller than in the file's order after placement\n", better);
  fmt::print("order: {} of {} with a peak proven to be the least of all orders, and no arena above the file's order\n",
             reached, asked);
  return asked > 0 && reached == asked ? 0 : 1;
} catch (const ripc::Error& error) {
  fmt::print(stderr, "order: {}\n", error.what());
  return 1;
}
