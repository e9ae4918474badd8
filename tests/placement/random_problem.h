// Small random placement problems, the same from the same seed on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "placement/problem.h"

namespace ripc::test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) {  // both included
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool one_in(std::int64_t n) { return between(1, n) == 1; }

 private:
  std::mt19937_64 engine_;
};

struct RandomLimits {
  int buffers = 7;
  std::int64_t bytes = 5;
  std::int64_t steps = 5;
  bool overlaps = true;
  bool alignments = true;
  bool fixed = true;
};

/// One alternative: separations or ties between the given buffers, which need not be alive together.
inline Alternative random_alternative(Dice& dice, const std::vector<BufferId>& ins, const std::vector<BufferId>& outs,
                                      std::int64_t bytes) {
  Alternative way;
  const std::int64_t kind = dice.between(0, 3);
  for (const BufferId in : ins) {
    for (const BufferId out : outs) {
      if (in == out || dice.one_in(4)) continue;
      if (kind == 0) way.ties.push_back({in, out});
      if (kind == 1 || kind == 3) way.separations.push_back({out, in, dice.between(-bytes, bytes + 1)});
      if (kind == 2 || (kind == 3 && dice.one_in(3)))
        way.separations.push_back({in, out, dice.between(-bytes, bytes + 1)});
    }
  }
  return way;
}

/// Operators with several inputs that die and outputs that are born at one step, besides choices of no such sense.
inline Problem random_problem(std::uint64_t seed, const RandomLimits& limits = {}) {
  Dice dice(seed);
  Problem problem;
  const std::int64_t n = dice.between(1, limits.buffers);
  for (std::int64_t i = 0; i < n; ++i) {
    Buffer buffer;
    buffer.bytes = dice.between(dice.one_in(10) ? 0 : 1, limits.bytes);
    buffer.first = dice.between(0, limits.steps);
    buffer.last = std::min(limits.steps, buffer.first + dice.between(0, 3));
    if (limits.alignments && dice.one_in(4)) buffer.alignment = dice.between(1, 2) * 2;
    if (limits.fixed && dice.one_in(12)) buffer.offset = buffer.alignment * dice.between(0, 2);
    problem.buffers.push_back(buffer);
  }
  if (!limits.overlaps) return problem;
  for (std::int64_t step = 0; step <= limits.steps; ++step) {
    std::vector<BufferId> ins;
    std::vector<BufferId> outs;
    for (BufferId id = 0; id < static_cast<BufferId>(n); ++id) {
      const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
      const bool any = dice.one_in(15);
      if (buffer.last == step || any) ins.push_back(id);
      if (buffer.first == step || any) outs.push_back(id);
    }
    if (ins.empty() || outs.empty() || dice.one_in(3)) continue;
    Choice choice;
    for (std::int64_t k = dice.between(1, 3); k > 0; --k) {
      choice.alternatives.push_back(random_alternative(dice, ins, outs, limits.bytes));
    }
    problem.choices.push_back(choice);
  }
  return problem;
}

}  // namespace ripc::test
