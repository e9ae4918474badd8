// Table 7 anew: the peaks of 33 networks in the publication's accounting beside what it printed, each with its proof
// and without moving a tensor, then in our own accounting with every kernel as it ships.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "import/import.h"
#include "passes/passes.h"
#include "placement/milp.h"
#include "placement/placers.h"
#include "plan/pipeline.h"
#include "plan/published_program.h"
#include "ripc/error.h"

namespace {

using namespace ripc;

struct PublishedRow {
  std::string network;
  std::int64_t ops = 0, variables = 0, constraints = 0, shifts = 0;
  double dual_kib = 0, rip_kib = 0;
};

std::vector<PublishedRow> read_published(const std::filesystem::path& path) {
  std::vector<PublishedRow> rows;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string skipped;
    PublishedRow row;
    fields >> row.network >> row.ops >> skipped >> row.variables >> row.constraints >> skipped >> skipped >> skipped >>
        row.dual_kib >> row.rip_kib >> skipped >> skipped >> row.shifts;
    if (fields) rows.push_back(row);
  }
  return rows;
}

double kib(std::int64_t bytes) { return static_cast<double>(bytes) / 1024; }

/// At or below a figure that was printed with one digit.
bool within(std::int64_t bytes, double printed_kib) { return kib(bytes) <= printed_kib + 0.05 + 1e-6; }

