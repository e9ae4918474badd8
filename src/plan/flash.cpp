#include "plan/flash.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "rip/contracts.h"

namespace ripc {
namespace {

/// Constants of a kernel, and about what it executes.
struct Cost {
  std::int64_t bytes = 0, instructions = 0;
};

/// Allowing kernels of one operator up to `bytes` instead of less.
struct Step {
  std::size_t op = 0;
  std::int64_t bytes = 0;   ///< of the operator's constants then
  double saved_a_byte = 0;  ///< instructions
};

using KernelBytes = std::map<std::pair<TensorId, const rip_contract*>, std::int64_t>;  ///< the operator by its output

std::int64_t bytes_of(const Graph& graph, const Op& op, const KernelOption& option) {
  if (rip_find_contract(option.contract->kernel) == nullptr) return 0;  // a way of accounting: it is never lowered
  return constant_bytes(lower(graph, op, option.contract->kernel, false));
}

/// The steps from the kernel of the fewest bytes upwards, each the one that saves most a byte: ever less.
std::vector<Step> steps_of(std::size_t op, std::vector<Cost> costs, Cost at) {
  std::vector<Step> steps;
  while (true) {
    Step best{.op = op};
    Cost next;
    for (const Cost& cost : costs) {
      if (cost.bytes <= at.bytes || cost.instructions >= at.instructions) continue;
      const double saved =
          static_cast<double>(at.instructions - cost.instructions) / static_cast<double>(cost.bytes - at.bytes);
      if (saved <= best.saved_a_byte) continue;
      best.bytes = cost.bytes;
      best.saved_a_byte = saved;
      next = cost;
    }
    if (best.saved_a_byte == 0) return steps;
    steps.push_back(best);
    at = next;
  }
}

/// Bytes of constants that each operator may have, by its index.
std::vector<std::int64_t> allowed_bytes(const std::vector<std::vector<Cost>>& costs,
                                        const std::optional<std::int64_t>& budget) {
  std::vector<std::int64_t> allowed;
  std::vector<Step> steps;
  std::int64_t total = 0;
  for (std::size_t op = 0; op < costs.size(); ++op) {
    const Cost least = *std::ranges::min_element(
        costs[op], {}, [](const Cost& cost) { return std::pair(cost.bytes, cost.instructions); });
    allowed.push_back(least.bytes);
    total += least.bytes;
    std::ranges::copy(steps_of(op, costs[op], least), std::back_inserter(steps));
  }
  std::ranges::stable_sort(steps, std::ranges::greater{}, &Step::saved_a_byte);
  for (const Step& step : steps) {
    const std::int64_t with = total - allowed[step.op] + step.bytes;
    if (budget ? with > *budget : step.saved_a_byte < static_cast<double>(kSavedForByte)) continue;
    allowed[step.op] = step.bytes;
    total = with;
  }
  return allowed;
}

/// Those of `source` that have at most as many bytes as their operator may.
KernelSource filtered(KernelSource source, std::shared_ptr<const KernelBytes> bytes,
                      std::shared_ptr<const std::map<TensorId, std::int64_t>> allowed) {
  return [=](const Graph& graph, const Op& op) {
    std::vector<KernelOption> options = source(graph, op);
    std::erase_if(options, [&](const KernelOption& option) {
      return bytes->at({op.output, option.contract}) > allowed->at(op.output);
    });
    return options;
  };
}

}  // namespace

PlanOptions within_flash(const Graph& graph, PlanOptions options) {
  if (options.within_flash || !has_weights(graph)) return options;
  options.within_flash = true;
  auto bytes = std::make_shared<KernelBytes>();
  std::vector<std::vector<Cost>> costs;
  for (const Op& op : graph.ops) {
    std::vector<Cost>& of_op = costs.emplace_back();
    for (const KernelOption& option : options.kernels(graph, op)) {
      const std::int64_t own = (*bytes)[{op.output, option.contract}] = bytes_of(graph, op, option);
      // Whoever comes first is faster, whatever the estimates say.
      const std::int64_t least = of_op.empty() ? 0 : of_op.back().instructions + 1;
      of_op.push_back({.bytes = own, .instructions = std::max(least, option.instructions)});
    }
    if (!options.stages) continue;
    for (const KernelOption& option : options.stage_kernels(graph, op)) {
      const auto [known, is_new] = bytes->try_emplace({op.output, option.contract}, 0);
      if (is_new) known->second = bytes_of(graph, op, option);
    }
  }
  const std::vector<std::int64_t> limits = allowed_bytes(costs, options.constant_bytes);
  auto allowed = std::make_shared<std::map<TensorId, std::int64_t>>();
  for (std::size_t op = 0; op < limits.size(); ++op) allowed->emplace(graph.ops[op].output, limits[op]);
  options.kernels = filtered(std::move(options.kernels), bytes, allowed);
  options.stage_kernels = filtered(std::move(options.stage_kernels), std::move(bytes), std::move(allowed));
  return options;
}

std::int64_t least_constant_bytes(const Graph& graph, const PlanOptions& options) {
  std::int64_t total = 0;
  for (const Op& op : graph.ops) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const KernelOption& option : options.kernels(graph, op)) least = std::min(least, bytes_of(graph, op, option));
    total += least;
  }
  return total;
}

}  // namespace ripc
