// Pseudo-random weights make networks whose activations are worth measuring.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "execute/execute.h"
#include "execute/input_stream.h"
#include "import/import.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "source_dir.h"

namespace ripc {
namespace {

Graph network(const char* name, std::uint32_t seed) {
  const std::string path = std::string(RIPC_SOURCE_DIR "/networks/mcunet/") + name + ".json";
  return canonicalize(fill_weights(import_network(path), seed), {});
}

/// How many of the bytes are the most frequent one, as a part of all.
double commonest_share(std::span<const std::byte> bytes) {
  std::array<std::size_t, 256> counts{};
  for (const std::byte byte : bytes) ++counts[std::to_integer<std::size_t>(byte)];
  return static_cast<double>(*std::ranges::max_element(counts)) / static_cast<double>(bytes.size());
}

TEST(RandomWeights, NoTensorIsMostlyConstant) {
  const Graph graph = network("mcunet-vww0", 1);
  const Plan plan = make_plan(graph, {});
  execute(link(graph, plan), random_inputs(graph, 1), [&](OpId op, std::span<const std::byte> tensor) {
    if (tensor.size() < 100) return;
    EXPECT_LT(commonest_share(tensor), 0.8) << "operator " << op;
  });
}

TEST(RandomWeights, FollowFromTheSeed) {
  EXPECT_EQ(graph_hash(network("mcunet-vww0", 1)), graph_hash(network("mcunet-vww0", 1)));
  EXPECT_NE(graph_hash(network("mcunet-vww0", 1)), graph_hash(network("mcunet-vww0", 2)));
}

TEST(RandomWeights, LeaveAModelAsItIs) {
  const Graph digits = import_network(RIPC_SOURCE_DIR "/models/digits/digits.tflite");
  EXPECT_EQ(graph_hash(fill_weights(digits, 1)), graph_hash(digits));
}

}  // namespace
}  // namespace ripc
