// What lowering refuses, and the numbers that it puts into parameters.
#include "lower/lower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lower/quantize.h"
#include "rip/block.h"
#include "rip/contracts.h"
#include "ripc/error.h"
#include "support/graphs.h"

namespace ripc::test {
namespace {

const Window kOne{};
const Window kThree{.kernel = 3, .pad_before = 1, .pad_after = 1};

LoweredOp lower_first(const Graph& graph, bool whole = true) {
  const Op& op = graph.ops[0];
  return lower(graph, op, kernel_options(graph, op)[0].contract->kernel, whole);
}

/// The problem that lowering the graph's only operator reports.
std::string refusal(const Graph& graph) {
  try {
    lower_first(graph);
  } catch (const Error& error) {
    return error.context().problem;
  }
  return "";
}

TEST(Multiplier, IsAFractionOf31BitsAndAShift) {
  EXPECT_EQ(quantize_multiplier(0.0), (FixedPoint{0, 0}));
  EXPECT_EQ(quantize_multiplier(1.0), (FixedPoint{1 << 30, 1}));
  EXPECT_EQ(quantize_multiplier(0.5), (FixedPoint{1 << 30, 0}));
  EXPECT_EQ(quantize_multiplier(0.75), (FixedPoint{3 << 29, 0}));
  // Rounds up to one, which takes another shift.
  EXPECT_EQ(quantize_multiplier(1.0 - 0x1p-40), (FixedPoint{1 << 30, 1}));
  EXPECT_EQ(quantize_multiplier(0x1p-32), (FixedPoint{1 << 30, -31}));
  EXPECT_EQ(quantize_multiplier(0x1p-33), (FixedPoint{0, 0}));
}

TEST(Multiplier, OfAMeanHasTheCountDividedOut) {
  // 49 values: five bits are kept, and the division truncates.
  const FixedPoint mean = mean_multiplier(1.0, 49);
  EXPECT_EQ(mean.multiplier, (std::int64_t{1} << 35) / 49);
  EXPECT_EQ(mean.shift, 1 - 5);
  EXPECT_EQ(mean_multiplier(1.0, 1), (FixedPoint{1 << 30, 1}));
}

TEST(ActivationRange, IsCutAtTheStoredLimits) {
  EXPECT_EQ(activation_range(Activation::none, DataType::int8, 0.1F, 3), (StoredRange{-128, 127}));
  EXPECT_EQ(activation_range(Activation::relu, DataType::int8, 0.1F, 3), (StoredRange{3, 127}));
  EXPECT_EQ(activation_range(Activation::relu6, DataType::int8, 0.1F, 3), (StoredRange{3, 63}));
  EXPECT_EQ(activation_range(Activation::relu_n1_to_1, DataType::int8, 0.1F, 3), (StoredRange{-7, 13}));
  EXPECT_EQ(activation_range(Activation::relu6, DataType::int8, 0.01F, -128), (StoredRange{-128, 127}));
  EXPECT_EQ(activation_range(Activation::none, DataType::uint8, 0.1F, 3), (StoredRange{0, 255}));
}

TEST(Lower, RoundsTheProductOfAFullyConnectedLayersScalesToBinary32) {
  GraphBuilder builder;
  const TensorId in = builder.input({1, 1, 4});
  Graph graph = builder.finish({builder.fully_connected(in, 1)});
  graph.tensors[static_cast<std::size_t>(in)].quantization.scale = {0.1F};
  const auto& kind = std::get<FullyConnected>(graph.ops[0].kind);
  graph.tensors[static_cast<std::size_t>(kind.weights)].quantization.scale = {0.3F};
  graph.tensors[static_cast<std::size_t>(graph.ops[0].output)].quantization.scale = {0.7F};
  const double exact = static_cast<double>(0.1F) * static_cast<double>(0.3F) / static_cast<double>(0.7F);
  const double rounded = static_cast<double>(0.1F * 0.3F) / static_cast<double>(0.7F);
  ASSERT_NE(quantize_multiplier(exact), quantize_multiplier(rounded));
  const LoweredOp lowered = lower_first(graph);
  EXPECT_EQ(std::get<rip_conv2d_s8>(lowered.params).multiplier[0], quantize_multiplier(rounded).multiplier);
}

TEST(Lower, SeesAPointwiseOperatorOnWholeTensorsAsOneRow) {
  GraphBuilder builder;
  const Graph graph = builder.finish({builder.conv(builder.input({5, 7, 3}), 4, kOne, kOne)});
  const LoweredOp whole = lower_first(graph, true), by_rows = lower_first(graph, false);
  EXPECT_EQ(whole.node.out_height, 1);
  EXPECT_EQ(whole.node.out_width, 35);
  EXPECT_EQ(by_rows.node.out_height, 5);
  EXPECT_EQ(by_rows.node.out_width, 7);
  EXPECT_EQ(by_rows.kernel, "rip_pointwise_s8_row");
}

TEST(Lower, KeepsTheRowsOfAWindow) {
  GraphBuilder builder;
  const Window rows{.kernel = 3, .stride = 2, .dilation = 2, .pad_before = 1, .pad_after = 2};
  const Graph graph = builder.finish({builder.conv(builder.input({9, 7, 3}), 4, rows, kThree)});
  const rip_node node = lower_first(graph).node;
  EXPECT_EQ(node.kernel_rows, 3);
  EXPECT_EQ(node.stride, 2);
  EXPECT_EQ(node.dilation, 2);
  EXPECT_EQ(node.pad, 1);
  EXPECT_EQ(node.in_height, 9);
  EXPECT_EQ(node.out_height, output_extent(rows, 9));
}

TEST(Lower, PacksDepthwiseWeightsInBlocksFilledWithZeros) {
  GraphBuilder builder;
  const Graph graph = builder.finish({builder.depthwise(builder.input({4, 4, 6}), kThree, kThree)});
  const LoweredOp lowered = lower_first(graph);
  const auto& params = std::get<rip_depthwise_s8>(lowered.params);
  const auto& kind = std::get<DepthwiseConv2d>(graph.ops[0].kind);
  const Tensor& weights = graph.tensors[static_cast<std::size_t>(kind.weights)];
  for (std::size_t block = 0; block < 2; ++block) {
    for (std::size_t tap = 0; tap < 9; ++tap) {
      for (std::size_t i = 0; i < RIP_BLOCK; ++i) {
        const std::size_t channel = block * RIP_BLOCK + i;
        const auto expected = channel < 6 ? static_cast<std::int8_t>(weights.data[tap * 6 + channel]) : std::int8_t{0};
        EXPECT_EQ(params.weights[(block * 9 + tap) * RIP_BLOCK + i], expected);
      }
    }
  }
}

TEST(Lower, GivesPlanesOnlyToShapesWhoseWritesStayBehindTheirReads) {
  const auto kernels = [](const Window& rows, const Window& columns) {
    GraphBuilder builder;
    const Graph graph = builder.finish({builder.depthwise(builder.input({6, 6, 4}), rows, columns)});
    std::set<std::string> names;
    for (const KernelOption& option : kernel_options(graph, graph.ops[0])) names.insert(option.contract->kernel);
    return names;
  };
  EXPECT_TRUE(kernels(kThree, kThree).contains("rip_depthwise_s8_plane"));
  EXPECT_TRUE(kernels(kThree, kThree).contains("rip_depthwise_s8_plane_block"));
  const std::set<std::string> tall = kernels({.kernel = RIP_PLANE_ROWS + 1, .pad_before = 5, .pad_after = 5}, kThree);
  EXPECT_TRUE(tall.contains("rip_depthwise_s8_plane"));
  EXPECT_FALSE(tall.contains("rip_depthwise_s8_plane_block"));
  // Output rows longer than input rows soon reach what is not loaded.
  EXPECT_FALSE(kernels(kOne, {.kernel = 1, .pad_after = 3}).contains("rip_depthwise_s8_plane"));
  // The first output rows lie above the image: nothing is loaded when they are written.
  EXPECT_FALSE(kernels({.kernel = 1, .pad_before = 2}, kOne).contains("rip_depthwise_s8_plane"));
}

TEST(Lower, GivesALateRowToWindowsThatReachNoFurtherThanItsWaitingPixels) {
  const auto has_late_row = [](const Window& columns) {
    GraphBuilder builder;
    const Graph graph = builder.finish({builder.depthwise(builder.input({6, 20, 4}), kOne, columns)});
    const auto options = stage_kernel_options(graph, graph.ops[0], kEveryKernel);
    return std::ranges::any_of(options, [](const KernelOption& option) {
      return std::string(option.contract->kernel) == "rip_depthwise_s8_late_row";
    });
  };
  EXPECT_TRUE(has_late_row({.kernel = 7, .pad_before = 3, .pad_after = 3}));
  EXPECT_FALSE(has_late_row({.kernel = 9, .pad_before = 4, .pad_after = 4}));
  EXPECT_FALSE(has_late_row({.kernel = 3, .dilation = 4, .pad_before = 0, .pad_after = 8}));
  EXPECT_TRUE(has_late_row({.kernel = 9, .stride = 2, .pad_before = 4, .pad_after = 4}));
}

TEST(Lower, TellsTheRingOfAPlane) {
  GraphBuilder builder;
  const Window rows{.kernel = 3, .dilation = 2, .pad_before = 2, .pad_after = 2};
  const Graph graph = builder.finish({builder.depthwise(builder.input({8, 9, 4}), rows, kThree)});
  const auto options = kernel_options(graph, graph.ops[0]);
  ASSERT_EQ(options.size(), 3U);
  EXPECT_EQ(options[0].scratch_bytes, 0);
  EXPECT_EQ(options[1].scratch_bytes, 5 * 9 * 4);
  EXPECT_EQ(options[2].scratch_bytes, 5 * 9);
}

TEST(Lower, RefusesConstantsWithoutData) {
  GraphBuilder builder;
  Graph graph = builder.finish({builder.conv(builder.input({4, 4, 3}), 2, kThree, kThree)});
  const auto& kind = std::get<Conv2d>(graph.ops[0].kind);
  graph.tensors[static_cast<std::size_t>(kind.weights)].data.clear();
  EXPECT_EQ(refusal(graph), "a constant without data");
}

TEST(Lower, RefusesWhatTheReferenceCannotRun) {
  {
    GraphBuilder builder;
    const TensorId in = builder.input({4, 4, 3});
    Graph graph = builder.finish({builder.pool(PoolKind::max, in, kThree, kThree)});
    graph.tensors[static_cast<std::size_t>(graph.ops[0].output)].quantization.scale[0] *= 1.1F;
    EXPECT_EQ(refusal(graph), "input and output of pooling with unequal quantisation");
  }
  {
    GraphBuilder builder;
    Graph graph = builder.finish({builder.add(builder.input({4, 4, 3}), builder.input({4, 4, 3}))});
    graph.tensors[static_cast<std::size_t>(graph.ops[0].output)].quantization.scale[0] = 1e-9F;
    EXPECT_EQ(refusal(graph), "scales too far apart");
  }
  {
    GraphBuilder builder;
    EXPECT_EQ(refusal(builder.finish({builder.softmax(builder.input({1, 1, 4096}))})),
              "softmax over too many channels");
  }
  {
    GraphBuilder builder;
    EXPECT_EQ(refusal(builder.finish({builder.fully_connected(builder.input({1, 1, 1 << 17}), 1)})),
              "sum of too many products");
  }
}

TEST(Lower, RefusesAKernelOfAnotherOperator) {
  GraphBuilder builder;
  const Graph graph = builder.finish({builder.conv(builder.input({4, 4, 3}), 2, kThree, kThree)});
  EXPECT_THROW(lower(graph, graph.ops[0], "rip_add_s8_row", true), Error);
}

TEST(Contracts, AreFoundByTheNameOfTheKernel) {
  EXPECT_EQ(rip_find_contract("rip_none"), nullptr);
  for (const char* name :
       {"rip_conv2d_s8_row", "rip_pointwise_s8_row", "rip_depthwise_s8_row", "rip_depthwise_s8_plane",
        "rip_avgpool_s8_row", "rip_maxpool_s8_row", "rip_add_s8_row", "rip_mean_s8_whole", "rip_pad_row",
        "rip_softmax_s8_row", "rip_table_s8_row", "rip_table_f32_row", "rip_quantize_f32_row", "rip_resize_nearest_row",
        "rip_concat_row", "rip_rearrange_row"}) {
    const rip_contract* contract = rip_find_contract(name);
    ASSERT_NE(contract, nullptr) << name;
    EXPECT_STREQ(contract->kernel, name);
  }
  // A block is what a convolution holds.
  EXPECT_EQ(rip_find_contract("rip_conv2d_s8_row")->held, RIP_BLOCK);
  EXPECT_EQ(rip_find_contract("rip_pointwise_s8_row")->held, RIP_BLOCK);
}

}  // namespace
}  // namespace ripc::test
