#include "simulate/traversal.h"

#include <algorithm>

namespace ripc {

namespace {

using Kind = PixelStep::Kind;

bool is_column_major(Direction direction) {
  return direction == Direction::column_forward || direction == Direction::column_reverse;
}

// Channels in the order in which a run writes them, which starts at 0 forward; a reverse run mirrors the indices.
std::vector<PixelStep> forward_steps(const TapTable& table, TapOrder order) {
  std::vector<PixelStep> steps;
  if (order == kGathered) {
    for (std::int64_t group = 0; group < table.groups; ++group) steps.push_back({Kind::read_group, group});
    for (std::int64_t channel = 0; channel < table.out_channels; ++channel) {
      steps.push_back({Kind::write_channel, channel});
    }
    return steps;
  }
  const std::int64_t per_group = table.out_channels / table.groups;
  for (std::int64_t group = 0; group < table.groups; ++group) {
    std::int64_t channel = group * per_group;
    const std::int64_t end = channel + per_group;
    if (order.held_channels == 0) {
      // A scalar is its own accumulator: it is written, then its taps are read.
      for (; channel < end; ++channel) {
        steps.push_back({Kind::write_channel, channel});
        steps.push_back({Kind::read_group, group});
      }
      continue;
    }
    while (channel < end) {
      const std::int64_t odd = (end - channel) % order.held_channels;
      const std::int64_t block = odd != 0 ? odd : order.held_channels;
      steps.push_back({Kind::read_group, group});
      for (const std::int64_t block_end = channel + block; channel < block_end; ++channel) {
        steps.push_back({Kind::write_channel, channel});
      }
    }
  }
  return steps;
}

}  // namespace

bool runs_in_reverse(Direction direction) {
  return direction == Direction::row_reverse || direction == Direction::column_reverse;
}

std::vector<std::vector<PixelIndex>> output_lines(const TapTable& table, Direction direction) {
  const bool columns = is_column_major(direction);
  const std::int64_t count = columns ? table.out_width() : table.out_height();
  const std::int64_t length = columns ? table.out_height() : table.out_width();
  std::vector<std::vector<PixelIndex>> lines(static_cast<std::size_t>(count));
  for (std::int64_t line = 0; line < count; ++line) {
    for (std::int64_t i = 0; i < length; ++i) {
      lines[static_cast<std::size_t>(line)].push_back(columns ? PixelIndex{i, line} : PixelIndex{line, i});
    }
  }
  if (runs_in_reverse(direction)) {
    std::reverse(lines.begin(), lines.end());
    for (std::vector<PixelIndex>& line : lines) std::reverse(line.begin(), line.end());
  }
  return lines;
}

std::int64_t in_address(const TapTable& table, Direction direction, PixelIndex pixel) {
  const std::int64_t index = is_column_major(direction) ? pixel.column * table.in_height + pixel.row
                                                        : pixel.row * table.in_width + pixel.column;
  return index * table.in_pitch;
}

std::int64_t out_address(const TapTable& table, Direction direction, PixelIndex pixel) {
  const std::int64_t index = is_column_major(direction) ? pixel.column * table.out_height() + pixel.row
                                                        : pixel.row * table.out_width() + pixel.column;
  return index * table.out_pitch;
}

std::vector<PixelStep> pixel_steps(const TapTable& table, Direction direction, TapOrder order) {
  std::vector<PixelStep> steps = forward_steps(table, order);
  if (runs_in_reverse(direction)) {
    for (PixelStep& step : steps) {
      step.index = (step.kind == Kind::read_group ? table.groups : table.out_channels) - 1 - step.index;
    }
  }
  return steps;
}

}  // namespace ripc
