#include "plan/spare_scratch.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "graph/row_taps.h"
#include "lower/dsp.h"
#include "lower/lower.h"
#include "lower/options.h"
#include "rip/contracts.h"
#include "schedule/stage_flow.h"
#include "schedule/stage_rings.h"
#include "schedule/stage_steps.h"

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

constexpr std::int64_t kAlways = std::numeric_limits<std::int64_t>::max();

/// Bytes of the arena that hold something, in the steps `from` to `to` of a stage.
struct Held {
  std::int64_t from = 0, to = 0;
  std::int64_t begin = 0, end = 0;
};

/// Bytes from `begin` to `end`.
struct Stretch {
  std::int64_t begin = 0, end = 0;
};

/// The smallest gap between `held` that has `wanted` bytes, or else the largest; none if there is no byte.
Region gap_for(std::vector<Stretch> held, std::int64_t arena_bytes, std::int64_t wanted) {
  std::ranges::sort(held, {}, &Stretch::begin);
  held.push_back({arena_bytes, arena_bytes});
  Region best;
  std::int64_t end = 0;
  for (const Stretch& stretch : held) {
    const Region gap{.offset = end, .bytes = stretch.begin - end};
    const bool better = best.bytes < wanted ? gap.bytes > best.bytes : gap.bytes >= wanted && gap.bytes < best.bytes;
    if (better) best = gap;
    end = std::max(end, stretch.end);
  }
  best.bytes = std::min(best.bytes, wanted);
  return best.bytes == 0 ? Region{} : best;
}

const rip_contract* contract_of(const Plan& plan, OpId op) {
  return rip_find_contract(plan.ops[index(op)].kernel.c_str());
}

/// An operator whose kernel could do with more scratch.
struct Wish {
  std::size_t op = 0;  ///< index into Stage::ops
  std::int64_t bytes = 0;
};

std::vector<Wish> wishes_of(const Graph& graph, const Plan& plan, const Stage& stage) {
  std::vector<Wish> wishes;
  for (std::size_t i = 0; i < stage.ops.size(); ++i) {
    const PlannedOp& planned = plan.ops[index(stage.ops[i])];
    const std::int64_t bytes = wanted_scratch(graph, planned);
    if (bytes > planned.scratch.bytes) wishes.push_back({i, bytes});
  }
  return wishes;
}

std::vector<RowStep> steps_of(const Stage& stage) {
  std::vector<RowStep> steps;
  std::vector<std::int64_t> made(stage.ops.size() + 1, 0);
  for (const StepLoop& loop : stage.steps) {
    for (std::int64_t pass = 0; pass < loop.times; ++pass) {
      for (const StepRun& run : loop.runs) {
        std::int64_t& row = run.op == kSourceRows ? made.back() : made[index(run.op)];
        for (std::int64_t i = 0; i < run.rows; ++i) steps.push_back({run.op, row++});
      }
    }
  }
  return steps;
}

/// Whether the stage takes one step a row. An operator by itself may make all of its pixels in one; of blocks there are
/// too many for a table of places.
bool goes_by_rows(const Graph& graph, const Plan& plan, const Stage& stage) {
  if (stage.ops.size() != 1) return stage.blocks == 1;
  const OpId id = stage.ops.front();
  const Op& op = graph.ops[index(id)];
  return works_by_rows(graph, op) && !is_pixelwise(graph, op) && contract_of(plan, id)->whole_tensor == 0;
}

/// What a stage holds in the arena: row by row of what it reads and makes, where it takes a step a row.
class StageHoldings {
 public:
  StageHoldings(const Graph& graph, const Plan& plan, std::size_t stage, const std::vector<LiveRange>& ranges)
      : graph_(graph), plan_(plan), stage_(plan.schedule.stages[stage]), time_(static_cast<std::int64_t>(stage) + 1) {
    for (const OpId id : stage_.ops) hold(plan.ops[index(id)].kept);
    if (goes_by_rows(graph, plan, stage_)) step(plan);
    for (const Storage& storage : plan.storages) {
      if (!storage.external && !storage.state) add(storage, ranges[index(storage.tensor)]);
    }
  }

  /// None if it takes one step in all.
  const std::vector<RowStep>& steps() const { return steps_; }
  const std::vector<Held>& held() const { return held_; }

