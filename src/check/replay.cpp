#include "check/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ripc::check {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// The i-th of `count` coordinates in the direction of the task.
std::int64_t in_order(const Task& task, std::int64_t i, std::int64_t count) { return task.reverse ? count - 1 - i : i; }

/// The columns of an input from the first that a pixel's window covers to the last, of those that exist.
struct WindowColumns {
  std::int64_t first = 0, last = -1;
};

WindowColumns window_columns(const Task& task, const View& view, std::int64_t column) {
  if (view.image.width == 1) return {0, 0};
  const std::int64_t first = column * task.columns.stride - task.columns.pad_before;
  const std::int64_t reach = (task.columns.kernel - 1) * task.columns.dilation;
  return {std::max<std::int64_t>(0, first), std::min(view.image.width - 1, first + reach)};
}

/// Whether the window's columns of that row do not lie side by side in the ring.
bool meets_end(const View& view, std::int64_t row, const WindowColumns& window) {
  return window.first <= window.last && view.slot(row, window.first) + window.last - window.first >= view.slots;
}

/// The input channels that output channels `begin` to `end` read, together.
ChannelTaps channels_of(const TaskInput& input, std::int64_t begin, std::int64_t end) {
  const ChannelTaps& first = input.taps.channels[index(begin)];
  const ChannelTaps& last = input.taps.channels[index(end - 1)];
  return {first.first, last.first + last.count - first.first};
}

}  // namespace

void Replay::write_tensor(const View& view) {
  if (view.external) return;
  for (std::int64_t row = 0; row < view.image.height; ++row) write_row(view, row);
}

void Replay::write_row(const View& view, std::int64_t row) {
  memory_of(view).write(view.address(row), view.tag(row), view.image.width * view.pixel_bytes());
}

void Replay::expect_tensor(const View& view) const {
  if (view.external) return;
  const std::int64_t bytes = view.image.width * view.pixel_bytes();
  for (std::int64_t row = 0; row < view.image.height; ++row) {
    if (memory_of(view).holds(view.address(row), view.tag(row), bytes)) continue;
    fail_at(
        memory_of(view), view.address(row), view.tag(row),
        {.op = -1,
         .tensor = view.root,
         .problem = view.state ? "a state is not whole at the end" : "an output of the network is not whole at the end",
         .expected = {},
         .found = {}});
  }
}

void Replay::write_progress(const Region& region) {
  memory_.write(region.offset, make_tag(Content::progress, 0, 0), region.bytes);
}

void Replay::expect_progress(const Region& region) const {
  const Tag first = make_tag(Content::progress, 0, 0);
  if (memory_.holds(region.offset, first, region.bytes)) return;
  fail_at(memory_, region.offset, first,
          {.op = -1,
           .tensor = kNoTensor,
           .problem = "how far the work has come is overwritten",
           .expected = {},
           .found = {}});
}

void Replay::make_rows(Task& task, std::int64_t rows) {
  if (task.nothing) {
    task.made += rows;
    report_.steps += rows;
    return;
  }
  if (task.made == 0 && task.contract->order == RIP_DISJOINT) {
    const ImageShape& image = task.output.image;
    for (std::int64_t row = 0; row < image.height; ++row) clobber(task, {row, 0, image.width});
  }
  const std::int64_t rows_per_call = task.whole_tensor ? rows : 1;
  for (std::int64_t i = 0; i < rows; i += rows_per_call) {
    begin_call(task);
    make_call(task, rows_per_call);
    end_call(task);
    task.made += rows_per_call;
  }
  report_.steps += rows;
}

void Replay::begin_call(const Task& task) {
  const Tag kept = make_tag(Content::kept, task.op, 0);
  if (task.made == 0) {
    memory_.write(task.kept.offset, kept, task.kept.bytes);
  } else {
    expect_region(task, task.kept, kept, "what the kernel keeps between its calls is gone");
  }
  expect_state(task);
  const Region& scratch = task.next_scratch();
  memory_.write(scratch.offset, make_tag(Content::scratch, task.op, 0), scratch.bytes);
}

