// What the smallest published networks take in stages; `make bench-stages` has all of them.
#include <gtest/gtest.h>

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
                         testing::Values(Figure{"mcunet-in0", 15096, 12168}, Figure{"mcunet-in1", 29200, 17008},
                                         Figure{"mcunet-vww0", 15104, 13648}, Figure{"mcunet-vww1", 20496, 14496}));

TEST_P(Figures, AreReached) {
  const Graph graph =
      canonicalize(import_network(RIPC_SOURCE_DIR "/networks/mcunet/" + std::string(GetParam().network) + ".json"), {});
  PlanOptions options;
  options.stages = true;
  const Plan resident = make_plan(graph, options);
  options.stream_input = true;
  const Plan streamed = make_plan(graph, options);
  check_plan(graph, resident);
  check_plan(graph, streamed);
  EXPECT_LE(resident.arena_bytes, GetParam().resident);
  EXPECT_LE(streamed.arena_bytes, GetParam().streamed);
  EXPECT_TRUE(streamed.streamed_input);
}

}  // namespace
}  // namespace ripc
