// The table of overlaps, by hand for each kind of contract.
#include "overlap/overlap.h"

#include <gtest/gtest.h>

#include "support/graphs.h"

namespace ripc {
namespace {

using test::GraphBuilder;
using Kind = InputOverlap::Kind;

constexpr rip_contract contract(rip_tap_order order, std::int16_t held = 0) {
  return {.kernel = "test",
          .order = order,
          .held = held,
          .whole_tensor = 0,
          .alignment = 1,
          .tight = 1,
          .scratch = {},
          .kept = {},
          .any_scratch = 0};
}

std::vector<OverlapRule> rules(const Graph& graph, const rip_contract& of) {
  return overlap_rules(graph, graph.ops[0], of);
}

TEST(Overlap, DisjointKernelsShareNothing) {
  GraphBuilder builder;
  const Graph graph = builder.finish({builder.conv(builder.input({4, 4, 2}), 3, {}, {})});
  const auto found = rules(graph, contract(RIP_DISJOINT));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].inputs[0].kind, Kind::disjoint);
}

TEST(Overlap, PlanesAreTied) {
  GraphBuilder builder;
  const Graph graph = builder.finish({builder.depthwise(builder.input({4, 4, 2}), {}, {})});
  const auto found = rules(graph, contract(RIP_PLANE));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].inputs[0].kind, Kind::tied);
}

TEST(Overlap, PointwiseConvolutionGapFollowsTheChannelsHeld) {
  // 16 pixels, 2 -> 5 channels: the last pixel is written 15 * (5 - 2) bytes ahead of its read, and before its last
  // read 5 - held of its own channels.
  GraphBuilder builder;
  const Graph graph = builder.finish({builder.conv(builder.input({4, 4, 2}), 5, {}, {})});
  EXPECT_EQ(rules(graph, contract(RIP_PIXEL_DIRECT, 1))[0].inputs[0].bytes, 15 * 3 + 4);
  EXPECT_EQ(rules(graph, contract(RIP_PIXEL_DIRECT, 4))[0].inputs[0].bytes, 15 * 3 + 1);
  EXPECT_EQ(rules(graph, contract(RIP_PIXEL_DIRECT, INT16_MAX))[0].inputs[0].bytes, 15 * 3);
  EXPECT_EQ(rules(graph, contract(RIP_ROW_DIRECT))[0].inputs[0].bytes, 3 * 4 * 3 + 20);
}

TEST(Overlap, BothDirectionsOfSymmetricPaddingAgree) {
  GraphBuilder builder;
  const Window same{.kernel = 3, .stride = 1, .dilation = 1, .pad_before = 1, .pad_after = 1};
  const Graph graph = builder.finish({builder.conv(builder.input({5, 6, 2}), 3, same, same)});
  const auto found = rules(graph, contract(RIP_PIXEL_DIRECT, 4));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[1].reverse);
  EXPECT_EQ(found[0].inputs[0].bytes, found[1].inputs[0].bytes);
}

TEST(Overlap, ElementsOfTheSameSizeHaveGapZero) {
  GraphBuilder builder;
  const TensorId a = builder.input({4, 4, 2}), b = builder.input({4, 4, 2});
  const Graph graph = builder.finish({builder.add(a, b)});
  for (const OverlapRule& rule : rules(graph, contract(RIP_ELEMENTWISE))) {
    EXPECT_EQ(rule.inputs[0], (InputOverlap{Kind::gap, 0}));
    EXPECT_EQ(rule.inputs[1], (InputOverlap{Kind::gap, 0}));
  }
}

TEST(Overlap, ABroadcastInputIsLeftAlone) {
  GraphBuilder builder;
  const TensorId a = builder.input({4, 4, 2}), b = builder.input({1, 1, 2});
  const Graph graph = builder.finish({builder.add(a, b)});
  for (const OverlapRule& rule : rules(graph, contract(RIP_ELEMENTWISE))) {
    EXPECT_EQ(rule.inputs[0].kind, Kind::gap);
    EXPECT_EQ(rule.inputs[1].kind, Kind::disjoint);
  }
}

TEST(Overlap, WideningElementsNeedWhatTheyGrow) {
  GraphBuilder builder;
  const Graph graph = builder.finish({builder.dequantize(builder.input({1, 1, 10}))});
  const auto found = rules(graph, contract(RIP_ELEMENTWISE));
  EXPECT_EQ(found[0].inputs[0].bytes, 9 * 3);
}

TEST(Overlap, NearestUpsamplingFitsInItsOutput) {
  GraphBuilder builder;
  const TensorId image = builder.input({3, 4, 2});
  const Graph graph = builder.finish({builder.resize(image, 6, 8)});
  const std::int64_t grown = 6 * 8 * 2 - 3 * 4 * 2;
  for (const OverlapRule& rule : rules(graph, contract(RIP_PIXEL_DIRECT, INT16_MAX)))
    EXPECT_LE(rule.inputs[0].bytes, grown);
}

TEST(Overlap, ADensePoolWithPaddingIsNotFree) {
  // Inception's average pool, small: row 1 still reads row 0 when a row and a pixel have been written.
  GraphBuilder builder;
  const Window same{.kernel = 3, .stride = 1, .dilation = 1, .pad_before = 1, .pad_after = 1};
  const Graph graph = builder.finish({builder.pool(PoolKind::average, builder.input({5, 7, 3}), same, same)});
  EXPECT_EQ(rules(graph, contract(RIP_CHANNEL_LOCAL))[0].inputs[0].bytes, (7 + 1) * 3);
}

}  // namespace
}  // namespace ripc