void Replay::end_call(const Task& task) const {
  constexpr const char* kProblem = "the operator writes over its own side buffer";
  expect_region(task, task.next_scratch(), make_tag(Content::scratch, task.op, 0), kProblem);
  expect_region(task, task.kept, make_tag(Content::kept, task.op, 0), kProblem);
}

void Replay::expect_region(const Task& task, const Region& region, Tag first, const char* problem) const {
  if (memory_.holds(region.offset, first, region.bytes)) return;
  fail_at(memory_, region.offset, first,
          {.op = task.op, .tensor = kNoTensor, .problem = problem, .expected = {}, .found = {}});
}

void Replay::write_state(const Task& task) {
  state_.write(task.state_region.offset, make_tag(Content::state, task.state, 0), task.state_region.bytes);
}

void Replay::expect_state(const Task& task) const {
  if (task.state == kNoState) return;
  const Tag first = make_tag(Content::state, task.state, 0);
  if (state_.holds(task.state_region.offset, first, task.state_region.bytes)) return;
  fail_at(state_, task.state_region.offset, first,
          {.op = task.op, .tensor = kNoTensor, .problem = "the operator's state is gone", .expected = {}, .found = {}});
}

void Replay::fail_at(const Shadow& memory, std::int64_t address, Tag expected, PlanFault fault) const {
  while (memory.at(address) == expected) {
    ++address;
    ++expected;
  }
  fault.expected = fmt::format("{} at address {}", describe(graph_, expected), address);
  fault.found = describe(graph_, memory.at(address));
  fail(graph_, fault);
}

void Replay::make_call(const Task& task, std::int64_t rows) {
  if (task.contract->order == RIP_PLANE) return planes(task);
  for (std::int64_t i = 0; i < rows; ++i) {
    if (task.contract->order == RIP_ROW_SUM) {
      row_sum(task, in_order(task, task.made + i, task.rows()));
      continue;
    }
    const ImageShape& image = task.output.image;
    const std::int64_t step = task.made + i, begin = step % task.steps_of_row() * task.step_pixels();
    const Part part{in_order(task, step / task.steps_of_row(), image.height), begin,
                    std::min(image.width, begin + task.step_pixels())};
    switch (task.contract->order) {
      case RIP_DISJOINT:
      case RIP_ROW_DIRECT:
        row_direct(task, part);
        break;
      case RIP_PIXEL_DIRECT:
      case RIP_FORWARD_DIRECT:
        pixel_direct(task, part);
        break;
      case RIP_ELEMENTWISE:
        elementwise(task, part);
        break;
      case RIP_CHANNEL_LOCAL:
        channel_by_channel(task, part);
        break;
      case RIP_IN_TURN:
        in_turn(task, part);
        break;
      case RIP_ROW_PLANE:
        row_planes(task, part);
        break;
      case RIP_ROW_SUM:
      case RIP_PLANE:
        break;
    }
  }
}

void Replay::clobber(const Task& task, const Part& part) {
  const View& view = task.output;
  for (std::int64_t i = part.begin; i < part.end; ++i) {
    memory_.write(view.address(part.row, in_order(task, i, view.image.width)), make_tag(Content::clobbered, task.op, 0),
                  view.pixel_bytes());
  }
}

void Replay::row_direct(const Task& task, const Part& part) {
  const ImageShape& image = task.output.image;
  clobber(task, part);
  for (std::int64_t i = part.begin; i < part.end; ++i) {
    read(task, {part.row, in_order(task, i, image.width), 0, image.channels});
  }
  for (std::int64_t i = part.begin; i < part.end; ++i) {
    write(task, {part.row, in_order(task, i, image.width), 0, image.channels});
  }
}

