#include "plan/stage_kernels.h"

#include <algorithm>

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

bool is_pointwise(const Op& op) {
  const auto* conv = std::get_if<Conv2d>(&op.kind);
  const auto plain = [](const Window& window) {
    return window.kernel == 1 && window.stride == 1 && window.pad_before == 0 && window.pad_after == 0;
  };
  return conv != nullptr && plain(conv->rows) && plain(conv->columns);
}

bool over_own_row(const Graph& graph, const Op& op, const rip_contract& contract) {
  return contract.order == RIP_PIXEL_DIRECT && is_pointwise(op) &&
         contract.held >= image_shape(graph.tensors[index(op.output)]).channels;
}

bool over_oldest_row(const FlowOp& made, const rip_contract& contract) {
  if (contract.order == RIP_CHANNEL_LOCAL) return made.delay == 0;
  return contract.order == RIP_ROW_PLANE;
}

/// Whether the kernel can make rows that have such a home.
bool can_fill(const Graph& graph, const FlowOp& made, const rip_contract& contract, RowHome home) {
  const Op& op = graph.ops[index(made.op)];
  if (!makes_rows(contract)) return false;
  if (home == RowHome::own_row) return over_own_row(graph, op, contract);
  if (home == RowHome::oldest_row) return over_oldest_row(made, contract);
  if (home == RowHome::elements) return contract.order == RIP_ELEMENTWISE;
  return true;
}

/// Only layers that make one channel of one channel can write over the rows of their window.
bool is_by_channel(const Op& op) {
  const auto* depthwise = std::get_if<DepthwiseConv2d>(&op.kind);
  return std::holds_alternative<Pool2d>(op.kind) || (depthwise != nullptr && depthwise->multiplier == 1);
}

bool sums(const KernelOption& option) { return option.contract->order == RIP_ROW_SUM; }

}  // namespace

bool makes_rows(const rip_contract& contract) {
  return contract.whole_tensor == 0 && contract.order != RIP_PLANE && contract.order != RIP_DISJOINT &&
         contract.order != RIP_FORWARD_DIRECT;
}

bool makes_blocks(const rip_contract& contract) {
  const rip_tap_order order = contract.order;
  return makes_rows(contract) &&
         (order == RIP_ELEMENTWISE || order == RIP_PIXEL_DIRECT || order == RIP_CHANNEL_LOCAL || order == RIP_IN_TURN);
}

std::vector<std::vector<KernelOption>> kernels_for_blocks(std::vector<std::vector<KernelOption>> kernels) {
  for (std::vector<KernelOption>& own : kernels) {
    std::erase_if(own, [](const KernelOption& option) { return !makes_blocks(*option.contract); });
  }
  return kernels;
}

std::vector<std::vector<KernelOption>> kernels_for_rows(const Graph& graph,
                                                        std::vector<std::vector<KernelOption>> kernels) {
  for (std::size_t id = 0; id < kernels.size(); ++id) {
    std::vector<KernelOption>& own = kernels[id];
    std::erase_if(own, [](const KernelOption& option) { return !makes_rows(*option.contract); });
    const auto sum = std::ranges::find_if(own, sums);
    if (sum == own.end()) continue;
    const Tensor& input = graph.tensors[index(graph.ops[id].inputs.front())];
    const std::int64_t height = image_shape(input).height;
    const bool pays = own.size() == 1 || sum->kept_bytes < byte_count(input) / height * (height - 1);
    std::erase_if(own, [&](const KernelOption& option) { return sums(option) != pays; });
  }
  return kernels;
}

std::vector<bool> sums_of(const std::vector<std::vector<KernelOption>>& kernels) {
  std::vector<bool> summing;
  for (const auto& own : kernels) summing.push_back(std::ranges::any_of(own, sums));
  return summing;
}

const KernelOption* kernel_for(const Graph& graph, const FlowOp& made, std::span<const KernelOption> kernels,
                               RowHome home) {
  const KernelOption* least = nullptr;
  const auto bytes = [](const KernelOption& option) { return option.scratch_bytes + option.kept_bytes; };
  for (const KernelOption& option : kernels) {
    if (!can_fill(graph, made, *option.contract, home)) continue;
    if (least == nullptr || bytes(option) < bytes(*least)) least = &option;
  }
  return least;
}

const KernelOption& fastest_for(const Graph& graph, const FlowOp& made, std::span<const KernelOption> kernels,
                                RowHome home, std::int64_t scratch, const KernelOption& least) {
  const bool reads_inside =
      std::ranges::all_of(made.reads, [](const FlowRead& read) { return read.producer != kOutside; });
  for (const KernelOption& option : kernels) {
    const bool alike = option.contract->order == least.contract->order && option.contract->held == least.contract->held;
    const bool fits = option.scratch_bytes <= scratch && option.kept_bytes == least.kept_bytes;
    if (fits && (alike || reads_inside) && can_fill(graph, made, *option.contract, home)) return option;
  }
  return least;
}

RowSharing sharing_of(const Graph& graph, const FlowOp& made, std::span<const KernelOption> kernels) {
  const auto scratch = [&](RowHome home) {
    const KernelOption* kernel = kernel_for(graph, made, kernels, home);
    return kernel == nullptr ? -1 : kernel->scratch_bytes;
  };
  const bool by_channel = is_by_channel(graph.ops[index(made.op)]);
  return {.elementwise = kernel_for(graph, made, kernels, RowHome::elements) != nullptr,
          .own_row_scratch = scratch(RowHome::own_row),
          .oldest_row_scratch = by_channel ? scratch(RowHome::oldest_row) : -1};
}

}  // namespace ripc
