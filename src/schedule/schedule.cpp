#include "schedule/schedule.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ripc {

Schedule schedule_in_order(const Graph& graph, std::span<const OpId> order) {
  Schedule schedule;
  for (const OpId op : order) {
    const std::int64_t rows = row_count(graph, graph.ops[static_cast<std::size_t>(op)]);
    schedule.stages.push_back(
        {.ops = {op}, .reverse = false, .steps = {{.times = 1, .runs = {{.op = 0, .rows = rows}}}}});
  }
  return schedule;
}

Schedule plain_schedule(const Graph& graph) {
  std::vector<OpId> order(graph.ops.size());
  std::iota(order.begin(), order.end(), OpId{0});
  return schedule_in_order(graph, order);
}

std::vector<OpId> order_of(const Schedule& schedule) {
  std::vector<OpId> order;
  for (const Stage& stage : schedule.stages) order.insert(order.end(), stage.ops.begin(), stage.ops.end());
  return order;
}

bool in_graph_order(const Schedule& schedule) { return std::ranges::is_sorted(order_of(schedule)); }

bool has_one_order(const Graph& graph) {
  for (std::size_t op = 1; op < graph.ops.size(); ++op) {
    const TensorId written = storage_of(graph, graph.ops[op - 1].output);
    if (!std::ranges::any_of(graph.ops[op].inputs, [&](TensorId id) { return storage_of(graph, id) == written; }))
      return false;
  }
  return true;
}

}  // namespace ripc
