#include "report/blocks.h"

#include <algorithm>

#include "lower/lower.h"

namespace ripc {
namespace {

/// The kernels of a plan, by name, with the numbers of their operators.
std::vector<KernelOption> kernels_of(const Graph& graph, const Plan& plan) {
  std::vector<KernelOption> kernels;
  for (std::size_t op = 0; op < graph.ops.size(); ++op) {
    const std::vector<KernelOption> options = kernel_options(graph, graph.ops[op]);
    const auto found = std::ranges::find_if(
        options, [&](const KernelOption& option) { return plan.ops[op].kernel == option.contract->kernel; });
    if (found == options.end()) {
      throw Error({.op_index = graph.ops[op].source,
                   .op_kind = kind_name(graph.ops[op]),
                   .problem = "the plan names a kernel that cannot run it",
                   .found = plan.ops[op].kernel});
    }
    kernels.push_back(*found);
  }
  return kernels;
}

std::int64_t bytes_in_use(std::vector<const Block*> blocks) {
  std::ranges::sort(blocks, {}, &Block::offset);
  std::int64_t used = 0, end = 0;
  for (const Block* block : blocks) {
    const std::int64_t top = block->offset + block->bytes;
    used += std::max<std::int64_t>(0, top - std::max(end, block->offset));
    end = std::max(end, top);
  }
  return used;
}

const Block* block_of(const std::vector<Block>& blocks, TensorId storage) {
  const auto found = std::ranges::find_if(
      blocks, [&](const Block& block) { return block.kind == BlockKind::tensor && block.tensor == storage; });
  return found == blocks.end() ? nullptr : &*found;
}

bool share_bytes(const Block& a, const Block& b) {
  return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

OpRow row_of(const Graph& graph, const Plan& plan, const std::vector<Block>& blocks, std::size_t stage, OpId id) {
  const Op& op = graph.ops[static_cast<std::size_t>(id)];
  const PlannedOp& planned = plan.ops[static_cast<std::size_t>(id)];
  const Tensor& output = graph.tensors[static_cast<std::size_t>(op.output)];
  OpRow row{.op = id,
            .source = op.source,
            .kind = kind_name(op),
            .output = output.name,
            .kernel = planned.kernel,
            .shape = output.shape,
            .reverse = plan.schedule.stages[stage].reverse,
            .gap = std::nullopt,
            .output_bytes = byte_count(output),
            .scratch_bytes = planned.scratch.bytes + planned.kept.bytes,
            .macs = mac_count(graph, op),
            .constant_bytes = std::nullopt};
  const Block* out = block_of(blocks, storage_of(graph, op.output));
  for (const TensorId input : op.inputs) {
    const Block* in = block_of(blocks, storage_of(graph, input));
    if (in == nullptr || out == nullptr || row.in_place || !share_bytes(*in, *out)) continue;
    row.in_place = true;
    row.gap = in->offset - out->offset;
  }
  const auto time = static_cast<std::int64_t>(stage) + 1;
  std::vector<const Block*> alive;
  for (const Block& block : blocks) {
    if (block.first > time || block.last < time) continue;
    alive.push_back(&block);
    row.high_water = std::max(row.high_water, block.offset + block.bytes);
  }
  row.live_bytes = bytes_in_use(std::move(alive));
  return row;
}

}  // namespace

std::vector<Block> blocks_of(const Graph& graph, const Plan& plan, const MemoryOptions& memory) {
  MemoryOptions ranges_only = memory;
  ranges_only.in_place = false;
  const NetworkProblem network = problem_of(graph, plan.schedule, kernels_of(graph, plan), ranges_only);
  std::vector<Block> blocks;
  const auto add = [&](BufferId id, Block block) {
    if (id < 0) return;
    const Buffer& buffer = network.problem.buffers[static_cast<std::size_t>(id)];
    block.bytes = buffer.bytes;
    block.first = buffer.first;
    block.last = buffer.last;
    blocks.push_back(block);
  };
  for (const Storage& storage : plan.storages) {
    if (storage.external) continue;
    add(network.tensor_buffer[static_cast<std::size_t>(storage.tensor)],
        {.kind = BlockKind::tensor, .tensor = storage.tensor, .offset = storage.offset});
  }
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    const auto id = static_cast<OpId>(op);
    add(network.scratch_buffer[op], {.kind = BlockKind::scratch, .op = id, .offset = plan.ops[op].scratch.offset});
    add(network.kept_buffer[op], {.kind = BlockKind::kept, .op = id, .offset = plan.ops[op].kept.offset});
  }
  return blocks;
}

std::vector<OpRow> op_rows(const Graph& graph, const Plan& plan, const std::vector<Block>& blocks) {
  std::vector<OpRow> rows;
  for (std::size_t stage = 0; stage < plan.schedule.stages.size(); ++stage) {
    for (const OpId id : plan.schedule.stages[stage].ops) rows.push_back(row_of(graph, plan, blocks, stage, id));
  }
  const auto peak = std::ranges::max_element(rows, [](const OpRow& a, const OpRow& b) {
    return std::pair(a.high_water, a.live_bytes) < std::pair(b.high_water, b.live_bytes);
  });
  if (peak != rows.end()) peak->peak = true;
  return rows;
}

}  // namespace ripc
