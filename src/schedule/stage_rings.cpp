#include "schedule/stage_rings.h"

#include <algorithm>
#include <optional>

#include "schedule/block_rings.h"
#include "schedule/ring_tenants.h"

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

std::int64_t modulo(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

/// Whether row k of the output is made of row k of the input and no other.
bool row_by_row(const FlowRead& read, std::int64_t in_rows, std::int64_t out_rows) {
  if (in_rows != out_rows) return false;
  for (std::int64_t k = 0; k < out_rows; ++k) {
    const RowTaps& taps = (*read.taps)[index(k)];
    if (taps.first != k || taps.last != k) return false;
  }
  return true;
}

class Storing {
 public:
  Storing(const StageFlow& flow, const StageTimes& times, const std::vector<RowSharing>& sharing, bool into_outputs)
      : flow_(flow), times_(times), sharing_(sharing), into_outputs_(into_outputs), tenant_(flow.ops.size(), 0) {
    rings_.places.resize(flow.ops.size());
  }

  StageRings run() {
    if (flow_.streamed != kNoTensor) {
      rings_.source = {.home = RowHome::ring, .ring = new_ring(times_.source, flow_.source_row_bytes, 1)};
    }
    for (std::size_t op = 0; op < flow_.ops.size(); ++op) {
      if (flow_.ops[op].stored) {
        place(op) = {.home = RowHome::whole, .ring = -1, .tensor = flow_.ops[op].output};
        if (into_outputs_ && sharing_[op].elementwise) move_into_output(op);
      } else {
        store(op);
      }
    }
    share_dead_slots();
    drop_empty_rings();
    return std::move(rings_);
  }

 private:
  struct Choice {
    RowPlace place;
    std::optional<SharedRing> draft;  ///< of the ring that the row shares
    std::size_t tenant = 0;
    std::int64_t cost = 0, scratch = 0;
  };

  RowPlace& place(std::size_t op) { return rings_.places[op]; }

  int new_ring(const RowTimes& times, std::int64_t row_bytes, std::int64_t scalar_bytes) {
    drafts_.push_back({.ring = {.slots = ring_height(times), .slot_bytes = row_bytes},
                       .scalar_bytes = scalar_bytes,
                       .tenants = {{.times = times}}});
    return static_cast<int>(drafts_.size()) - 1;
  }

  void store(std::size_t op) {
    const FlowOp& made = flow_.ops[op];
    const std::int64_t own_bytes = ring_height(times_.ops[op]) * made.row_bytes;
    std::optional<Choice> best;
    const auto offer = [&](std::optional<Choice> choice) {
      if (choice && choice->cost < (best ? best->cost : own_bytes)) best = std::move(choice);
    };
    for (const FlowRead& read : made.reads) {
      if (read.producer < 0 || place(index(read.producer)).ring < 0) continue;
      if (sharing_[op].elementwise) offer(same_slot(op, read, RowHome::elements, 0));
      if (sharing_[op].own_row_scratch >= 0) {
        offer(same_slot(op, read, RowHome::own_row, sharing_[op].own_row_scratch));
      }
      if (sharing_[op].oldest_row_scratch >= 0) offer(oldest_row(op, read));
    }
    if (!best) {
      place(op) = {.home = RowHome::ring, .ring = new_ring(times_.ops[op], made.row_bytes, made.scalar_bytes)};
      return;
    }
    place(op) = best->place;
    tenant_[op] = best->tenant;
    drafts_[index(best->place.ring)] = std::move(*best->draft);
    rings_.scratch = std::max(rings_.scratch, best->scratch);
  }

  std::int64_t scratch_cost(std::int64_t bytes) const { return std::max<std::int64_t>(0, bytes - rings_.scratch); }

  std::optional<Choice> same_slot(std::size_t op, const FlowRead& read, RowHome home, std::int64_t scratch) {
    const FlowOp& made = flow_.ops[op];
    const auto producer = index(read.producer);
    if (!row_by_row(read, flow_.ops[producer].rows, made.rows)) return std::nullopt;
    Choice choice{.place = place(producer), .draft = drafts_[index(place(producer).ring)], .tenant = tenant_[producer]};
    choice.place.home = home;
    SharedRing& draft = *choice.draft;
    const std::int64_t in_bytes = flow_.ops[producer].row_bytes;
    if (home == RowHome::elements ? made.row_bytes != in_bytes : made.row_bytes > in_bytes) return std::nullopt;
    RowTimes& times = draft.tenants[choice.tenant].times;
    if (times.last != times_.ops[op].written) return std::nullopt;
    times.last = times_.ops[op].last;
    const std::int64_t slots = draft.ring.slots;
    // A thief's slots follow the ring below it, which keeps its height.
    if (choice.tenant == 0) draft.ring.slots = std::max(slots, ring_height(times));
    if (!draft.fits()) return std::nullopt;
    choice.scratch = scratch;
    choice.cost = (draft.ring.slots - slots) * draft.ring.slot_bytes + scratch_cost(scratch);
    return choice;
  }

  std::optional<Choice> oldest_row(std::size_t op, const FlowRead& read) {
    const FlowOp& made = flow_.ops[op];
    const auto producer = index(read.producer);
    Choice choice{.place = place(producer), .draft = drafts_[index(place(producer).ring)], .tenant = 0};
    SharedRing& draft = *choice.draft;
    if (tenant_[producer] != 0 || made.row_bytes > flow_.ops[producer].row_bytes) return std::nullopt;
    if (ring_height(times_.ops[op]) != 1) return std::nullopt;
    if (made.rows != 1 && made.rows < draft.ring.slots) return std::nullopt;  // a plan has no more slots than rows
    choice.place.home = RowHome::oldest_row;
    choice.place.first_slot = made.window_first;
    choice.place.slot_step = made.window_stride;
    choice.tenant = draft.tenants.size();
    draft.tenants.push_back(
        {.times = times_.ops[op], .first = made.window_first, .step = made.window_stride, .thief = true});
    if (!draft.fits()) return std::nullopt;
    choice.scratch = sharing_[op].oldest_row_scratch;
    choice.cost = scratch_cost(choice.scratch);
    return choice;
  }

  /// What the operator reads last of a ring of its own rows is made in its output.
  void move_into_output(std::size_t op) {
    const FlowOp& made = flow_.ops[op];
    for (const FlowRead& read : made.reads) {
      if (read.producer < 0) continue;
      const auto producer = index(read.producer);
      const int ring = place(producer).ring;
      if (ring < 0) continue;
      SharedRing& draft = drafts_[index(ring)];
      if (draft.tenants.size() != 1 || draft.ring.slot_bytes != made.row_bytes) continue;
      if (flow_.ops[producer].row_bytes != made.row_bytes) continue;
      if (!row_by_row(read, flow_.ops[producer].rows, made.rows)) continue;
      if (draft.tenants[0].times.last != times_.ops[op].written) continue;
      for (RowPlace& other : rings_.places) {
        if (other.ring == ring) other = {.home = other.home, .ring = -1, .tensor = made.output};
      }
      draft.ring.slots = 0;
      return;
    }
  }

  void share_dead_slots() {
    std::vector<bool> movable(drafts_.size(), true);
    if (flow_.streamed != kNoTensor) movable[index(rings_.source.ring)] = false;  // its rows may arrive at any time
    for (const TakenIn& taken : take_in_guests(drafts_, movable)) {
      for (RowPlace& place : rings_.places) {
        if (place.ring != static_cast<int>(taken.guest)) continue;
        place.ring = static_cast<int>(taken.host);
        place.first_slot = taken.first;
        place.slot_step = taken.step;
      }
    }
  }

  void drop_empty_rings() {
    std::vector<int> renumbered(drafts_.size(), -1);
    for (std::size_t i = 0; i < drafts_.size(); ++i) {
      if (drafts_[i].ring.slots == 0) continue;
      renumbered[i] = static_cast<int>(rings_.rings.size());
      rings_.rings.push_back(drafts_[i].ring);
    }
    const auto renumber = [&](RowPlace& place) {
      if (place.ring < 0) return;
      place.ring = renumbered[index(place.ring)];
      place.first_slot = modulo(place.first_slot, rings_.rings[index(place.ring)].slots);
    };
    for (RowPlace& place : rings_.places) renumber(place);
    renumber(rings_.source);
  }

  const StageFlow& flow_;
  const StageTimes& times_;
  const std::vector<RowSharing>& sharing_;
  bool into_outputs_;
  std::vector<std::size_t> tenant_;  // by op: which of its ring's tenants it is
  std::vector<SharedRing> drafts_;
  StageRings rings_;
};

}  // namespace

