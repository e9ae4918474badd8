#include <algorithm>

#include "simulate/simulate.h"
#include "simulate/traversal.h"

namespace ripc {

namespace {

constexpr std::int64_t kNotInput = -1;

// Where the tensors start if the input is to start `above` bytes above the output, and the bytes of a memory that holds
// both.
struct Starts {
  std::int64_t in, out, bytes;
};

Starts starts_of(const TapTable& table, std::int64_t above) {
  const std::int64_t in = std::max<std::int64_t>(0, above);
  const std::int64_t out = in - above;
  return {in, out, std::max(in + table.in_bytes(), out + table.out_bytes())};
}

// Memory in which every byte remembers which input byte it holds.
class Run {
 public:
  Run(const TapTable& table, Direction direction, Starts starts)
      : table_(table),
        direction_(direction),
        starts_(starts),
        memory_(static_cast<std::size_t>(starts.bytes), kNotInput) {
    for (std::int64_t byte = 0; byte < table.in_bytes(); ++byte) at(starts.in + byte) = byte;
  }

  // False if the channel does not fit the memory.
  [[nodiscard]] bool write(PixelIndex pixel, std::int64_t channel) {
    const std::int64_t start = starts_.out + out_address(table_, direction_, pixel) + channel * table_.out_scalar;
    if (start < 0 || start + table_.out_scalar > static_cast<std::int64_t>(memory_.size())) return false;
    for (std::int64_t byte = start; byte < start + table_.out_scalar; ++byte) at(byte) = kNotInput;
    return true;
  }

  // False if a tap is not what it was.
  [[nodiscard]] bool read(PixelIndex pixel, std::int64_t group) {
    const std::int64_t bytes = table_.in_channels / table_.groups * table_.in_scalar;
    for (const std::int64_t row : table_.rows[static_cast<std::size_t>(pixel.row)]) {
      for (const std::int64_t column : table_.columns[static_cast<std::size_t>(pixel.column)]) {
        const std::int64_t start = in_address(table_, direction_, {row, column}) + group * bytes;
        for (std::int64_t byte = start; byte < start + bytes; ++byte) {
          if (at(starts_.in + byte) != byte) return false;
        }
      }
    }
    return true;
  }

 private:
  std::int64_t& at(std::int64_t address) { return memory_[static_cast<std::size_t>(address)]; }

  const TapTable& table_;
  Direction direction_;
  Starts starts_;
  std::vector<std::int64_t> memory_;
};

bool exact_pixel(Run& run, PixelIndex pixel, const std::vector<PixelStep>& steps) {
  return std::all_of(steps.begin(), steps.end(), [&](PixelStep step) {
    return step.kind == PixelStep::Kind::read_group ? run.read(pixel, step.index) : run.write(pixel, step.index);
  });
}

// The worst that a row-direct order may do: the whole line is written before any of its taps is read.
bool exact_line(Run& run, const std::vector<PixelIndex>& line, const TapTable& table) {
  for (const PixelIndex pixel : line) {
    for (std::int64_t channel = 0; channel < table.out_channels; ++channel) {
      if (!run.write(pixel, channel)) return false;
    }
  }
  for (const PixelIndex pixel : line) {
    for (std::int64_t group = 0; group < table.groups; ++group) {
      if (!run.read(pixel, group)) return false;
    }
  }
  return true;
}

bool is_exact(const TapTable& table, Direction direction, TapOrder order, Starts starts) {
  Run run(table, direction, starts);
  const auto steps = order.row_direct ? std::vector<PixelStep>{} : pixel_steps(table, direction, order);
  for (const std::vector<PixelIndex>& line : output_lines(table, direction)) {
    if (order.row_direct) {
      if (!exact_line(run, line, table)) return false;
      continue;
    }
    for (const PixelIndex pixel : line) {
      if (!exact_pixel(run, pixel, steps)) return false;
    }
  }
  return true;
}

bool fits_workspace(const TapTable& table, Direction direction, TapOrder order, std::int64_t gap) {
  const std::int64_t bytes = table.in_bytes() + gap;
  return is_exact(table, direction, order,
                  runs_in_reverse(direction) ? Starts{0, bytes - table.out_bytes(), bytes} : Starts{gap, 0, bytes});
}

// The least gap from 0 to `enough` that is exact, if a gap that is exact stays so when it grows.
template <typename Exact>
std::int64_t least(std::int64_t enough, Exact exact) {
  std::int64_t low = 0;
  std::int64_t high = enough;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (exact(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

bool literal_run_is_exact(const TapTable& table, Direction direction, TapOrder order, std::int64_t gap) {
  const std::int64_t above = runs_in_reverse(direction) ? table.out_bytes() - table.in_bytes() - gap : gap;
  return is_exact(table, direction, order, starts_of(table, above));
}

std::int64_t literal_gap(const TapTable& table, Direction direction, TapOrder order) {
  return least(table.out_bytes(), [&](std::int64_t gap) { return fits_workspace(table, direction, order, gap); });
}

std::optional<std::int64_t> literal_raw_gap(const TapTable& table, Direction direction, TapOrder order) {
  const auto exact = [&](std::int64_t gap) { return literal_run_is_exact(table, direction, order, gap); };
  // Taps may hide between output pixels that do not lie side by side, and below 0 the whole input may come to lie past
  // the output: then a smaller gap may be right again, and only a walk down finds the largest one that is not.
  const bool side_by_side = table.out_pitch == table.out_channels * table.out_scalar;
  const std::int64_t enough = side_by_side ? least(table.out_bytes(), exact) : table.out_bytes();
  for (std::int64_t gap = enough - 1; gap > -table.in_bytes(); --gap) {
    if (!exact(gap)) return gap + 1;
  }
  return std::nullopt;
}

bool literal_plane_run_is_exact(const TapTable& table, std::int64_t distance) {
  Run run(table, Direction::row_forward, starts_of(table, distance));
  const auto lines = output_lines(table, Direction::row_forward);
  const auto every_pixel = [&](auto step) {
    return std::all_of(lines.begin(), lines.end(),
                       [&](const auto& line) { return std::all_of(line.begin(), line.end(), step); });
  };
  for (std::int64_t channel = 0; channel < table.out_channels; ++channel) {
    if (!every_pixel([&](PixelIndex pixel) { return run.read(pixel, channel); })) return false;
    if (!every_pixel([&](PixelIndex pixel) { return run.write(pixel, channel); })) return false;
  }
  return true;
}

}  // namespace ripc
