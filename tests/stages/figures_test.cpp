// What the smallest published networks take in stages; `make bench-stages` has all of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "check/check.h"
#include "import/import.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "source_dir.h"

namespace ripc {
namespace {

struct Figure {
  const char* network;
  std::int64_t resident, streamed;  ///< bytes
};

class Figures : public testing::TestWithParam<Figure> {};

INSTANTIATE_TEST_SUITE_P(Stages, Figures,
                         testing::Values(Figure{"mcunet-in0", 15072, 11784}, Figure{"mcunet-in1", 29200, 16608},
                                         Figure{"mcunet-vww0", 15104, 13392}, Figure{"mcunet-vww1", 20496, 14480}));

void expect_reached(const Graph& graph, const Figure& figure) {
  PlanOptions options;
  options.stages = true;
  const Plan resident = make_plan(graph, options);
  options.stream_input = true;
  const Plan streamed = make_plan(graph, options);
  check_plan(graph, resident);
  check_plan(graph, streamed);
  EXPECT_LE(resident.arena_bytes, figure.resident);
  EXPECT_LE(streamed.arena_bytes, figure.streamed);
  EXPECT_TRUE(streamed.streamed_input);
}

TEST_P(Figures, AreReached) {
  const std::string file = RIPC_SOURCE_DIR "/networks/mcunet/" + std::string(GetParam().network) + ".json";
  expect_reached(canonicalize(import_network(file), {}), GetParam());
}

/// Published models that end in a mean, which is summed up row by row.
class Models : public testing::TestWithParam<Figure> {};

INSTANTIATE_TEST_SUITE_P(Stages, Models,
                         testing::Values(Figure{"mlperf_kws_ref", 4186, 3876},
                                         Figure{"mlperf_resnet_quant", 10592, 10272}));

TEST_P(Models, AreReached) {
  const std::string file = RIPC_SOURCE_DIR "/../shared/models/" + std::string(GetParam().network) + ".tflite";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no model at " << file;
  expect_reached(canonicalize(import_network(file)), GetParam());
}

}  // namespace
}  // namespace ripc