StageTimes stage_times(const StageFlow& flow, const std::vector<RowStep>& steps) {
  StageTimes times;
  for (const FlowOp& op : flow.ops) {
    times.ops.push_back(
        {.written = std::vector<std::int64_t>(index(op.rows * op.blocks.count), 0), .last = {}, .reads = {}});
  }
  times.source.written.resize(index(flow.source_rows));
  const auto of = [&](int op) -> RowTimes& { return op == kSourceRows ? times.source : times.ops[index(op)]; };
  for (std::size_t time = 0; time < steps.size(); ++time) {
    const RowStep& step = steps[time];
    std::vector<std::int64_t>& written = of(step.op).written;
    // What sums up writes its only row in its last step.
    written[std::min(index(step.row), written.size() - 1)] = static_cast<std::int64_t>(time);
  }
  for (RowTimes& op : times.ops) op.last = op.written;
  times.source.last = times.source.written;
  for (std::size_t time = 0; time < steps.size(); ++time) {
    if (steps[time].op == kSourceRows) continue;
    for (const FlowRead& read : flow.ops[index(steps[time].op)].reads) {
      const std::int64_t step = steps[time].row;
      if (read.producer == kOutside || read.empty(step)) continue;
      RowTimes& producer = of(read.producer);
      const RowTaps &rows = read.rows(step), &columns = read.column(step);
      const std::int64_t from = columns.first / read.blocks.pixels, to = columns.last / read.blocks.pixels;
      for (std::int64_t row = rows.first; row <= rows.last; row += rows.step) {
        for (std::int64_t block = from; block <= to; ++block) {
          producer.last[index(row * read.blocks.count + block)] = static_cast<std::int64_t>(time);
        }
      }
      if (flow.blocks > 1) producer.reads.push_back({static_cast<std::int64_t>(time), read.first_pixel(step)});
    }
  }
  return times;
}

