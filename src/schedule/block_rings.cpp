#include "schedule/block_rings.h"

#include <algorithm>
#include <limits>

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Whether each block of `op` is made of the same pixels of what it reads.
bool block_by_block(const FlowOp& op, const FlowRead& read) {
  for (std::int64_t step = 0; step < op.steps; ++step) {
    const RowTaps &rows = read.rows(step), &columns = read.column(step);
    if (rows.first != rows.last || columns.empty() || read.first_pixel(step) != op.first_pixel(step)) return false;
    if (read.last_block(step) != step) return false;
  }
  return true;
}

class PixelRings {
 public:
  PixelRings(const StageFlow& flow, const StageTimes& times, const std::vector<RowSharing>& sharing, bool into_outputs)
      : flow_(flow), times_(times), sharing_(sharing), into_outputs_(into_outputs), widest_(flow.ops.size(), 1) {
    rings_.places.resize(flow.ops.size());
    for (const FlowOp& made : flow.ops) {
      if (made.reach == 0 || made.reads.front().producer < 0) continue;
      std::int64_t& columns = widest_[index(made.reads.front().producer)];
      columns = std::max(columns, std::min(made.reach + 1, made.reads.front().blocks.width));
    }
  }

  StageRings run() {
    if (flow_.streamed != kNoTensor) {
      rings_.source = {.home = RowHome::ring, .ring = 0};
      drafts_.push_back({.ring = {.slots = ring_height(times_.source), .slot_bytes = flow_.source_row_bytes}});
    }
    for (std::size_t op = 0; op < flow_.ops.size(); ++op) {
      if (!flow_.ops[op].stored) {
        store(op);
      } else {
        rings_.places[op] = {.home = RowHome::whole, .ring = -1, .tensor = flow_.ops[op].output};
        if (into_outputs_ && sharing_[op].elementwise) move_into_output(op);
      }
    }
    drop_empty_rings();
    return std::move(rings_);
  }

 private:
  struct Draft {
    Ring ring;
    std::vector<std::size_t> ops{};  ///< whose rows lie there
  };

  /// Least pixels such that none is written over one that a step reads then or later.
  std::int64_t pixels_of(const std::vector<std::size_t>& ops) const {
    std::vector<PixelRead> reads;
    for (const std::size_t op : ops)
      reads.insert(reads.end(), times_.ops[op].reads.begin(), times_.ops[op].reads.end());
    std::ranges::stable_sort(reads, {}, &PixelRead::time);
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (auto read = reads.rbegin(); read != reads.rend(); ++read) read->first = first = std::min(first, read->first);
    std::int64_t pixels = 1;
    for (const std::size_t op : ops) {
      const FlowOp& made = flow_.ops[op];
      auto next = reads.begin();
      for (std::int64_t step = 0; step < made.steps; ++step) {
        while (next != reads.end() && next->time < times_.ops[op].written[index(step)]) ++next;
        const std::int64_t own = made.first_pixel(step);
        const std::int64_t alive = next == reads.end() ? own : std::min(own, next->first);
        pixels = std::max(pixels, made.end_pixel(step) - alive);
      }
    }
    return room_to_exchange(ops, pixels);
  }

  /// The row of a window that meets the end of the ring changes places with as many pixels that the window does not
  /// read. Where its rows are too close together for that, none of them meets the end.
  std::int64_t room_to_exchange(const std::vector<std::size_t>& ops, std::int64_t pixels) const {
    const FlowOp& made = flow_.ops[ops.front()];
    std::int64_t columns = 1;
    for (const std::size_t op : ops) columns = std::max(columns, widest_[op]);
    if (columns == 1) return pixels;
    const std::int64_t width = made.blocks.width, all = made.rows * width;
    if (width >= 2 * columns) return std::min(all, std::max(pixels, 2 * columns));
    return std::min(all, (pixels + width - 1) / width * width);
  }

  /// The ring of what `op` reads last, block by block, of its own shape; -1: there is none.
  int ring_to_share(std::size_t op) const {
    const FlowOp& made = flow_.ops[op];
    for (const FlowRead& read : made.reads) {
      if (read.producer < 0) continue;
      const FlowOp& producer = flow_.ops[index(read.producer)];
      const int ring = rings_.places[index(read.producer)].ring;
      if (ring < 0 || producer.row_bytes != made.row_bytes || producer.rows != made.rows) continue;
      if (producer.blocks != made.blocks || !block_by_block(made, read)) continue;
      if (times_.ops[index(read.producer)].last == times_.ops[op].written) return ring;
    }
    return -1;
  }

  void store(std::size_t op) {
    const FlowOp& made = flow_.ops[op];
    const auto ring_of = [&](std::vector<std::size_t> ops) {
      const std::int64_t pixels = pixels_of(ops);
      return Draft{.ring = {.slots = pixels, .slot_bytes = made.pixel_bytes(), .pixels = true}, .ops = std::move(ops)};
    };
    Draft own = ring_of({op});
    RowPlace& place = rings_.places[op];
    place = {.home = RowHome::ring, .ring = sharing_[op].elementwise ? ring_to_share(op) : -1};
    place.slot_step = made.blocks.width;
    if (place.ring >= 0) {
      Draft& draft = drafts_[index(place.ring)];
      std::vector<std::size_t> ops = draft.ops;
      ops.push_back(op);
      Draft shared = ring_of(std::move(ops));
      if (shared.ring.slots < draft.ring.slots + own.ring.slots) {
        place.home = RowHome::elements;
        draft = std::move(shared);
        return;
      }
    }
    place.ring = static_cast<int>(drafts_.size());
    drafts_.push_back(std::move(own));
  }

  /// What the operator reads last of a ring of its own shape is made in its output.
  void move_into_output(std::size_t op) {
    const int ring = ring_to_share(op);
    if (ring < 0) return;
    Draft& draft = drafts_[index(ring)];
    if (draft.ops.size() != 1) return;
    rings_.places[draft.ops.front()] = {.home = RowHome::ring, .ring = -1, .tensor = flow_.ops[op].output};
    draft.ring.slots = 0;
  }

  void drop_empty_rings() {
    std::vector<int> renumbered(drafts_.size(), -1);
    for (std::size_t i = 0; i < drafts_.size(); ++i) {
      if (drafts_[i].ring.slots == 0) continue;
      renumbered[i] = static_cast<int>(rings_.rings.size());
      rings_.rings.push_back(drafts_[i].ring);
    }
    for (RowPlace& place : rings_.places) place.ring = place.ring < 0 ? -1 : renumbered[index(place.ring)];
  }

  const StageFlow& flow_;
  const StageTimes& times_;
  const std::vector<RowSharing>& sharing_;
  bool into_outputs_;
  std::vector<std::int64_t> widest_;  // by op, columns from the first to the last that a pixel of a reader reads
  std::vector<Draft> drafts_;
  StageRings rings_;
};

}  // namespace

StageRings block_rings(const StageFlow& flow, const StageTimes& times, const std::vector<RowSharing>& sharing,
                       bool into_outputs) {
  return PixelRings(flow, times, sharing, into_outputs).run();
}

}  // namespace ripc
