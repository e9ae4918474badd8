#include "plan/published_program.h"

#include <algorithm>
#include <vector>

#include "plan/published.h"
#include "schedule/schedule.h"

namespace ripc {
namespace {

std::vector<KernelOption> published_kernels(const Graph& graph) {
  std::vector<KernelOption> kernels;
  for (const Op& op : graph.ops) kernels.push_back(published_rip_kernels(graph, op).front());
  return kernels;
}

}  // namespace

NetworkProblem published_problem(const Graph& graph, bool in_place) {
  MemoryOptions memory;
  memory.in_place = in_place;
  return problem_of(graph, plain_schedule(graph), published_kernels(graph), memory);
}

Problem forward_only(Problem problem) {
  for (Choice& choice : problem.choices) choice.alternatives.resize(1);
  return problem;
}

ProgramSize published_program_size(const Graph& graph) {
  const std::vector<KernelOption> kernels = published_kernels(graph);
  std::vector<bool> overwritten(graph.tensors.size(), false);
  std::int64_t sums = 0;
  for (std::size_t op = 0; op < graph.ops.size(); ++op) {
    const rip_tap_order order = kernels[op].contract->order;
    for (const TensorId input : graph.ops[op].inputs) {
      overwritten[static_cast<std::size_t>(storage_of(graph, input))] = order != RIP_DISJOINT;
    }
    if (order == RIP_ELEMENTWISE && graph.ops[op].inputs.size() == 2) ++sums;
  }
  const auto n = static_cast<std::int64_t>(graph.inputs.size() + graph.ops.size());
  const std::int64_t m = std::ranges::count(overwritten, true);
  return {.variables = 3 * n * (n - 1) / 2 + 2 * m, .constraints = 2 * n * n + 6 * m + 1 - sums};
}

}  // namespace ripc
