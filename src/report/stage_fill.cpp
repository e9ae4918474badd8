#include "report/stage_fill.h"

#include <algorithm>
#include <map>
#include <variant>

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Of an input of `height` rows, how many the operator does not read again once it has made `made` of its `rows`, all
/// counted in the order in which the stage makes them.
std::int64_t released(const Graph& graph, const Op& op, std::int64_t height, std::int64_t made, std::int64_t rows,
                      bool reverse) {
  if (made == rows) return height;
  const bool windowed = std::holds_alternative<Conv2d>(op.kind) || std::holds_alternative<DepthwiseConv2d>(op.kind) ||
                        std::holds_alternative<Pool2d>(op.kind);
  if (!windowed) return height == rows ? made : 0;
  const Window window = layer_of(graph, op).rows;
  const std::int64_t y = reverse ? rows - 1 - made : made;
  const std::int64_t first = y * window.stride - window.pad_before;
  const std::int64_t below = reverse ? height - first - effective_kernel(window) : first;
  return std::clamp<std::int64_t>(below, 0, height);
}

/// A stage as it is stepped.
struct Walk {
  const Graph& graph;
  const Stage& stage;
  std::map<TensorId, std::size_t> producers;  ///< index into Stage::ops, by storage
  std::vector<std::int64_t> steps, made;      ///< as Stage::ops: in all, and so far
  std::int64_t arrived = 0;

  const Op& op(std::size_t i) const { return graph.ops[index(stage.ops[i])]; }
  /// Steps that make a row.
  std::int64_t divided(std::size_t i) const {
    return blocks_of_row(image_shape(graph.tensors[index(op(i).output)]).width, stage.blocks);
  }
  /// Rows that are made, and rows that are begun.
  std::int64_t done(std::size_t i) const { return made[i] / divided(i); }
  std::int64_t begun(std::size_t i) const { return (made[i] + divided(i) - 1) / divided(i); }
  /// Whether the operator takes its input row by row and makes one row of them all.
  bool sums(std::size_t i) const { return steps[i] != row_count(graph, op(i)) * divided(i); }
};

/// By Stage::ops.
std::vector<std::int64_t> step_counts(const Stage& stage) {
  std::vector<std::int64_t> steps(stage.ops.size(), 0);
  for (const StepLoop& loop : stage.steps) {
    for (const StepRun& run : loop.runs) {
      if (run.op != kSourceRows) steps[index(run.op)] += loop.times * run.rows;
    }
  }
  return steps;
}

/// The rows of a stored tensor that exist and are read again: from `from` to `to`, in the order of the stage.
struct Rows {
  std::int64_t from = 0, to = 0;
};

Rows rows_of(const Walk& walk, const Storage& storage, bool lives_on, bool streamed) {
  const std::int64_t height = image_shape(walk.graph.tensors[index(storage.tensor)]).height;
  Rows rows{0, streamed ? walk.arrived : height};
  if (const auto producer = walk.producers.find(storage.tensor); producer != walk.producers.end()) {
    const std::size_t op = producer->second;
    rows.to = walk.sums(op) ? walk.made[op] / walk.steps[op] : std::min(height, walk.begun(op));
  }
  if (lives_on) return rows;
  rows.from = rows.to;
  for (std::size_t i = 0; i < walk.stage.ops.size(); ++i) {
    const Op& op = walk.op(i);
    const bool reads =
        std::ranges::any_of(op.inputs, [&](TensorId input) { return storage_of(walk.graph, input) == storage.tensor; });
    if (!reads) continue;
    const std::int64_t all = row_count(walk.graph, op), made = std::min(walk.done(i), walk.steps[i]);
    const std::int64_t free = walk.sums(i) ? made : released(walk.graph, op, height, made, all, walk.stage.reverse);
    rows.from = std::min(rows.from, free);
  }
  return rows;
}

