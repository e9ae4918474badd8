#include "report/pareto.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lower/lower.h"
#include "plan/stream.h"
#include "report/bytes.h"
#include "rip/contracts.h"

namespace ripc {
namespace {

/// Calls of the operator's kernel, and the bytes of its constants.
struct Traffic {
  std::int64_t calls = 0, constants = 0;
};

Traffic traffic_of(const Graph& graph, const Plan& plan, OpId id, const Stage& stage) {
  const std::string& kernel = plan.ops[static_cast<std::size_t>(id)].kernel;
  const LoweredOp lowered = lower(graph, graph.ops[static_cast<std::size_t>(id)], kernel, stage.ops.size() == 1);
  const bool whole = rip_find_contract(kernel.c_str())->whole_tensor != 0;
  // The few calls more where a row meets the end of its ring are not counted.
  const std::int64_t of_row = stage.blocks > 1 ? blocks_of_row(lowered.node.out_width, stage.blocks) : 1;
  return {.calls = whole ? 1 : lowered.node.out_height * of_row, .constants = constant_bytes(lowered)};
}

/// Of the kernel that the plan has for the operator, on average over its steps if its scratch differs; 0 if there is no
/// other.
std::int64_t instructions_of(const Graph& graph, const Plan& plan, OpId id, const PlanOptions& options) {
  const PlannedOp& planned = plan.ops[static_cast<std::size_t>(id)];
  const auto own = options.stage_kernels(graph, graph.ops[static_cast<std::size_t>(id)]);
  const auto with = [&](const Region& scratch) {
    const auto found = std::ranges::find_if(own, [&](const KernelOption& option) {
      return option.contract->kernel == planned.kernel && option.scratch_bytes <= scratch.bytes;
    });
    return found == own.end() ? 0 : found->instructions;
  };
  if (planned.scratch_steps.empty()) return with(planned.scratch);
  std::int64_t sum = 0;
  for (const Region& scratch : planned.scratch_steps) sum += with(scratch);
  return sum / std::ssize(planned.scratch_steps);
}

ParetoPoint point_of(const Graph& graph, const PlanOptions& options, std::string name) {
  Plan plan = make_plan(graph, options);
  if (plan.streamed_input) plan = with_progress(std::move(plan));
  ParetoPoint point{.name = std::move(name),
                    .arena_bytes = plan.arena_bytes,
                    .calls = {},
                    .fetched_bytes = {},
                    .instructions = 0,
                    .streamed = plan.streamed_input};
  const bool weights = has_weights(graph);
  if (weights) point.calls = point.fetched_bytes = 0;
  for (const Stage& stage : plan.schedule.stages) {
    point.fused_stages += stage.ops.size() > 1 ? 1 : 0;
    for (const OpId id : stage.ops) point.instructions += instructions_of(graph, plan, id, options);
    if (!weights) continue;
    for (const OpId id : stage.ops) {
      const Traffic traffic = traffic_of(graph, plan, id, stage);
      *point.calls += traffic.calls;
      *point.fetched_bytes += traffic.calls * traffic.constants;
    }
  }
  return point;
}

std::string number(const std::optional<std::int64_t>& value) { return value ? grouped(*value) : "-"; }

}  // namespace

std::vector<ParetoPoint> pareto_points(const Graph& graph, PlanOptions options) {
  std::vector<ParetoPoint> points;
  const std::vector<std::int64_t> blocks(kStageBlocks.begin(), kStageBlocks.end());
  options.stage_blocks.clear();
  options.stages = options.stream_input = false;
  points.push_back(point_of(graph, options, "operator by operator"));
  options.stages = true;
  const auto add = [&](const char* resident, const char* streamed) {
    options.stream_input = false;
    points.push_back(point_of(graph, options, resident));
    options.stream_input = true;
    ParetoPoint rows = point_of(graph, options, streamed);
    if (rows.streamed) points.push_back(std::move(rows));
  };
  add("in stages", "in stages, input row by row");
  options.stage_blocks = blocks;
  add("in blocks of rows", "in blocks, input row by row");
  return points;
}

std::vector<ParetoPoint> pareto_front(std::vector<ParetoPoint> points) {
  std::erase_if(points, [](const ParetoPoint& point) { return !point.calls; });
  const auto cost = [](const ParetoPoint& point) { return std::pair(point.arena_bytes, *point.calls); };
  std::ranges::stable_sort(points, {}, cost);
  std::vector<ParetoPoint> front;
  for (ParetoPoint& point : points) {
    if (front.empty() || *point.calls < *front.back().calls || cost(point) == cost(front.back()))
      front.push_back(std::move(point));
  }
  return front;
}

std::string pareto_note(const Graph& graph) {
  const std::int64_t macs = std::accumulate(graph.ops.begin(), graph.ops.end(), std::int64_t{0},
                                            [&](std::int64_t sum, const Op& op) { return sum + mac_count(graph, op); });
  return fmt::format(
      "{} multiply-accumulates each way, padding counted; a call fetches its weights and tables once; instructions are "
      "estimates of the kernels, without what a call or an operator with only one kernel takes",
      grouped(macs));
}

std::string pareto_table(const Graph& graph, const std::vector<ParetoPoint>& points) {
  std::string text = fmt::format("Ways of running {}\n  {:<30} {:>12} {:>7} {:>10} {:>14} {:>14}\n", graph.name, "",
                                 "arena", "stages", "calls", "bytes fetched", "instructions");
  for (const ParetoPoint& point : points) {
    text +=
        fmt::format("  {:<30} {:>12} {:>7} {:>10} {:>14} {:>14}\n", point.name, grouped(point.arena_bytes),
                    point.fused_stages, number(point.calls), number(point.fetched_bytes), grouped(point.instructions));
  }
  return text + "  " + pareto_note(graph) + "\n";
}

}  // namespace ripc
