#include "cli/advise.h"

#include <algorithm>
#include <utility>

#include "cli/as_int8.h"
#include "cli/fit.h"
#include "cli/terminal.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

const Tensor& tensor_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

/// The arena of the graph; nothing where it cannot be planned.
std::optional<std::int64_t> arena_of(const Graph& graph, const PlanOptions& options) {
  try {
    return make_plan(graph, options).arena_bytes;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The operator as a network of its own; nothing if it writes what survives the run, which no output of a network does.
std::optional<Graph> only(const Graph& graph, OpId id) {
  const Op& op = graph.ops[static_cast<std::size_t>(id)];
  if (tensor_of(graph, op.output).state != kNoState) return std::nullopt;
  Graph alone = graph;
  alone.ops = {op};
  alone.outputs = {op.output};
  alone.inputs.clear();
  for (const TensorId input : op.inputs) {
    const TensorId storage = storage_of(graph, input);
    const bool known = std::ranges::find(alone.inputs, storage) != alone.inputs.end();
    if (!known && tensor_of(graph, storage).state == kNoState) alone.inputs.push_back(storage);
  }
  return drop_dead(std::move(alone));
}

/// What the operator needs by itself, its inputs eaten and in the arena.
std::optional<std::int64_t> arena_alone(const Graph& graph, OpId op, PlanOptions options) {
  const std::optional<Graph> alone = only(graph, op);
  if (!alone) return std::nullopt;
  options.memory.keep_input = options.memory.external_input = false;
  return arena_of(*alone, options);
}

std::int64_t macs_before(const Account& account, const OpRow& row) {
  std::int64_t macs = 0;
  for (const OpRow& other : account.rows) macs += other.stage < row.stage ? other.macs : 0;
  return macs;
}

/// Ending the network before its peak, where that leaves most of the work in it.
std::optional<Change> cut(const NetworkOptions& options, const Graph& graph, const Account& account,
                          const OpRow& peak) {
  std::int64_t macs = 0;
  for (const OpRow& row : account.rows) macs += row.macs;
  const Op& op = graph.ops[static_cast<std::size_t>(peak.op)];
  if (macs == 0 || 2 * macs_before(account, peak) < macs) return std::nullopt;
  for (const TensorId input : op.inputs) {
    const std::string& name = tensor_of(graph, input).name;
    if (name.find(',') != std::string::npos || name != one_line(name)) continue;
    NetworkOptions shorter = options;
    shorter.outputs = {name};
    try {
      const std::int64_t saves = account.in_place.bytes - plan_network(shorter).plan.arena_bytes;
      if (saves > 0) {
        return Change{.how = "--outputs " + shell_word(name),
                      .saves = saves,
                      .price = "what comes after it is left to the caller"};
      }
    } catch (const Error&) {
      continue;  // an input of the network, or a name that several tensors have
    }
  }
  return std::nullopt;
}

}  // namespace

Advice advise_on_float(const NetworkOptions& options, const Graph& graph) {
  Advice advice;
  advice.is_float = is_float(graph);
  if (!advice.is_float) return advice;
  if (const std::optional<Graph> twin = as_int8(graph)) advice.as_int8 = arena_of(*twin, plan_options(options));
  return advice;
}

Advice advise(const NetworkOptions& options, const PlannedNetwork& network, const Account& account) {
  Advice advice = advise_on_float(options, network.graph);
  const OpRow* peak = peak_row(account);
  if (peak == nullptr) return advice;
  advice.peak_alone = arena_alone(network.graph, peak->op, plan_options(options));
  advice.changes = helpful_changes(options, account.in_place.bytes);
  if (auto change = cut(options, network.graph, account, *peak)) advice.changes.push_back(std::move(*change));
  return advice;
}

}  // namespace ripc::cli
