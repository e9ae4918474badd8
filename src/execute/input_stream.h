// The pseudo-random inputs of golden vectors and self-tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace ripc {

/// The stream of a seed: xorshift32 (13, 17, 5), of which each step gives its low byte.
class InputStream {
 public:
  explicit InputStream(std::uint32_t seed) : state_(seed) {}

  std::uint8_t next();

  /// Raw little-endian bytes of `count` scalars: integers take bytes as they come, a bool the lowest bit of one, and a
  /// float (byte - 128) / 64.
  std::vector<std::byte> tensor(DataType type, std::int64_t count);

 private:
  std::uint32_t state_;
};

/// One buffer for each input of the graph, in order, from one stream. The seed is not 0.
std::vector<std::vector<std::byte>> random_inputs(const Graph& graph, std::uint32_t seed);

}  // namespace ripc
