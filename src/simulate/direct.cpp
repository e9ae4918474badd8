#include <algorithm>

#include "simulate/simulate.h"
#include "simulate/traversal.h"

namespace ripc {

namespace {

constexpr std::int64_t kNever = -1;

// For each stored row (or column) the last output row (or column) that reads it, or kNever. An output pixel reads the
// whole product of its rows and columns, so that the last output to read a pixel is the last row of its row, at the
// last column.
std::vector<std::int64_t> last_readers(const std::vector<std::vector<std::int64_t>>& taps, std::int64_t extent,
                                       bool reverse) {
  std::vector<std::int64_t> last(static_cast<std::size_t>(extent), kNever);
  const auto count = static_cast<std::int64_t>(taps.size());
  for (std::int64_t step = 0; step < count; ++step) {
    const std::int64_t output = reverse ? count - 1 - step : step;
    for (const std::int64_t input : taps[static_cast<std::size_t>(output)]) {
      last[static_cast<std::size_t>(input)] = output;
    }
  }
  return last;
}

// Bytes from the edge of a pixel where writing starts to the furthest byte written at the last read of each group; 0 if
// that read comes before every write.
std::vector<std::int64_t> reach_within_pixel(const TapTable& table, Direction direction, TapOrder order) {
  std::vector<std::int64_t> reach(static_cast<std::size_t>(table.groups), 0);
  std::int64_t furthest = 0;
  for (const PixelStep step : pixel_steps(table, direction, order)) {
    if (step.kind == PixelStep::Kind::read_group) {
      reach[static_cast<std::size_t>(step.index)] = furthest;
      continue;
    }
    const std::int64_t start = step.index * table.out_scalar;
    furthest = std::max(furthest, runs_in_reverse(direction) ? table.out_pitch - start : start + table.out_scalar);
  }
  return reach;
}

// Distances from the edge of a tensor where a traversal starts.
struct Edge {
  const TapTable& table;
  Direction direction;
  bool reverse;

  // To the near edge of an output pixel's pitch.
  std::int64_t to_output(PixelIndex pixel) const {
    const std::int64_t start = out_address(table, direction, pixel);
    return reverse ? table.out_bytes() - start - table.out_pitch : start;
  }

  // To the near edge of the scalars of a group of an input pixel.
  std::int64_t to_input(PixelIndex pixel, std::int64_t group) const {
    const std::int64_t bytes = table.in_channels / table.groups * table.in_scalar;
    const std::int64_t start = in_address(table, direction, pixel) + group * bytes;
    return reverse ? table.in_bytes() - start - bytes : start;
  }

  // From the near edge of a finished output pixel's pitch to its furthest scalar.
  std::int64_t finished() const { return reverse ? table.out_pitch : table.out_channels * table.out_scalar; }
};

}  // namespace

std::optional<std::int64_t> direct_raw_gap(const TapTable& table, Direction direction, TapOrder order) {
  const Edge edge{table, direction, runs_in_reverse(direction)};
  const auto last_row = last_readers(table.rows, table.in_height, edge.reverse);
  const auto last_column = last_readers(table.columns, table.in_width, edge.reverse);
  const bool columns = direction == Direction::column_forward || direction == Direction::column_reverse;
  const auto reach = order.row_direct ? std::vector<std::int64_t>(static_cast<std::size_t>(table.groups), 0)
                                      : reach_within_pixel(table, direction, order);
  const PixelIndex last_of_all =
      edge.reverse ? PixelIndex{0, 0} : PixelIndex{table.out_height() - 1, table.out_width() - 1};

  std::optional<std::int64_t> most;
  for (std::int64_t row = 0; row < table.in_height; ++row) {
    for (std::int64_t column = 0; column < table.in_width; ++column) {
      PixelIndex reader{last_row[static_cast<std::size_t>(row)], last_column[static_cast<std::size_t>(column)]};
      if (reader.row == kNever || reader.column == kNever) continue;
      if (order.row_direct) {
        // The last pixel of the reader's line is written.
        (columns ? reader.row : reader.column) = columns ? last_of_all.row : last_of_all.column;
      }
      const std::int64_t near = edge.to_output(reader);
      for (std::int64_t group = 0; group < table.groups; ++group) {
        const std::int64_t own = reach[static_cast<std::size_t>(group)];
        std::int64_t written = near + own;
        if (order.row_direct) {
          written = near + edge.finished();
        } else if (own == 0) {
          if (near == 0) continue;  // the very first pixel: nothing is written yet
          written = near - table.out_pitch + edge.finished();
        }
        const std::int64_t debt = written - edge.to_input({row, column}, group);
        if (!most || debt > *most) most = debt;
      }
    }
  }
  return most;
}

}  // namespace ripc