FillLevel level_of(const Storage& storage, const Rows& rows, std::int64_t height, bool reverse, double part) {
  if (!stored_whole(storage, height)) {
    const std::int64_t row_slots = storage.pixel_slots ? storage.slot_step : 1;
    const std::int64_t slots = std::min(storage.slots, (rows.to - rows.from) * row_slots);
    std::int64_t first = 0;
    if (slots == 1 && storage.slots > 1) {
      const std::int64_t row = reverse ? height - rows.to : rows.from;
      first = (storage.first_slot + row * storage.slot_step) % storage.slots;
    }
    const std::int64_t low = storage.offset + first * storage.row_bytes;
    return {part, low, low + slots * storage.row_bytes};
  }
  const auto address = [&](std::int64_t row) { return storage.offset + row * storage.row_bytes; };
  return reverse ? FillLevel{part, address(height - rows.to), address(height - rows.from)}
                 : FillLevel{part, address(rows.from), address(rows.to)};
}

std::int64_t all_rows(const Stage& stage) {
  std::int64_t rows = 0;
  for (const StepLoop& loop : stage.steps) {
    for (const StepRun& run : loop.runs) rows += loop.times * run.rows;
  }
  return rows;
}

/// Adds to `fill` what the tensor holds from now on.
void add_level(StageFill& fill, const FillLevel& level) {
  if (!fill.levels.empty() && fill.levels.back().low == level.low && fill.levels.back().high == level.high) return;
  if (!fill.levels.empty() && fill.levels.back().part == level.part) fill.levels.pop_back();
  fill.levels.push_back(level);
}

std::vector<StageFill> fills_of(const Graph& graph, const Plan& plan, const Stage& stage, std::int64_t time,
                                const std::vector<Block>& blocks) {
  Walk walk{.graph = graph,
            .stage = stage,
            .producers = {},
            .steps = step_counts(stage),
            .made = std::vector<std::int64_t>(stage.ops.size(), 0)};
  for (std::size_t i = 0; i < stage.ops.size(); ++i) walk.producers[storage_of(graph, walk.op(i).output)] = i;
  std::vector<StageFill> fills;
  std::vector<const Storage*> storages;
  const auto touches = [&](TensorId tensor) {
    if (walk.producers.contains(tensor)) return true;
    return std::ranges::any_of(stage.ops, [&](OpId id) {
      return std::ranges::any_of(graph.ops[index(id)].inputs,
                                 [&](TensorId input) { return storage_of(graph, input) == tensor; });
    });
  };
  for (const Storage& storage : plan.storages) {
    const auto block = std::ranges::find(blocks, storage.tensor, &Block::tensor);
    if (block == blocks.end() || storage.within != kNoTensor || !touches(storage.tensor)) continue;
    fills.push_back({.block = index(block - blocks.begin()), .time = time, .levels = {}});
    storages.push_back(&storage);
  }
  const auto all = static_cast<double>(std::max<std::int64_t>(1, all_rows(stage)));
  std::int64_t done = 0;
  const auto note = [&] {
    for (std::size_t i = 0; i < fills.size(); ++i) {
      const Storage& storage = *storages[i];
      const bool streamed = plan.streamed_input && storage_of(graph, graph.inputs[0]) == storage.tensor;
      const Rows rows = rows_of(walk, storage, blocks[fills[i].block].last > time, streamed);
      const std::int64_t height = image_shape(graph.tensors[index(storage.tensor)]).height;
      add_level(fills[i], level_of(storage, rows, height, stage.reverse, static_cast<double>(done) / all));
    }
  };
  note();
  for (const StepLoop& loop : stage.steps) {
    for (std::int64_t pass = 0; pass < loop.times; ++pass) {
      for (const StepRun& run : loop.runs) {
        (run.op == kSourceRows ? walk.arrived : walk.made[index(run.op)]) += run.rows;
        done += run.rows;
        note();
      }
    }
  }
  return fills;
}

}  // namespace

std::vector<StageFill> stage_fills(const Graph& graph, const Plan& plan, const std::vector<Block>& blocks) {
  std::vector<StageFill> fills;
  for (std::size_t stage = 0; stage < plan.schedule.stages.size(); ++stage) {
    if (plan.schedule.stages[stage].ops.size() < 2) continue;
    const auto time = static_cast<std::int64_t>(stage) + 1;
    std::ranges::move(fills_of(graph, plan, plan.schedule.stages[stage], time, blocks), std::back_inserter(fills));
  }
  return fills;
}

}  // namespace ripc
