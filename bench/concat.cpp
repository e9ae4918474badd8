// Networks of concatenations: every copy apart, in place, and where it saves memory not made at all, beside the peak
// that the publication's Table 7 has.
#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "check/check.h"
#include "import/import.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "plan/slabs.h"

namespace {

using namespace ripc;

struct Published {
  const char* network;
  double kib;
};

constexpr std::array kPublished = {Published{"DenseNet-121", 1568.0}, Published{"DenseNet-169", 1568.0},
                                   Published{"DenseNet-201", 1568.0}, Published{"Inception-v3", 1355.2}};

/// Bytes that the concatenations of a plan still move.
std::int64_t moved_bytes(const Graph& graph, const Plan& plan) {
  const Slabs slabs = slabs_in(graph, plan);
  std::int64_t bytes = 0;
  for (const Op& op : graph.ops) {
    if (!std::holds_alternative<Concat>(op.kind)) continue;
    for (const TensorId input : op.inputs) {
      const TensorId storage = storage_of(graph, input);
      if (slabs[static_cast<std::size_t>(storage)] != op.output) {
        bytes += byte_count(graph.tensors[static_cast<std::size_t>(input)]);
      }
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    fmt::print(stderr, "usage: concat SOURCE_DIR\n");
    return 2;
  }
  fmt::print("Arenas in bytes, scratch inside; every plan is replayed byte by byte.\n\n");
  fmt::print("{:<14} {:>10} {:>12} {:>11} {:>11} {:>7} {:>9} {:>12} {:>13}\n", "network", "published", "dual buffer",
             "with copies", "this plan", "proven", "in stages", "bytes moved", "with copies");
  int reached = 0;
  for (const Published& row : kPublished) {
    const std::filesystem::path file =
        std::filesystem::path(argv[1]) / "networks/keras" / (std::string(row.network) + ".json");
    const Graph graph = canonicalize(import_network(file));
    PlanOptions apart, copying, staged;
    staged.stages = true;
    apart.memory.in_place = false;
    copying.memory.join_slabs = false;
    const Plan dual = make_plan(graph, apart), copies = make_plan(graph, copying), plan = make_plan(graph, {});
    const Plan stages = make_plan(graph, staged);
    check_plan(graph, stages);
    check_plan(graph, plan);
    check_plan(graph, copies);
    const auto is_below = [&](const Plan& some) { return static_cast<double>(some.arena_bytes) < row.kib * 1024.0; };
    const bool below = (is_below(plan) && plan.proven) || is_below(stages);
    reached += below ? 1 : 0;
    fmt::print("{:<14} {:>10.0f} {:>12} {:>11} {:>11} {:>7} {:>9} {:>12} {:>13}{}\n", row.network, row.kib * 1024.0,
               dual.arena_bytes, copies.arena_bytes, plan.arena_bytes, plan.proven ? "yes" : "no", stages.arena_bytes,
               moved_bytes(graph, plan), moved_bytes(graph, copies), below ? "" : "  not below");
  }
  fmt::print("\nconcat: {} of {} below the published peak, with proof or in stages\n", reached, kPublished.size());
  return reached == static_cast<int>(kPublished.size()) ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "concat: {}\n", error.what());
  return 2;
}
