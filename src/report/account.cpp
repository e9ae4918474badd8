#include "report/account.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "lower/lower.h"
#include "plan/flash.h"
#include "plan/spare_scratch.h"
#include "report/bytes.h"
#include "schedule/schedule.h"

namespace ripc {
namespace {

Accounting accounting_of(const Plan& plan) {
  return {.bytes = plan.arena_bytes, .lower_bound = plan.lower_bound, .proven = plan.proven};
}

Plan without_sharing(const Graph& graph, PlanOptions options, const std::string& placer) {
  options.memory.in_place = options.stages = options.stream_input = false;
  options.placer = placer;
  if (placer != "exact") options.order = OperatorOrder::file;  // whoever places greedily takes the order as it comes
  return make_plan(graph, options);
}

OrderAccount order_of(const Graph& graph, const Plan& plan, PlanOptions options) {
  OrderAccount order{.only_one = has_one_order(graph),
                     .of_the_file = in_graph_order(plan.schedule),
                     .file_bytes = plan.arena_bytes,
                     .lower_bound = plan.order_lower_bound,
                     .proven = plan.order_proven};
  if (!order.of_the_file) {
    options.order = OperatorOrder::file;
    order.file_bytes = make_plan(graph, options).arena_bytes;
  }
  return order;
}

int slower_ops(const Graph& graph, const Plan& plan, const PlanOptions& options) {
  int count = 0;
  for (const PlannedOp& planned : plan.ops) {
    const auto kernels = options.kernels(graph, graph.ops[static_cast<std::size_t>(planned.op)]);
    if (planned.kernel != kernels.front().contract->kernel || lacks_scratch(graph, planned)) ++count;
  }
  return count;
}

/// Bytes of the constants of each operator as they ship, by OpId.
std::vector<std::int64_t> constants_of(const Graph& graph, const Plan& plan) {
  std::vector<std::int64_t> bytes(graph.ops.size(), 0);
  for (const Stage& stage : plan.schedule.stages) {
    for (const OpId id : stage.ops) {
      const auto op = static_cast<std::size_t>(id);
      const LoweredOp lowered = lower(graph, graph.ops[op], plan.ops[op].kernel, stage.ops.size() == 1);
      bytes[op] = constant_bytes(lowered);
    }
  }
  return bytes;
}

}  // namespace

std::int64_t ram_bytes(const Account& account) { return account.in_place.bytes + account.state_bytes; }

std::int64_t largest_block_bytes(const Account& account) {
  return std::max(account.in_place.bytes, account.state_bytes);
}

std::string stack_text(const Account& account) {
  if (account.stack_of == nullptr) return "not known: it depends on the target; --board or --target says which";
  return fmt::format("up to {} bytes, as measured on an emulated {}", grouped(account.stack_of->stack_bytes),
                     account.stack_of->name);
}

const OpRow* peak_row(const Account& account) { return peak_row(account.rows); }

Account account_of(const Graph& graph, const Plan& plan, const PlanOptions& asked) {
  const PlanOptions options = within_flash(graph, asked);
  const Plan dual = without_sharing(graph, options, "exact");
  Account account{.in_place = accounting_of(plan),
                  .order = order_of(graph, plan, options),
                  .dual_buffer = accounting_of(dual),
                  .greedy = accounting_of(without_sharing(graph, options, "greedy-by-size")),
                  .aims = {},
                  .constant_bytes = std::nullopt,
                  .least_constant_bytes = std::nullopt,
                  .blocks = blocks_of(graph, plan, options.memory),
                  .rows = {},
                  .fills = {},
                  .dual_blocks = blocks_of(graph, dual, options.memory),
                  .dual_rows = {}};
  account.state_bytes = plan.state_bytes;
  account.rows = op_rows(graph, plan, account.blocks);
  account.fills = stage_fills(graph, plan, account.blocks);
  account.dual_rows = op_rows(graph, dual, account.dual_blocks);
  if (has_weights(graph)) {
    const std::vector<std::int64_t> constants = constants_of(graph, plan);
    account.constant_bytes = std::accumulate(constants.begin(), constants.end(), std::int64_t{0});
    account.least_constant_bytes = least_constant_bytes(graph, asked);
    for (OpRow& row : account.rows) {
      row.constant_bytes = constants[static_cast<std::size_t>(row.op)];
      const Op& op = graph.ops[static_cast<std::size_t>(row.op)];
      row.slowed_by_flash = asked.kernels(graph, op).size() > options.kernels(graph, op).size();
    }
  }
  for (const PlannedOp& op : plan.ops) {
    account.scratch_bytes = std::max(account.scratch_bytes, most_scratch(op));
    account.kept_bytes = std::max(account.kept_bytes, op.kept.bytes);
  }
  return account;
}

std::vector<AimAccount> aims_of(const Graph& graph, const Plan& plan, const PlanOptions& asked) {
  PlanOptions options = within_flash(graph, asked);
  if (options.optimize == Optimize::ram && slower_ops(graph, plan, options) == 0) return {};
  const Optimize own = options.optimize;
  std::vector<AimAccount> aims;
  for (const Optimize aim : {Optimize::ram, Optimize::balanced, Optimize::speed}) {
    options.optimize = aim;
    const Plan other = aim == own ? plan : make_plan(graph, options);
    aims.push_back({.aim = aim, .arena_bytes = other.arena_bytes, .slower_ops = slower_ops(graph, other, options)});
  }
  const bool one_answer =
      std::ranges::all_of(aims, [&](const AimAccount& aim) { return aim.arena_bytes == aims[0].arena_bytes; });
  return one_answer ? std::vector<AimAccount>{} : aims;
}

}  // namespace ripc
