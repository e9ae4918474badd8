// make_plan: which order of the operators is planned.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "plan/flash.h"
#include "plan/order_problem.h"
#include "plan/pipeline.h"
#include "plan/spare_scratch.h"
#include "plan/stages.h"
#include "schedule/schedule.h"

namespace ripc {
namespace {

OrderProblem order_problem(const Graph& graph, const PlanOptions& options) {
  std::vector<std::vector<KernelOption>> kernels;
  for (const Op& op : graph.ops) kernels.push_back(options.kernels(graph, op));
  return order_problem_of(graph, kernels, options.memory);
}

std::vector<OpId> own_order(const Graph& graph) { return order_of(plain_schedule(graph)); }

/// Whether a state's old value and its new one share a place: the search knows nothing of who must come first.
bool overwrites_state(const Graph& graph) {
  return std::ranges::any_of(graph.tensors, [](const Tensor& tensor) { return tensor.state != kNoState; });
}

/// One operator after the other.
Plan make_plain_plan(const Graph& graph, const PlanOptions& options) {
  const Schedule own = plain_schedule(graph);
  if (has_one_order(graph)) {
    Plan plan = plan_in_order(graph, own, options);
    plan.order_lower_bound = plan.lower_bound;
    plan.order_proven = true;
    return plan;
  }
  if (options.order == OperatorOrder::file || overwrites_state(graph)) return plan_in_order(graph, own, options);

  const OrderProblem problem = order_problem(graph, options);
  const Order order = find_order(problem, options.order_options);
  const std::vector<OpId> unchanged = own_order(graph);
  Plan plan = plan_in_order(graph, schedule_in_order(graph, order.ops), options);
  // The peak of an order bounds its placements: only if that does not settle it are both placed.
  if (order.ops != unchanged && plan.arena_bytes >= order_peak(problem, unchanged)) {
    Plan other = plan_in_order(graph, own, options);
    if (other.arena_bytes <= plan.arena_bytes) plan = std::move(other);
  }
  plan.order_lower_bound = order.lower_bound;
  plan.order_proven = plan.arena_bytes == order.lower_bound;
  return plan;
}
}  // namespace

std::int64_t least_arena(const Graph& graph, const PlanOptions& options) {
  if (options.stages) return 0;  // a stage needs less than any of its operators by itself
  const OrderProblem problem = order_problem(graph, options);
  if (options.order == OperatorOrder::file || has_one_order(graph) || overwrites_state(graph))
    return order_peak(problem, own_order(graph));
  return find_order(problem, options.order_options).lower_bound;
}

Plan make_plan(const Graph& graph, const PlanOptions& asked) {
  const PlanOptions options = within_flash(graph, asked);
  Plan plan = make_plain_plan(graph, options);
  if (options.stages) {
    std::vector<std::vector<OpId>> orders{own_order(graph)};
    if (!in_graph_order(plan.schedule)) orders.push_back(order_of(plan.schedule));
    for (const std::vector<OpId>& order : orders) {
      std::optional<Plan> staged = plan_stages(graph, order, options, plan.arena_bytes);
      if (staged) plan = std::move(*staged);
    }
  }
  spread_scratch(graph, options.memory, plan);
  return plan;
}

}  // namespace ripc
