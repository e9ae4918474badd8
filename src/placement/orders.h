// Orders in which greedy placers take the buffers. Ties fall back to the order of the problem.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "placement/problem.h"

namespace ripc {

/// Buffer ids by increasing key.
template <class Key>
std::vector<BufferId> sorted_by(const Problem& problem, Key key) {
  std::vector<BufferId> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key_of = [&](BufferId id) { return key(problem.buffers[static_cast<std::size_t>(id)]); };
  std::stable_sort(order.begin(), order.end(), [&](BufferId a, BufferId b) { return key_of(a) < key_of(b); });
  return order;
}

inline std::vector<BufferId> by_birth(const Problem& problem) {
  return sorted_by(problem, [](const Buffer& b) { return b.first; });
}

inline std::vector<BufferId> by_size(const Problem& problem) {
  return sorted_by(problem, [](const Buffer& b) { return -b.bytes; });
}

}  // namespace ripc
