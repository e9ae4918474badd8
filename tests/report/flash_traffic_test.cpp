#include "report/flash_traffic.h"

#include <gtest/gtest.h>

#include "lower/lower.h"
#include "plan/pipeline.h"
#include "support/graphs.h"

namespace ripc {
namespace {

/// A convolution of 6 x 4 output pixels, and bytes of its constants as they ship.
Graph one_convolution() {
  test::GraphBuilder builder;
  const TensorId in = builder.input({.height = 8, .width = 6, .channels = 3});
  return builder.finish({builder.conv(in, 8, {.kernel = 3}, {.kernel = 3})});
}

std::int64_t constants(const Graph& graph, const Plan& plan) {
  std::int64_t bytes = 0;
  for (const Constant& constant : lower(graph, graph.ops[0], plan.ops[0].kernel, true).constants)
    bytes += std::ssize(constant.data);
  return bytes;
}

TEST(FlashTraffic, APixelReadsTheConstantsOnce) {
  const Graph graph = one_convolution();
  const Plan plan = make_plan(graph, {});
  const FlashTraffic traffic = flash_traffic(graph, plan, std::nullopt);
  EXPECT_EQ(traffic.fetched, 6 * 4 * constants(graph, plan));
  EXPECT_FALSE(traffic.missed);
}

TEST(FlashTraffic, ACacheThatHoldsThemMissesThemOnce) {
  const Graph graph = one_convolution();
  const Plan plan = make_plan(graph, {});
  const std::int64_t bytes = constants(graph, plan);
  EXPECT_EQ(flash_traffic(graph, plan, bytes).missed, bytes);
  EXPECT_EQ(flash_traffic(graph, plan, bytes - 1).missed, 6 * 4 * bytes);
}

TEST(FlashTraffic, IsSaidInWords) {
  EXPECT_EQ(flash_text({.fetched = 1234}, std::nullopt), "1,234 bytes read in a run");
  EXPECT_EQ(flash_text({.fetched = 1234, .missed = 56}, 16384),
            "1,234 bytes read in a run, 56 of them not in a cache of 16,384");
}

}  // namespace
}  // namespace ripc
