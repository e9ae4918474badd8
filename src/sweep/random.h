// Random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace ripc {

/// SplitMix64 (Steele, Lea and Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  /// From `least` to `most`, both included.
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(most - least + 1));
  }

  /// The same, but rather a small one: the mean is a quarter of the way up.
  std::int64_t low(std::int64_t least, std::int64_t most) { return between(least, between(least, most)); }

  bool coin() { return (next() & 1U) != 0; }

 private:
  std::uint64_t state_;
};

}  // namespace ripc