 private:
  void hold(const Region& region) {
    if (region.bytes > 0) held_.push_back({0, kAlways, region.offset, region.offset + region.bytes});
  }

  void step(const Plan& plan) {
    std::vector<bool> sums(graph_.ops.size(), false);
    for (const OpId id : stage_.ops) {
      sums[index(id)] = contract_of(plan, id)->order == RIP_ROW_SUM;
    }
    steps_ = steps_of(stage_);
    const bool streams = std::ranges::any_of(steps_, [](const RowStep& made) { return made.op == kSourceRows; });
    tables_.emplace(graph_, sums);
    flow_ = tables_->flow(stage_.ops, std::vector<bool>(graph_.tensors.size(), false), stage_.reverse,
                          streams ? storage_of(graph_, graph_.inputs.front()) : kNoTensor);
    times_ = stage_times(flow_, steps_);
  }

  std::int64_t height_of(TensorId tensor) const { return image_shape(graph_.tensors[index(tensor)]).height; }

  /// The rows of a tensor that comes from outside, as the stage reads them last; -1: never. Empty if it is not read by
  /// rows of its own.
  std::vector<std::int64_t> last_reads(TensorId tensor) const {
    std::vector<std::int64_t> last(index(height_of(tensor)), -1);
    for (std::size_t time = 0; time < steps_.size(); ++time) {
      if (steps_[time].op == kSourceRows) continue;
      const FlowOp& op = flow_.ops[index(steps_[time].op)];
      for (const FlowRead& read : op.reads) {
        if (read.tensor != tensor || read.empty(steps_[time].row)) continue;
        const RowTaps& rows = read.rows(steps_[time].row);
        if (rows.last >= std::ssize(last)) return {};
        for (std::int64_t row = rows.first; row <= rows.last; row += rows.step) {
          last[index(row)] = static_cast<std::int64_t>(time);
        }
      }
    }
    return last;
  }

  /// A tensor's rows, counted in the order of the stage, from `written` to `last`.
  void add_rows(const Storage& storage, const std::vector<std::int64_t>& written,
                const std::vector<std::int64_t>& last) {
    const std::int64_t rows = std::ssize(written);
    for (std::int64_t i = 0; i < rows; ++i) {
      if (last[index(i)] < written[index(i)]) continue;
      const std::int64_t row = stage_.reverse ? rows - 1 - i : i;
      const std::int64_t slot = (storage.first_slot + row * storage.slot_step) % storage.slots;
      const std::int64_t begin = storage.offset + slot * storage.row_bytes;
      held_.push_back({written[index(i)], last[index(i)], begin, begin + storage.row_bytes});
    }
  }

  void add(const Storage& storage, const LiveRange& range) {
    const bool part = std::ranges::any_of(plan_.storages, [&](const Storage& other) {
      return other.within == storage.tensor || (&other == &storage && other.within != kNoTensor);
    });
    const Region whole{storage.offset, storage.slots * storage.row_bytes};
    if (part) return hold(whole);  // others write and read the same bytes
    if (range.first > time_ || range.last < time_) return;
    if (steps_.empty()) return hold(whole);
    const std::int64_t height = height_of(storage.tensor);
    const RowTimes* made = nullptr;
    if (storage.tensor == flow_.streamed) made = &times_.source;
    for (std::size_t i = 0; i < flow_.ops.size(); ++i) {
      if (flow_.ops[i].output == storage.tensor) made = &times_.ops[i];
    }
    if (made != nullptr) {
      if (std::ssize(made->written) != height) return hold(whole);
      const std::vector<std::int64_t> on(made->written.size(), kAlways);
      return add_rows(storage, made->written, range.last > time_ ? on : made->last);
    }
    if (range.last > time_) return hold(whole);
    const std::vector<std::int64_t> last = last_reads(storage.tensor);
    if (last.empty()) return hold(whole);
    add_rows(storage, std::vector<std::int64_t>(last.size(), 0), last);
  }

  const Graph& graph_;
  const Plan& plan_;
  const Stage& stage_;
  std::int64_t time_;
  std::vector<RowStep> steps_;
  std::optional<FlowTables> tables_;
  StageFlow flow_;
  StageTimes times_;
  std::vector<Held> held_;
};

