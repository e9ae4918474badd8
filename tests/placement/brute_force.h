// The least peak of a tiny problem by trying every offset of every buffer under every combination of alternatives.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "placement/problem.h"

namespace ripc::test {

class BruteForce {
 public:
  explicit BruteForce(const Problem& problem) : problem_(problem), offsets_(problem.buffers.size(), 0) {}

  /// Empty if nothing fits within `limit` bytes.
  std::optional<std::int64_t> least_peak(std::int64_t limit) {
    for (peak_ = 0; peak_ <= limit; ++peak_) {
      if (some_alternatives(0)) return peak_;
    }
    return std::nullopt;
  }

 private:
  bool some_alternatives(std::size_t choice) {
    if (choice == problem_.choices.size()) return some_offset(0);
    for (std::size_t k = 0; k < problem_.choices[choice].alternatives.size(); ++k) {
      ways_.push_back(&problem_.choices[choice].alternatives[k]);
      const bool found = some_alternatives(choice + 1);
      ways_.pop_back();
      if (found) return true;
    }
    return false;
  }

  bool some_offset(std::size_t id) {
    if (id == offsets_.size()) return true;
    const Buffer& buffer = problem_.buffers[id];
    for (std::int64_t at = 0; at + buffer.bytes <= peak_; ++at) {
      if (at % buffer.alignment != 0 || (buffer.offset && *buffer.offset != at)) continue;
      offsets_[id] = at;
      bool fine = true;
      for (std::size_t other = 0; other < id && fine; ++other) fine = may_lie(other, id);
      if (fine && some_offset(id + 1)) return true;
    }
    return false;
  }

  bool may_lie(std::size_t a, std::size_t b) const {
    const Buffer& x = problem_.buffers[a];
    const Buffer& y = problem_.buffers[b];
    bool together = false;
    for (std::int64_t step = x.first; step <= x.last; ++step) together |= y.first <= step && step <= y.last;
    if (!together) return true;
    const std::int64_t distance = offsets_[b] - offsets_[a];
    if (distance >= x.bytes || -distance >= y.bytes) return true;
    for (const Alternative* way : ways_) {
      for (const Separation& s : way->separations) {
        if (static_cast<std::size_t>(s.low) == a && static_cast<std::size_t>(s.high) == b && distance >= s.bytes)
          return true;
        if (static_cast<std::size_t>(s.low) == b && static_cast<std::size_t>(s.high) == a && -distance >= s.bytes)
          return true;
      }
      for (const Tie& t : way->ties) {
        const bool pair = (static_cast<std::size_t>(t.a) == a && static_cast<std::size_t>(t.b) == b) ||
                          (static_cast<std::size_t>(t.a) == b && static_cast<std::size_t>(t.b) == a);
        if (pair && distance == 0) return true;
      }
    }
    return false;
  }

  const Problem& problem_;
  std::vector<std::int64_t> offsets_;
  std::vector<const Alternative*> ways_;
  std::int64_t peak_ = 0;
};

}  // namespace ripc::test