/// A group's first channels are written before its last `held` ones are computed, so its taps must survive those
/// writes. Taps that do are sure to have been there before.
void Replay::pixel_direct(const Task& task, const Part& part) {
  const ImageShape& image = task.output.image;
  const bool gathered = task.contract->held == std::numeric_limits<std::int16_t>::max();
  const std::int64_t groups = gathered ? 1 : task.groups;
  const std::int64_t size = image.channels / groups;
  const std::int64_t early = gathered ? 0 : std::max<std::int64_t>(0, size - task.contract->held);
  for (std::int64_t i = part.begin; i < part.end; ++i) {
    const std::int64_t column = in_order(task, i, image.width);
    put_together(task, part.row, column);
    for (std::int64_t g = 0; g < groups; ++g) {
      const std::int64_t begin = in_order(task, g, groups) * size;
      const std::int64_t end = begin + size;
      const std::int64_t split = task.reverse ? end - early : begin + early;
      write(task, task.reverse ? Slice{part.row, column, split, end} : Slice{part.row, column, begin, split});
      read(task, {part.row, column, begin, end});
      write(task, task.reverse ? Slice{part.row, column, begin, split} : Slice{part.row, column, split, end});
    }
    put_back(task);
  }
}

void Replay::channel_by_channel(const Task& task, const Part& part) {
  const ImageShape& image = task.output.image;
  for (std::int64_t i = part.begin; i < part.end; ++i) {
    const std::int64_t column = in_order(task, i, image.width);
    put_together(task, part.row, column);
    for (std::int64_t k = 0; k < image.channels; ++k) {
      const std::int64_t c = in_order(task, k, image.channels);
      const Slice slice{part.row, column, c, c + 1};
      read(task, slice);
      write(task, slice);
    }
    put_back(task);
  }
}

/// A kernel that needs a pixel's whole vector looks at it first; then each scalar is read a last time just before it is
/// written.
void Replay::elementwise(const Task& task, const Part& part) {
  if (!task.vectors) return channel_by_channel(task, part);
  const ImageShape& image = task.output.image;
  for (std::int64_t i = part.begin; i < part.end; ++i) {
    const std::int64_t column = in_order(task, i, image.width);
    put_together(task, part.row, column);
    read(task, {part.row, column, 0, image.channels});
    for (std::int64_t k = 0; k < image.channels; ++k) {
      const std::int64_t c = in_order(task, k, image.channels);
      const Slice slice{part.row, column, c, c + 1};
      for (const TaskInput& input : task.inputs)
        read_taps(task, input, slice, input.taps.rows[index(part.row)], {c, 1});
      write(task, slice);
    }
    put_back(task);
  }
}

/// The inputs share out the channels of the output among them.
void Replay::in_turn(const Task& task, const Part& part) {
  const ImageShape& image = task.output.image;
  const auto inputs = static_cast<std::int64_t>(task.inputs.size());
  for (std::int64_t i = part.begin; i < part.end; ++i) {
    const std::int64_t column = in_order(task, i, image.width);
    put_together(task, part.row, column);
    std::int64_t written = 0;
    for (std::int64_t k = 0; k < inputs; ++k) {
      const TaskInput& input = task.inputs[index(in_order(task, k, inputs))];
      const std::int64_t channels = input.view.image.channels;
      const std::int64_t begin = task.reverse ? image.channels - written - channels : written;
      const Slice slice{part.row, column, begin, begin + channels};
      read_taps(task, input, slice, input.taps.rows[index(part.row)], channels_of(input, begin, begin + channels));
      write(task, slice);
      written += channels;
    }
    put_back(task);
  }
}

/// Channel after channel, each through a ring of input rows in scratch: before an output row is written, the input rows
/// up to the end of its window have been read into the ring. From the top, whatever the direction.
void Replay::planes(const Task& task) {
  const ImageShape& image = task.output.image;
  const TaskInput& input = task.inputs.front();
  const std::int64_t reach = (task.window.kernel - 1) * task.window.dilation + 1;
  for (std::int64_t c = 0; c < image.channels; ++c) {
    std::int64_t rows_read = 0;
    for (std::int64_t row = 0; row < image.height; ++row) {
      const std::int64_t end = row * task.window.stride - task.window.pad_before + reach;
      const AxisTaps fresh{rows_read, std::max<std::int64_t>(0, std::min(end, input.view.image.height) - rows_read), 1};
      for (std::int64_t x = 0; x < image.width; ++x) {
        read_taps(task, input, {row, x, c, c + 1}, fresh, channels_of(input, c, c + 1));
      }
      for (std::int64_t x = 0; x < image.width; ++x) write(task, {row, x, c, c + 1});
      rows_read += fresh.count;
    }
  }
}

