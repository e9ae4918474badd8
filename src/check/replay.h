// Replays the reads and writes of one operator's rows in the order that its kernel's contract promises.
#pragma once

#include <cstdint>
#include <optional>

#include "check/check.h"
#include "check/fault.h"
#include "check/shadow.h"
#include "check/task.h"
#include "graph/graph.h"

namespace ripc::check {

class Replay {
 public:
  Replay(const Graph& graph, std::int64_t arena_bytes, std::int64_t state_bytes)
      : graph_(graph), memory_(arena_bytes), state_(state_bytes) {}

  /// The caller writes an input of the network.
  void write_tensor(const View& view);

  /// The caller writes one row of it.
  void write_row(const View& view, std::int64_t row);

  /// How far the work has come is noted there; and it still is.
  void write_progress(const Region& region);
  void expect_progress(const Region& region) const;

  /// What the operator of `task` itself keeps from run to run is there.
  void write_state(const Task& task);

  /// Throws ripc::Error if it is there no more.
  void expect_state(const Task& task) const;

  /// Makes the next `rows` rows of `task`. Throws ripc::Error at the first read of a byte that is not there.
  void make_rows(Task& task, std::int64_t rows);

  /// The caller reads an output of the network. Throws ripc::Error if a byte of it is not there.
  void expect_tensor(const View& view) const;

  const CheckReport& report() const { return report_; }

 private:
  /// Output channels `begin` to `end` of one pixel.
  struct Slice {
    std::int64_t row, column, begin, end;
  };

  /// What a step makes of an output row: pixels `begin` to `end`, counted in the direction of the task.
  struct Part {
    std::int64_t row, begin, end;
  };

  /// Any byte of the part may have been written.
  void clobber(const Task& task, const Part& part);
  void begin_call(const Task& task);
  void end_call(const Task& task) const;
  void expect_region(const Task& task, const Region& region, Tag first, const char* problem) const;
  void make_call(const Task& task, std::int64_t rows);

  // One function a tap order.
  void row_direct(const Task& task, const Part& part);
  void pixel_direct(const Task& task, const Part& part);
  void elementwise(const Task& task, const Part& part);
  void channel_by_channel(const Task& task, const Part& part);
  void in_turn(const Task& task, const Part& part);
  void planes(const Task& task);
  void row_planes(const Task& task, const Part& part);
  void row_sum(const Task& task, std::int64_t row);

  /// A row of a window that meets the end of a ring of pixels, and where its pixels lie side by side meanwhile.
  struct Exchange {
    const View* view;
    std::int64_t row, first, last, place;
  };

  /// Before a pixel is made, and after: what of its window does not lie side by side changes places with pixels of the
  /// same ring.
  void put_together(const Task& task, std::int64_t row, std::int64_t column);
  void put_back(const Task& task);
  void swap(const Exchange& exchange);
  /// Looks at every real tap of the slice.
  void read(const Task& task, const Slice& slice);
  /// Looks at those input rows and channels, in the columns that the slice's pixel taps, or in those given.
  void read_taps(const Task& task, const TaskInput& input, const Slice& slice, const AxisTaps& rows,
                 const ChannelTaps& channels);
  void read_taps(const Task& task, const TaskInput& input, const Slice& slice, const AxisTaps& rows,
                 const AxisTaps& columns, const ChannelTaps& channels);
  /// Looks at the taps of the slice in columns number `begin` to `end` in the order of work. Returns whether its window
  /// begins before `end`, or is all padding.
  bool read_columns(const Task& task, const Slice& slice, std::int64_t begin, std::int64_t end);
  /// The same as read_taps, of an input in a ring of pixels.
  void read_ring(const Task& task, const TaskInput& input, const Slice& slice, const AxisTaps& rows,
                 const ChannelTaps& channels);
  void expect_bytes(const Task& task, const View& view, const Slice& slice, std::int64_t address, Tag expected,
                    std::int64_t bytes) const;
  void write(const Task& task, const Slice& slice);

  /// Throws the fault of a run of bytes that should hold `expected` and its successors, filled in with the first that
  /// does not.
  [[noreturn]] void fail_at(const Shadow& memory, std::int64_t address, Tag expected, PlanFault fault) const;

  Shadow& memory_of(const View& view) { return view.state ? state_ : memory_; }
  const Shadow& memory_of(const View& view) const { return view.state ? state_ : memory_; }

  const Graph& graph_;
  Shadow memory_;
  Shadow state_;                      ///< what survives from run to run
  std::optional<Exchange> exchange_;  ///< while a pixel is made
  CheckReport report_;
};

}  // namespace ripc::check