/// By operator of the stage and step, what is held then. Only of operators with a wish.
using HeldAtSteps = std::vector<std::vector<std::vector<Stretch>>>;

HeldAtSteps held_at_steps(const StageHoldings& holdings, const std::vector<Wish>& wishes, std::size_t ops) {
  HeldAtSteps at(ops);
  if (holdings.steps().empty()) {
    std::vector<Stretch> all;
    for (const Held& held : holdings.held()) all.push_back({held.begin, held.end});
    for (const Wish& wish : wishes) at[wish.op].push_back(all);
    return at;
  }
  std::vector<Held> by_birth = holdings.held();
  std::ranges::sort(by_birth, {}, &Held::from);
  std::vector<bool> wanted(ops, false);
  for (const Wish& wish : wishes) wanted[wish.op] = true;
  std::vector<Held> alive;
  std::size_t next = 0;
  for (std::size_t time = 0; time < holdings.steps().size(); ++time) {
    const auto now = static_cast<std::int64_t>(time);
    for (; next < by_birth.size() && by_birth[next].from <= now; ++next) alive.push_back(by_birth[next]);
    std::erase_if(alive, [&](const Held& held) { return held.to < now; });
    const int op = holdings.steps()[time].op;
    if (op == kSourceRows || !wanted[index(op)]) continue;
    std::vector<Stretch>& held = at[index(op)].emplace_back();
    for (const Held& stretch : alive) held.push_back({stretch.begin, stretch.end});
  }
  return at;
}

/// Gives an operator at most `wanted` bytes at each step, of which `held` says what there is to avoid.
void place_scratch(std::vector<std::vector<Stretch>> held, std::int64_t wanted, std::int64_t arena_bytes,
                   PlannedOp& planned) {
  std::vector<Stretch> in_any;
  for (const auto& step : held) in_any.insert(in_any.end(), step.begin(), step.end());
  const Region for_all = gap_for(std::move(in_any), arena_bytes, wanted);
  std::vector<Region> places;
  std::int64_t most = 0;
  for (auto& step : held) {
    places.push_back(gap_for(std::move(step), arena_bytes, wanted));
    most = std::max(most, places.back().bytes);
  }
  if (for_all.bytes == most) {
    if (most > planned.scratch.bytes) planned.scratch = for_all;
  } else if (most > planned.scratch.bytes) {
    planned.scratch = {};
    planned.scratch_steps = std::move(places);
  }
}

}  // namespace

void spread_scratch(const Graph& graph, const MemoryOptions& memory, Plan& plan) {
  const std::vector<LiveRange> ranges = live_ranges(graph, plan.schedule, memory);
  for (std::size_t s = 0; s < plan.schedule.stages.size(); ++s) {
    const Stage& stage = plan.schedule.stages[s];
    const std::vector<Wish> wishes = wishes_of(graph, plan, stage);
    if (wishes.empty()) continue;
    const StageHoldings holdings(graph, plan, s, ranges);
    HeldAtSteps at = held_at_steps(holdings, wishes, stage.ops.size());
    for (const Wish& wish : wishes) {
      place_scratch(std::move(at[wish.op]), wish.bytes, plan.arena_bytes, plan.ops[index(stage.ops[wish.op])]);
    }
  }
}

std::int64_t wanted_scratch(const Graph& graph, const PlannedOp& planned) {
  const rip_contract* contract = rip_find_contract(planned.kernel.c_str());
  if (contract == nullptr) return 0;
  const Op& op = graph.ops[index(planned.op)];
  if (planned.kernel.starts_with("rip_conv2d_dsp")) return dsp_wanted_scratch(layer_of(graph, op), planned.kernel);
  return contract->any_scratch == 0 ? 0 : contract_bytes(contract->scratch, layer_of(graph, op));
}

bool lacks_scratch(const Graph& graph, const PlannedOp& planned) {
  const std::int64_t wanted = wanted_scratch(graph, planned);
  if (planned.scratch_steps.empty()) return planned.scratch.bytes < wanted;
  return std::ranges::min(planned.scratch_steps, {}, &Region::bytes).bytes < wanted;
}

}  // namespace ripc