/// Some channels of the row after others. Each tap is read as late as it may be: before the pixel is written that has
/// it, or the one of its column's number.
void Replay::row_planes(const Task& task, const Part& part) {
  const std::int64_t channels = task.output.image.channels, width = task.output.image.width;
  for (std::int64_t c = 0; c < channels; c += task.contract->held) {
    const std::int64_t end = std::min(c + task.contract->held, channels);
    for (std::int64_t i = part.begin; i < part.end; ++i) {
      const std::int64_t from = i == part.begin ? 0 : i;
      read_columns(task, {part.row, in_order(task, i, width), c, end}, from, std::numeric_limits<std::int64_t>::max());
      for (std::int64_t later = i + 1; later < part.end; ++later) {
        if (!read_columns(task, {part.row, in_order(task, later, width), c, end}, from, i + 1)) break;
      }
      write(task, {part.row, in_order(task, i, width), c, end});
    }
  }
}

bool Replay::read_columns(const Task& task, const Slice& slice, std::int64_t begin, std::int64_t end) {
  bool starts = false;
  for (const TaskInput& input : task.inputs) {
    const AxisTaps& columns = input.taps.columns[index(slice.column)];
    const std::int64_t width = input.view.image.width;
    starts = starts || columns.count == 0;
    for (std::int64_t k = 0; k < columns.count; ++k) {
      const std::int64_t column = columns.first + k * columns.step, number = in_order(task, column, width);
      starts = starts || number < end;
      if (number < begin || number >= end) continue;
      read_taps(task, input, slice, input.taps.rows[index(slice.row)], {column, 1, 1},
                channels_of(input, slice.begin, slice.end));
    }
  }
  return starts;
}

/// One row of the input; after the last one the output.
void Replay::row_sum(const Task& task, std::int64_t row) {
  const Slice pixel{0, 0, 0, task.output.image.channels};
  const TaskInput& input = task.inputs.front();
  read_taps(task, input, pixel, {row, 1, 1}, channels_of(input, pixel.begin, pixel.end));
  if (task.made + 1 == task.rows()) write(task, pixel);
}

void Replay::read(const Task& task, const Slice& slice) {
  for (const TaskInput& input : task.inputs) {
    read_taps(task, input, slice, input.taps.rows[index(slice.row)], channels_of(input, slice.begin, slice.end));
  }
}

void Replay::read_taps(const Task& task, const TaskInput& input, const Slice& slice, const AxisTaps& rows,
                       const ChannelTaps& channels) {
  read_taps(task, input, slice, rows, input.taps.columns[index(slice.column)], channels);
}

void Replay::read_taps(const Task& task, const TaskInput& input, const Slice& slice, const AxisTaps& rows,
                       const AxisTaps& columns, const ChannelTaps& channels) {
  const View& view = input.view;
  const std::int64_t stride = columns.step * view.pitch;
  std::int64_t bytes = channels.count * view.scalar;
  std::int64_t runs = columns.count;
  if (rows.count == 0 || runs == 0 || bytes == 0) return;
  report_.bytes_read += rows.count * runs * bytes;
  if (view.external) return;
  if (view.pixel_slots) return read_ring(task, input, slice, rows, channels);
  if (bytes == stride) {  // neighbouring pixels with all of their channels
    bytes *= runs;
    runs = 1;
  }
  const std::int64_t start = columns.first * view.pitch + channels.first * view.scalar;
  for (std::int64_t j = 0; j < rows.count; ++j) {
    const std::int64_t row = rows.first + j * rows.step;
    for (std::int64_t k = 0; k < runs; ++k) {
      const std::int64_t address = view.address(row) + start + k * stride;
      const Tag expected = view.tag(row) + static_cast<Tag>(start + k * stride);
      expect_bytes(task, view, slice, address, expected, bytes);
    }
  }
}

