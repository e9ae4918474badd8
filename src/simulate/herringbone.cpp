#include "simulate/herringbone.h"

#include <algorithm>
#include <vector>

#include "simulate/tap_table.h"
#include "simulate/traversal.h"

namespace ripc {

namespace {

constexpr std::int64_t kBeforeStart = -1;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

std::vector<PixelIndex> herringbone(std::int64_t height, std::int64_t width) {
  std::vector<PixelIndex> pixels;
  for (std::int64_t leg = 0; leg < std::min(height, width); ++leg) {
    const bool row_first = width >= height;
    for (std::int64_t c = leg; row_first && c < width; ++c) pixels.push_back({leg, c});
    for (std::int64_t r = leg + (row_first ? 1 : 0); r < height; ++r) pixels.push_back({r, leg});
    for (std::int64_t c = leg + 1; !row_first && c < width; ++c) pixels.push_back({leg, c});
  }
  return pixels;
}

// What a run does: its pixels in order, and for each pixel of the padded input the step after which it comes back.
struct Script {
  TapTable table;
  std::vector<PixelIndex> outputs;
  std::vector<std::int64_t> released;  // step; kBeforeStart; or outputs.size() for never

  std::int64_t& released_at(std::int64_t y, std::int64_t x) { return released[index(y * table.in_width + x)]; }
};

void release_by_frontier(const Layer& layer, Script& script) {
  const std::int64_t height = script.table.in_height;
  const std::int64_t width = script.table.in_width;
  // A herringbone makes every output row from the left, so the outputs still to make start at one column in each row.
  std::vector<std::int64_t> next(index(script.table.out_height()), 0);
  std::vector<std::int64_t> returned(index(height), 0);
  for (std::size_t step = 0; step < script.outputs.size(); ++step) {
    ++next[index(script.outputs[step].row)];
    std::int64_t needed_from = width;
    std::int64_t row = 0;
    for (std::int64_t y = 0; y < height; ++y) {
      for (; row < script.table.out_height() && row * layer.rows.stride <= y; ++row) {
        if (next[index(row)] == script.table.out_width()) continue;
        needed_from = std::min(needed_from, next[index(row)] * layer.columns.stride);
      }
      for (std::int64_t& x = returned[index(y)]; x < needed_from; ++x) {
        script.released_at(y, x) = static_cast<std::int64_t>(step);
      }
    }
  }
}

void release_after_last_reader(Script& script) {
  for (std::size_t step = 0; step < script.outputs.size(); ++step) {
    for (const std::int64_t y : script.table.rows[index(script.outputs[step].row)]) {
      for (const std::int64_t x : script.table.columns[index(script.outputs[step].column)]) {
        script.released_at(y, x) = static_cast<std::int64_t>(step);
      }
    }
  }
}

Script script_of(const Layer& layer, Liveness liveness) {
  Script script;
  script.table = tap_table(layer, Layout::padded);
  script.outputs = herringbone(script.table.out_height(), script.table.out_width());
  const std::int64_t unread =
      liveness == Liveness::unread_held ? static_cast<std::int64_t>(script.outputs.size()) : kBeforeStart;
  script.released.assign(index(script.table.in_height * script.table.in_width), unread);
  if (liveness == Liveness::frontier) {
    release_by_frontier(layer, script);
  } else {
    release_after_last_reader(script);
  }
  return script;
}

// Input pixels that come back after each step; first those that come back before the run. Pixels never released are
// left out.
std::vector<std::vector<std::int64_t>> releases(const Script& script) {
  std::vector<std::vector<std::int64_t>> after(script.outputs.size() + 2);
  for (std::size_t pixel = 0; pixel < script.released.size(); ++pixel) {
    after[index(script.released[pixel] + 1)].push_back(static_cast<std::int64_t>(pixel));
  }
  after.pop_back();
  return after;
}

}  // namespace

std::int64_t simulated_herringbone_gap(const Layer& layer, Liveness liveness) {
  const Script script = script_of(layer, liveness);
  const auto after = releases(script);
  std::int64_t gap = 0;
  std::int64_t returned = static_cast<std::int64_t>(after.front().size()) * layer.in_channels;
  std::int64_t taken = 0;
  for (std::size_t step = 0; step < script.outputs.size(); ++step) {
    taken += layer.out_channels;
    gap = std::max(gap, taken - returned);
    returned += static_cast<std::int64_t>(after[step + 1].size()) * layer.in_channels;
  }
  return gap;
}

bool herringbone_run_is_exact(const Layer& layer, Liveness liveness, std::int64_t gap) {
  const Script script = script_of(layer, liveness);
  const auto after = releases(script);
  // Slot s first holds input scalar s; a slot that is taken for an output holds no input any more.
  constexpr std::int64_t kOutput = -1;
  const std::int64_t inputs = script.table.in_height * script.table.in_width * layer.in_channels;
  std::vector<std::int64_t> pool(index(inputs + gap), kOutput);
  for (std::int64_t scalar = 0; scalar < inputs; ++scalar) pool[index(scalar)] = scalar;
  std::vector<std::int64_t> free;
  for (std::int64_t slot = inputs; slot < inputs + gap; ++slot) free.push_back(slot);
  const auto give_back = [&](const std::vector<std::int64_t>& pixels) {
    for (const std::int64_t pixel : pixels) {
      for (std::int64_t c = 0; c < layer.in_channels; ++c) free.push_back(pixel * layer.in_channels + c);
    }
  };

  give_back(after.front());
  for (std::size_t step = 0; step < script.outputs.size(); ++step) {
    for (std::int64_t c = 0; c < layer.out_channels; ++c) {
      if (free.empty()) return false;
      pool[index(free.back())] = kOutput;
      free.pop_back();
    }
    for (const std::int64_t y : script.table.rows[index(script.outputs[step].row)]) {
      for (const std::int64_t x : script.table.columns[index(script.outputs[step].column)]) {
        const std::int64_t first = (y * script.table.in_width + x) * layer.in_channels;
        for (std::int64_t scalar = first; scalar < first + layer.in_channels; ++scalar) {
          if (pool[index(scalar)] != scalar) return false;
        }
      }
    }
    give_back(after[step + 1]);
  }
  return true;
}

}  // namespace ripc