std::int64_t ring_height(const RowTimes& times) {
  std::int64_t height = 1, dead = 0;  // rows from the first on that are read no more
  for (std::size_t row = 0; row < times.written.size(); ++row) {
    while (dead < static_cast<std::int64_t>(row) && times.last[index(dead)] < times.written[row]) ++dead;
    height = std::max(height, static_cast<std::int64_t>(row) - dead + 1);
  }
  return height;
}

std::int64_t waiting_bytes(const StageFlow& flow, const StageTimes& times) {
  constexpr std::int64_t kSteps = 8;
  if (flow.blocks > 1) return 0;
  std::int64_t most = 0, steps = 0;
  for (const FlowOp& op : flow.ops) steps += op.steps;
  for (std::int64_t i = 1; i < kSteps; ++i) {
    const std::int64_t time = i * steps / kSteps;
    std::int64_t bytes = 0;
    for (std::size_t op = 0; op < flow.ops.size(); ++op) {
      if (flow.ops[op].stored) continue;
      const RowTimes& rows = times.ops[op];
      const auto made = std::ranges::lower_bound(rows.written, time) - rows.written.begin();
      bytes += flow.ops[op].row_bytes * std::count_if(rows.last.begin(), rows.last.begin() + made,
                                                      [&](std::int64_t last) { return last >= time; });
    }
    most = std::max(most, bytes);
  }
  return most;
}

StageRings stage_rings(const StageFlow& flow, const StageTimes& times, const std::vector<RowSharing>& sharing,
                       bool into_outputs) {
  return flow.blocks > 1 ? block_rings(flow, times, sharing, into_outputs)
                         : Storing(flow, times, sharing, into_outputs).run();
}

}  // namespace ripc
