#include "report/blocks.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ripc {
namespace {

std::int64_t end_of(const Block& block) { return block.offset + block.bytes; }

std::int64_t bytes_in_use(std::vector<const Block*> blocks) {
  std::ranges::sort(blocks, {}, &Block::offset);
  std::int64_t used = 0, end = 0;
  for (const Block* block : blocks) {
    used += std::max<std::int64_t>(0, end_of(*block) - std::max(end, block->offset));
    end = std::max(end, end_of(*block));
  }
  return used;
}

/// The block that holds `storage`, whole or as a ring; null if it is not in the arena.
const Block* block_of(const std::vector<Block>& blocks, TensorId storage) {
  const auto found = std::ranges::find(blocks, storage, &Block::tensor);
  return found == blocks.end() ? nullptr : &*found;
}

bool share_bytes(const Block& a, const Block& b) { return a.offset < end_of(b) && b.offset < end_of(a); }

/// How far from the output the first input of its stage starts that shares bytes with it.
std::optional<std::int64_t> gap_of(const Graph& graph, const Slabs& slabs, const Stage& stage, const Block& output,
                                   const std::vector<Block>& blocks) {
  for (const OpId id : stage.ops) {
    for (const TensorId input : graph.ops[static_cast<std::size_t>(id)].inputs) {
      const Block* in = block_of(blocks, slab_root(slabs, storage_of(graph, input)));
      if (in != nullptr && in != &output && share_bytes(*in, output)) return in->offset - output.offset;
    }
  }
  return std::nullopt;
}

/// The geometry of an operator that slides a window over its input.
std::optional<Layer> window_of(const Graph& graph, const Op& op) {
  const bool slides = std::holds_alternative<Conv2d>(op.kind) || std::holds_alternative<DepthwiseConv2d>(op.kind) ||
                      std::holds_alternative<FullyConnected>(op.kind) || std::holds_alternative<Pool2d>(op.kind);
  return slides ? std::optional(layer_of(graph, op)) : std::nullopt;
}

OpRow row_of(const Graph& graph, const Plan& plan, const std::vector<Block>& blocks, std::size_t stage, OpId id) {
  const Op& op = graph.ops[static_cast<std::size_t>(id)];
  const Tensor& output = graph.tensors[static_cast<std::size_t>(op.output)];
  OpRow row{.op = id,
            .source = op.source,
            .stage = stage,
            .kind = kind_name(op),
            .output = output.name,
            .kernel = plan.ops[static_cast<std::size_t>(id)].kernel,
            .shape = output.shape,
            .reverse = plan.schedule.stages[stage].reverse,
            .gap = std::nullopt,
            .macs = mac_count(graph, op),
            .window = window_of(graph, op),
            .constant_bytes = std::nullopt};
  const Slabs slabs = slabs_in(graph, plan);
  if (const Block* out = block_of(blocks, slab_root(slabs, storage_of(graph, op.output)))) {
    row.gap = gap_of(graph, slabs, plan.schedule.stages[stage], *out, blocks);
    row.in_place = row.gap.has_value();
  }
  const auto reads = [&](TensorId storage) {
    return std::ranges::any_of(op.inputs,
                               [&](TensorId input) { return slab_root(slabs, storage_of(graph, input)) == storage; });
  };
  const auto part_of_row = [&](const Block& block) -> std::int64_t& {
    if (block.tensor == kNoTensor) return block.op == id ? row.scratch_bytes : row.held_bytes;
    if (block.tensor == slab_root(slabs, storage_of(graph, op.output))) return row.output_bytes;
    return reads(block.tensor) ? row.input_bytes : row.held_bytes;
  };
  const auto time = static_cast<std::int64_t>(stage) + 1;
  std::vector<const Block*> alive;
  for (const Block& block : blocks) {
    if (block.first > time || block.last < time) continue;
    alive.push_back(&block);
    part_of_row(block) += block.bytes;
    row.shared_bytes += block.bytes;
    row.high_water = std::max(row.high_water, end_of(block));
  }
  row.live_bytes = bytes_in_use(std::move(alive));
  row.shared_bytes -= row.live_bytes;
  return row;
}

}  // namespace

std::vector<Block> blocks_of(const Graph& graph, const Plan& plan, const MemoryOptions& memory) {
  const std::vector<LiveRange> ranges = live_ranges(graph, plan.schedule, memory, slabs_in(graph, plan));
  std::vector<Block> blocks;
  for (const Storage& storage : plan.storages) {
    if (storage.external || storage.state) continue;
    if (storage.within != kNoTensor) continue;  // in the block of its slab
    const auto tensor = static_cast<std::size_t>(storage.tensor);
    const ImageShape image = image_shape(graph.tensors[tensor]);
    const bool whole = stored_whole(storage, image.height);
    const bool full = storage.pitch != 0 || storage.pixel_slots;  // or else the last slot may be longer than its row
    const std::int64_t row = full ? storage.row_bytes : byte_count(graph.tensors[tensor]) / image.height;
    const std::int64_t bytes = (storage.slots - 1) * storage.row_bytes + row;
    blocks.push_back({.kind = whole ? BlockKind::tensor : BlockKind::ring,
                      .tensor = storage.tensor,
                      .rows = whole ? 0 : storage.slots,
                      .offset = storage.offset,
                      .bytes = bytes,
                      .first = ranges[tensor].first,
                      .last = ranges[tensor].last});
  }
  for (std::size_t stage = 0; stage < plan.schedule.stages.size(); ++stage) {
    const auto time = static_cast<std::int64_t>(stage) + 1;
    for (const OpId id : plan.schedule.stages[stage].ops) {
      const auto add = [&](BlockKind kind, const Region& region) {
        if (region.bytes == 0) return;
        blocks.push_back(
            {.kind = kind, .op = id, .offset = region.offset, .bytes = region.bytes, .first = time, .last = time});
      };
      add(BlockKind::scratch, plan.ops[static_cast<std::size_t>(id)].scratch);  // what moves lies where others died
      add(BlockKind::kept, plan.ops[static_cast<std::size_t>(id)].kept);
    }
  }
  return blocks;
}

std::vector<Overlap> overlaps_of(const std::vector<Block>& blocks) {
  std::vector<std::size_t> by_birth(blocks.size());
  std::iota(by_birth.begin(), by_birth.end(), std::size_t{0});
  std::ranges::stable_sort(by_birth, {}, [&](std::size_t i) { return blocks[i].first; });
  std::vector<Overlap> overlaps;
  for (std::size_t i = 0; i < by_birth.size(); ++i) {
    const Block& older = blocks[by_birth[i]];
    for (std::size_t j = i + 1; j < by_birth.size(); ++j) {
      const Block& younger = blocks[by_birth[j]];
      if (younger.first > older.last) break;
      if (!share_bytes(older, younger)) continue;
      const std::int64_t offset = std::max(older.offset, younger.offset);
      overlaps.push_back({.older = by_birth[i],
                          .younger = by_birth[j],
                          .offset = offset,
                          .bytes = std::min(end_of(older), end_of(younger)) - offset,
                          .gap = older.offset - younger.offset,
                          .first = younger.first,
                          .last = std::min(older.last, younger.last)});
    }
  }
  std::ranges::stable_sort(overlaps, {}, &Overlap::first);
  return overlaps;
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

const OpRow* peak_row(const std::vector<OpRow>& rows) {
  const auto peak = std::ranges::find_if(rows, &OpRow::peak);
  return peak == rows.end() ? nullptr : &*peak;
}

}  // namespace ripc