class Stopwatch {
 public:
  double milliseconds() const { return 1000.0 * static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

/// Share of the tensors that are written over an input of their operator.
double in_place_percent(const Graph& graph, const NetworkProblem& network, const Placement& placement) {
  const auto buffer = [&](TensorId id) {
    return network.tensor_buffer[static_cast<std::size_t>(storage_of(graph, id))];
  };
  const auto start = [&](BufferId id) { return placement.offsets[static_cast<std::size_t>(id)]; };
  const auto end = [&](BufferId id) { return start(id) + network.problem.buffers[static_cast<std::size_t>(id)].bytes; };
  std::size_t in_place = 0;
  for (const Op& op : graph.ops) {
    const BufferId out = buffer(op.output);
    in_place += std::ranges::any_of(op.inputs, [&](TensorId input) {
      const BufferId in = buffer(input);
      return start(in) < end(out) && start(out) < end(in);
    });
  }
  return 100.0 * static_cast<double>(in_place) / static_cast<double>(network.problem.buffers.size());
}

/// Operators that run in reverse; the publication, which has no reverse, moves a tensor instead where it must.
std::int64_t reverse_count(const NetworkProblem& network, const Placement& placement) {
  std::int64_t reverse = 0;
  for (std::size_t stage = 0; stage < network.stage_choice.size(); ++stage) {
    const int choice = network.stage_choice[stage];
    if (choice < 0) continue;
    const int alternative = placement.alternatives[static_cast<std::size_t>(choice)];
    reverse += network.stage_reverse[stage][static_cast<std::size_t>(alternative)] ? 1 : 0;
  }
  return reverse;
}

bool is_right(const Problem& problem, const Placement& placement) {
  const std::string fault = validate_placement(problem, placement);
  if (!fault.empty()) fmt::print("  {}\n", fault);
  return fault.empty() && placement.proof == Proof::optimal;
}

struct Table {
  std::filesystem::path folder;
  int reached = 0, slow = 0, same_programs = 0;
  std::int64_t nodes = 0;
  double most_milliseconds = 0;

  void row(const PublishedRow& published) {
    const Graph graph = canonicalize(import_network(folder / (published.network + ".json")), {});
    const NetworkProblem dual_problem = published_problem(graph, false);
    const Placement dual = place(dual_problem.problem, "exact");
    const Stopwatch watch;
    const NetworkProblem problem = published_problem(graph, true);
    const Placement rip = place(problem.problem, "exact");
    const double milliseconds = watch.milliseconds();

    const bool good = is_right(dual_problem.problem, dual) && is_right(problem.problem, rip) &&
                      within(dual.peak, published.dual_kib) && within(rip.peak, published.rip_kib);
    const ProgramSize size = published_program_size(graph);
    const bool same = static_cast<std::int64_t>(graph.ops.size()) == published.ops &&
                      size == ProgramSize{published.variables, published.constraints};
    reached += good ? 1 : 0;
    same_programs += same ? 1 : 0;
    slow += milliseconds > 10 ? 1 : 0;
    nodes += rip.nodes;
    most_milliseconds = std::max(most_milliseconds, milliseconds);
    fmt::print(
        "{:<18} {:>4}{} {:>9.2f} {:>8.1f} | {:>9.2f} {:>8.1f} {:>6.3f} {:>7} {:>6} | {:>5.1f} {:>6} {:>7.2f}{}\n",
        published.network, graph.ops.size(), same ? ' ' : '!', kib(dual.peak), published.dual_kib, kib(rip.peak),
        published.rip_kib, static_cast<double>(rip.peak) / static_cast<double>(dual.peak), reverse_count(problem, rip),
        published.shifts, in_place_percent(graph, problem, rip), rip.nodes, milliseconds, good ? "" : "  <- differs");
  }
};

/// What the networks for which the publication moves a tensor cost without a move and without a reverse pass, and its
/// own program, in which a move costs one byte.
void print_forward(const std::filesystem::path& folder, const std::vector<PublishedRow>& published, bool milp) {
  fmt::print("\nForward only, in bytes, where the publication moves a tensor (a shift).\n");
  fmt::print("{:<18} {:>10} {:>10} {:>10} {:>8} {:>9}{}\n", "network", "both ways", "forward", "bound", "nodes", "ms",
             milp ? "   with shifts: peak, shifts, proven, nodes, ms" : "");
  for (const PublishedRow& row : published) {
    if (row.shifts == 0) continue;
    const Graph graph = canonicalize(import_network(folder / (row.network + ".json")), {});
    const NetworkProblem network = published_problem(graph, true);
    const Problem forward = forward_only(network.problem);
    PlacerOptions options;
    options.node_limit = 4'000'000;
    const Stopwatch watch;
    const Placement placement = place(forward, "exact", options);
    fmt::print("{:<18} {:>10} {:>10} {:>10} {:>8} {:>9.1f}", row.network, place(network.problem, "exact").peak,
               placement.peak, placement.lower_bound, placement.nodes, watch.milliseconds());
    if (milp) {
      const Stopwatch milp_watch;
      const ShiftedPlacement shifted = place_with_shifts(forward, options);
      fmt::print("   {} {} {} {} {:.1f}", shifted.placement.peak, shifted.taken.size(), shifted.proven ? "yes" : "no",
                 shifted.placement.nodes, milp_watch.milliseconds());
    }
    fmt::print("\n");
  }
}

void print_ours(const std::filesystem::path& folder, const std::vector<PublishedRow>& published) {
  fmt::print(
      "\nOur accounting in bytes: what ripc plans. Scratch lies inside the arena and every kernel is one that "
      "ships.\n");
  fmt::print(
      "`published` is the peak of the first table, in which scratch counts nothing; the order of operators is the\n");
  fmt::print("file's, then the best.\n");
  fmt::print("{:<18} {:>10} {:>10} {:>9} {:>10} {:>7} {:>7} {:>7} | {:>10} {:>8}\n", "network", "arena", "bound",
             "scratch", "published", "ratio", "of dual", "ms", "best order", "ms");
  int below = 0, least = 0;
  for (const PublishedRow& row : published) {
    const Graph graph = canonicalize(import_network(folder / (row.network + ".json")), {});
    PlanOptions options;
    options.order = OperatorOrder::file;
    const Stopwatch watch;
    const Plan plan = make_plan(graph, options);
    const double milliseconds = watch.milliseconds();
    options.order = OperatorOrder::best;
    const Stopwatch best_watch;
    const Plan best = make_plan(graph, options);
    const double best_milliseconds = best_watch.milliseconds();
    std::int64_t scratch = 0;
    for (const PlannedOp& op : plan.ops) scratch = std::max(scratch, op.scratch.bytes + op.kept.bytes);
    const std::int64_t theirs = place(published_problem(graph, true).problem, "exact").peak;
    below += best.arena_bytes <= theirs ? 1 : 0;
    least += plan.proven ? 1 : 0;
    fmt::print("{:<18} {:>10} {:>10} {:>9} {:>10} {:>7.4f} {:>7.4f} {:>7.1f} | {:>10} {:>8.1f}\n", row.network,
               plan.arena_bytes, plan.lower_bound, scratch, theirs,
               static_cast<double>(plan.arena_bytes) / static_cast<double>(theirs),
               kib(plan.arena_bytes) / row.dual_kib, milliseconds, best.arena_bytes, best_milliseconds);
  }
  fmt::print("{} of {} at or below the published accounting; {} proven least for their kernels and the file's order\n",
             below, published.size(), least);
}

}  // namespace

int main(int argc, char** argv) try {
  const bool milp = argc == 4 && std::string_view(argv[3]) == "--milp";
  if (argc != 3 && !milp) {
    fmt::print(stderr, "usage: table7 SOURCE_DIR TABLE7.tsv [--milp]\n");
    return 2;
  }
  const std::filesystem::path folder = std::filesystem::path(argv[1]) / "networks/keras";
  const auto published = read_published(argv[2]);
  if (published.empty()) {
    fmt::print("table7: skipped, {} is not here\n", argv[2]);
    return 0;
  }
  fmt::print("Published accounting in KiB: depthwise and pooling over the input at equal starts, scratch outside.\n");
  fmt::print(
      "Beside each figure the printed one; `shifts` are the publication's, `reverse` counts our operators that run\n");
  fmt::print("backwards: we move no tensor. `ops` ends in ! where operators or program size differ.\n\n");
  fmt::print("{:<18} {:>4}  {:>9} {:>8} | {:>9} {:>8} {:>6} {:>7} {:>6} | {:>5} {:>6} {:>7}\n", "network", "ops",
             "dual", "printed", "RiP", "printed", "ratio", "reverse", "shifts", "in %", "nodes", "ms");
  Table table{.folder = folder};
  for (const PublishedRow& row : published) table.row(row);
  print_forward(folder, published, milp);
  print_ours(folder, published);
  fmt::print("\n{} of {} with the printed number of operators, variables and constraints\n", table.same_programs,
             published.size());
  fmt::print("search nodes: {} in all; CPU milliseconds: {:.2f} at most, {} above 10\n", table.nodes,
             table.most_milliseconds, table.slow);
  fmt::print("table7: {} of {} at or below the published KiB, proven, without a shift\n", table.reached,
             published.size());
  return table.reached == static_cast<int>(published.size()) ? 0 : 1;
} catch (const ripc::Error& error) {
  fmt::print(stderr, "table7: {}\n", error.what());
  return 1;
}
