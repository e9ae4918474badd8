#include "schedule/schedule.h"

namespace ripc {

Schedule plain_schedule(const Graph& graph) {
  Schedule schedule;
  for (OpId op = 0; op < static_cast<OpId>(graph.ops.size()); ++op) {
    const std::int64_t rows = row_count(graph, graph.ops[static_cast<std::size_t>(op)]);
    schedule.stages.push_back(
        {.ops = {op}, .reverse = false, .steps = {{.times = 1, .runs = {{.op = 0, .rows = rows}}}}});
  }
  return schedule;
}

}  // namespace ripc
