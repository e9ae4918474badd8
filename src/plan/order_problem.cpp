#include "plan/order_problem.h"

#include <algorithm>

#include "overlap/overlap.h"

namespace ripc {
namespace {

/// Bytes that the output and a dying input may share: no more than either has, and none of the gap.
std::int64_t shared_bytes(const InputOverlap& overlap, std::int64_t in, std::int64_t out) {
  if (overlap.kind == InputOverlap::Kind::disjoint) return 0;
  const std::int64_t gap = overlap.kind == InputOverlap::Kind::tied ? 0 : std::max<std::int64_t>(0, overlap.bytes);
  return std::clamp<std::int64_t>(out - gap, 0, std::min(in, out));
}

OrderOp order_op(const Graph& graph, const Op& op, const std::vector<KernelOption>& kernels, bool in_place,
                 const std::vector<OrderTensor>& tensors) {
  const auto bytes = [&](TensorId id) { return tensors[static_cast<std::size_t>(id)].bytes; };
  OrderOp ordered{.inputs = {}, .output = storage_of(graph, op.output), .ways = {}};
  for (const TensorId input : op.inputs) {
    const TensorId storage = storage_of(graph, input);
    if (graph.tensors[static_cast<std::size_t>(storage)].constant) continue;
    if (std::ranges::find(ordered.inputs, storage) == ordered.inputs.end()) ordered.inputs.push_back(storage);
  }
  for (const KernelOption& kernel : kernels) {
    const std::int64_t side = kernel.scratch_bytes + kernel.kept_bytes;
    if (!in_place) {
      ordered.ways.push_back({.side_bytes = side, .shares = std::vector<std::int64_t>(ordered.inputs.size(), 0)});
      continue;
    }
    for (const OverlapRule& rule : overlap_rules(graph, op, *kernel.contract)) {
      OrderWay& way = ordered.ways.emplace_back(OrderWay{.side_bytes = side, .shares = {}});
      const auto overlaps = overlaps_by_storage(graph, op, rule);
      for (const TensorId input : ordered.inputs)
        way.shares.push_back(shared_bytes(overlaps.at(input), bytes(input), bytes(ordered.output)));
    }
  }
  return ordered;
}

}  // namespace

OrderProblem order_problem_of(const Graph& graph, const std::vector<std::vector<KernelOption>>& kernels,
                              const MemoryOptions& options) {
  OrderProblem problem;
  for (const Tensor& tensor : graph.tensors) {
    const bool stored = tensor.alias_of == kNoTensor && !tensor.constant && tensor.state == kNoState;
    // A state's old value is there before the first step; its new one is found written below.
    problem.tensors.push_back({.bytes = stored ? byte_count(tensor) : 0, .given = tensor.state != kNoState});
  }
  for (const Op& op : graph.ops) problem.tensors[static_cast<std::size_t>(storage_of(graph, op.output))].given = false;
  for (const TensorId input : graph.inputs) {
    OrderTensor& tensor = problem.tensors[static_cast<std::size_t>(storage_of(graph, input))];
    tensor.given = true;
    tensor.kept = options.keep_input;
    if (options.external_input) tensor.bytes = 0;
  }
  for (const TensorId output : graph.outputs)
    problem.tensors[static_cast<std::size_t>(storage_of(graph, output))].kept = true;
  for (std::size_t op = 0; op < graph.ops.size(); ++op)
    problem.ops.push_back(order_op(graph, graph.ops[op], kernels[op], options.in_place, problem.tensors));
  return problem;
}

}  // namespace ripc
