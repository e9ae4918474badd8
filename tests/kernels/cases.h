// Single operators with random shapes, constants and inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace ripc::test {

using Bytes = std::vector<std::byte>;

/// Reproducible everywhere: the standard's distributions are not.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  /// Uniform, both ends included.
  std::int64_t number(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(most - least + 1));
  }
  bool chance(int percent) { return number(1, 100) <= percent; }
  float real(float least, float most) {
    return least + (most - least) * static_cast<float>(number(0, 1 << 20)) / static_cast<float>(1 << 20);
  }

 private:
  std::mt19937_64 engine_;
};

struct OpCase {
  Graph graph;  ///< of one operator
  std::vector<Bytes> inputs;

  const Op& op() const { return graph.ops[0]; }
  const Tensor& input(std::size_t i = 0) const { return graph.tensors[static_cast<std::size_t>(op().inputs[i])]; }
  const Tensor& output() const { return graph.tensors[static_cast<std::size_t>(op().output)]; }
};

/// A kind of operator and how to make one at random. Every graph passes validate().
struct Family {
  std::string name;
  OpCase (*make)(Random& random);
};

const std::vector<Family>& families();

/// Those of them that are functions of one scalar, or of two.
std::vector<Family> elementwise_families();

/// Those that take their scalars from elsewhere than a window: resizes, reductions.
std::vector<Family> reduced_families();

/// Those that keep something from run to run.
std::vector<Family> stateful_families();

/// The audio front end.
std::vector<Family> signal_families();

/// Other values for the inputs of the same operator.
void randomise_inputs(OpCase& op_case, Random& random);

}  // namespace ripc::test