void Replay::expect_bytes(const Task& task, const View& view, const Slice& slice, std::int64_t address, Tag expected,
                          std::int64_t bytes) const {
  if (memory_of(view).holds(address, expected, bytes)) return;
  fail_at(memory_of(view), address, expected,
          {.op = task.op,
           .tensor = view.root,
           .problem = fmt::format("output row {}, column {}, channel {} reads a byte that is not there", slice.row,
                                  slice.column, slice.begin),
           .expected = {},
           .found = {}});
}

void Replay::put_together(const Task& task, std::int64_t row, std::int64_t column) {
  for (const TaskInput& input : task.inputs) {
    const View& view = input.view;
    if (!view.pixel_slots) continue;
    const WindowColumns window = window_columns(task, view, column);
    const std::int64_t pixels = window.last - window.first + 1;
    const AxisTaps& rows = input.taps.rows[index(row)];
    for (std::int64_t j = 0; j < rows.count; ++j) {
      const std::int64_t y = rows.first + j * rows.step;
      if (!meets_end(view, y, window)) continue;
      // With the pixels before it if it is the window's last row, else with those after it.
      const std::int64_t slot = view.slot(y, window.first),
                         first_other = j + 1 == rows.count ? slot - pixels : slot + pixels - view.slots;
      if (exchange_ || view.slots < 2 * pixels) {
        fail(graph_, {.op = task.op,
                      .tensor = view.root,
                      .problem = "a window meets the end of a ring and finds no pixels to change places with",
                      .expected = fmt::format("one row that does, a ring of at least {} pixels", 2 * pixels),
                      .found = fmt::format("row {}, {} pixels", y, view.slots)});
      }
      exchange_ = {&view, y, window.first, window.last, view.region.offset + first_other * view.pitch};
      swap(*exchange_);
    }
  }
  // The kernel writes there while the pixels have changed places.
  if (exchange_) end_call(task);
}

void Replay::put_back(const Task& task) {
  if (!exchange_) return;
  end_call(task);
  swap(*exchange_);
  exchange_.reset();
}

void Replay::swap(const Exchange& exchange) {
  const View& view = *exchange.view;
  for (std::int64_t x = exchange.first; x <= exchange.last; ++x) {
    const std::int64_t own = view.address(exchange.row, x), place = exchange.place + (x - exchange.first) * view.pitch;
    for (std::int64_t byte = 0; byte < view.pitch; ++byte) {
      const Tag tag = memory_.at(own + byte);
      memory_.write(own + byte, memory_.at(place + byte), 1);
      memory_.write(place + byte, tag, 1);
    }
  }
}

void Replay::read_ring(const Task& task, const TaskInput& input, const Slice& slice, const AxisTaps& rows,
                       const ChannelTaps& channels) {
  const View& view = input.view;
  const AxisTaps& columns = input.taps.columns[index(slice.column)];
  const WindowColumns window = window_columns(task, view, slice.column);
  const std::int64_t channel = channels.first * view.scalar;
  for (std::int64_t j = 0; j < rows.count; ++j) {
    const std::int64_t row = rows.first + j * rows.step;
    const bool together = exchange_ && exchange_->view == &view && exchange_->row == row;
    for (std::int64_t k = 0; k < columns.count; ++k) {
      const std::int64_t x = columns.first + k * columns.step;
      const std::int64_t address = together ? exchange_->place + (x - window.first) * view.pitch : view.address(row, x);
      expect_bytes(task, view, slice, address + channel, view.tag(row, x) + static_cast<Tag>(channel),
                   channels.count * view.scalar);
    }
  }
}

void Replay::write(const Task& task, const Slice& slice) {
  const View& view = task.output;
  const std::int64_t channel = slice.begin * view.scalar;
  const std::int64_t bytes = (slice.end - slice.begin) * view.scalar;
  memory_of(view).write(view.address(slice.row, slice.column) + channel,
                        view.tag(slice.row, slice.column) + static_cast<Tag>(channel), bytes);
  report_.bytes_written += bytes;
}

}  // namespace ripc::check
