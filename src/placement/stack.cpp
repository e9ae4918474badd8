#include "placement/stack.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace ripc {
namespace {

constexpr int kStarts = 6;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

class Stacking {
 public:
  explicit Stacking(const Problem& problem)
      : problem_(problem), size_(problem.buffers.size()), above_(size_ * size_), offsets_(size_) {
    for (std::size_t low = 0; low < size_; ++low) {
      std::fill_n(above_.begin() + static_cast<std::ptrdiff_t>(low * size_), size_, problem.buffers[low].bytes);
    }
    for (const Choice& choice : problem.choices) {
      for (const Separation& separation : choice.alternatives.front().separations) {
        std::int64_t& bytes = above_[index(separation.low) * size_ + index(separation.high)];
        bytes = std::min(bytes, separation.bytes);
      }
    }
  }

  Placement search(std::int64_t moves) {
    std::vector<std::size_t> order(size_), best;
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random(1);
    const auto below = [&](std::size_t count) { return random() % count; };
    std::int64_t least = kNever;
    for (int start = 0; start < kStarts; ++start) {
      std::int64_t peak = peak_of(order, kNever);
      for (std::int64_t move = 0; size_ > 1 && move < moves / kStarts; ++move) {
        const std::size_t from = below(size_), to = below(size_);
        const bool exchange = below(2) == 0;
        if (from == to) continue;
        shift(order, from, to, exchange);
        const std::int64_t moved = peak_of(order, peak);
        if (moved <= peak) {
          peak = moved;
        } else {
          shift(order, to, from, exchange);
        }
      }
      if (peak < least) {
        least = peak;
        best = order;
      }
      for (std::size_t i = size_; i > 1; --i) std::swap(order[i - 1], order[below(i)]);
    }
    Placement placement;
    placement.peak = peak_of(best, kNever);
    placement.offsets = offsets_;
    placement.alternatives.assign(problem_.choices.size(), 0);
    return placement;
  }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  static void shift(std::vector<std::size_t>& order, std::size_t from, std::size_t to, bool exchange) {
    const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
    if (exchange) {
      std::swap(order[from], order[to]);
    } else if (from < to) {
      std::rotate(at(from), at(from + 1), at(to + 1));
    } else {
      std::rotate(at(to), at(from), at(from + 1));
    }
  }

  /// Sets the offsets; stops where the peak is beyond `most`.
  std::int64_t peak_of(const std::vector<std::size_t>& order, std::int64_t most) {
    std::int64_t peak = 0;
    for (std::size_t i = 0; i < size_ && peak <= most; ++i) {
      const Buffer& buffer = problem_.buffers[order[i]];
      std::int64_t offset = 0;
      for (std::size_t j = 0; j < i; ++j) {
        offset = std::max(offset, offsets_[order[j]] + above_[order[j] * size_ + order[i]]);
      }
      offset = (offset + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
      offsets_[order[i]] = offset;
      peak = std::max(peak, offset + buffer.bytes);
    }
    return peak;
  }

  const Problem& problem_;
  std::size_t size_;
  std::vector<std::int64_t> above_;  // by lower and upper buffer: the least distance between their starts
  std::vector<std::int64_t> offsets_;
};

}  // namespace

Placement stack(const Problem& problem, std::int64_t moves) { return Stacking(problem).search(moves); }

}  // namespace ripc
