// Statements of the publication that are not so, each with a smallest layer at which it fails. Truth is what a
// simulator finds.
#include <gtest/gtest.h>

#include <algorithm>

#include "debt/herringbone.h"
#include "debt/layers.h"
#include "debt/other_layers.h"
#include "debt/published.h"
#include "ripc/gap.h"
#include "simulate/herringbone.h"
#include "simulate/simulate.h"

namespace ripc::test {
namespace {

// The gap of row-major forward order by stepping through memory; the formula must say the same.
std::int64_t true_gap(const Layer& layer, TapOrder order, Layout layout) {
  const std::int64_t gap = literal_gap(tap_table(layer, layout), Direction::row_forward, order);
  EXPECT_EQ(gap, workspace(layer, Direction::row_forward, order, layout).gap);
  return gap;
}

std::int64_t true_herringbone_gap(const Layer& layer) {
  const std::int64_t gap = simulated_herringbone_gap(layer, Liveness::frontier);
  EXPECT_EQ(gap, herringbone_gap(layer));
  EXPECT_TRUE(herringbone_run_is_exact(layer, Liveness::frontier, gap));
  EXPECT_FALSE(herringbone_run_is_exact(layer, Liveness::frontier, gap - 1));
  return gap;
}

TEST(Counterexample, Equation1IsUnsafe) {
  const Layer least = layer({2, 2}, {1, 3}, {.kernel = 2});
  EXPECT_EQ(gural_murmann_gap(least), 2);
  EXPECT_EQ(true_herringbone_gap(least), 3);
}

TEST(Counterexample, Equation1LosesThirtyTwoFrom16To64Channels) {
  const Layer wide = layer({12, 12}, {16, 64}, {.kernel = 3});
  EXPECT_EQ(true_herringbone_gap(wide) - gural_murmann_gap(wide).value(), 32);
}

TEST(Counterexample, Equation1IsLooseByAFactorOf2432) {
  const Layer loose = layer({18, 18}, {16, 17}, {.kernel = 15});
  EXPECT_EQ(gural_murmann_gap(loose), 2432 * true_herringbone_gap(loose));
}

TEST(Counterexample, Corollary1NeedsASquareOutput) {
  const Layer tall = layer({4, 3}, {1, 2}, {.kernel = 3});
  EXPECT_EQ(corrected_gural_murmann_gap(tall), 1);
  EXPECT_EQ(true_herringbone_gap(tall), 2);
}

TEST(Counterexample, Corollary1HoldsForEvenKernelsToo) {
  for (int kernel = 2; kernel <= 6; kernel += 2) {
    const Layer even = layer({9, 9}, {3, 5}, {.kernel = kernel});
    EXPECT_EQ(corrected_gural_murmann_gap(even), true_herringbone_gap(even));
  }
}

TEST(Counterexample, Theorem11IsUnsafeIfUnreadInputsAreNeverReturned) {
  const Layer strided = layer({1, 3}, {1, 4}, {}, {.stride = 2});
  EXPECT_EQ(true_herringbone_gap(strided), 6);
  EXPECT_EQ(simulated_herringbone_gap(strided, Liveness::unread_held), 7);
  EXPECT_FALSE(herringbone_run_is_exact(strided, Liveness::unread_held, 6));
}

TEST(Counterexample, Theorem11IsLooseIfUnreadInputsAreReturnedFirst) {
  const Layer skipping = layer({1, 1}, {1, 1}, {}, {.stride = 2, .pad_before = 1, .pad_after = 1});
  EXPECT_EQ(true_herringbone_gap(skipping), 1);
  EXPECT_EQ(simulated_herringbone_gap(skipping, Liveness::unread_first), 0);
}

TEST(Counterexample, Theorem11WithASingleLeg) {
  EXPECT_EQ(true_herringbone_gap(layer({1, 1}, {1, 3}, {})), 3);                            // Eq. 34 gives 9
  EXPECT_EQ(true_herringbone_gap(layer({1, 2}, {1, 3}, {.stride = 4}, {.stride = 1})), 5);  // and here an unsafe 4
}

TEST(Counterexample, Theorem4SmallerGapsNeedNotCorrupt) {
  // Nout - Nin binds: at a gap of 0 no tap is lost, but the buffer ends too early.
  const Layer growing = layer({1, 1}, {1, 2}, {});
  EXPECT_EQ(nine_breakpoint_gap(growing, 0), 1);
  EXPECT_TRUE(literal_run_is_exact(tap_table(growing, Layout::padded), Direction::row_forward, kGathered, 0));
}

TEST(Counterexample, Equation40ALaterRowNeedsAnEarlierInputRow) {
  // Dilation 2, padding 2: output row 1 starts at input row 1, output row 2 at input row 0.
  const Layer dilated = layer({6, 1}, {1, 2}, {.kernel = 3, .dilation = 2, .pad_before = 2, .pad_after = 2}, {});
  const TapTable table = tap_table(dilated, Layout::dense);
  EXPECT_EQ(table.rows[1].front(), 1);
  EXPECT_EQ(table.rows[2].front(), 0);
  EXPECT_EQ(true_gap(dilated, kGathered, Layout::dense), 7);
}

struct Unsafe13 {
  Layer layer;
  TapOrder order;
  std::int64_t printed, truth;
};

TEST(Counterexample, Theorem13IsUnsafeAsPrinted) {
  const Layer symmetric =
      layer({4, 6}, {1, 3}, {.stride = 4}, {.kernel = 3, .stride = 2, .dilation = 7, .pad_before = 9, .pad_after = 9});
  const Layer asymmetric =
      layer({4, 6}, {1, 3}, {.stride = 4}, {.kernel = 2, .stride = 2, .dilation = 7, .pad_before = 7, .pad_after = 1});
  const Layer past_the_kernel = layer({2, 9}, {3, 12}, {.kernel = 3, .stride = 2, .pad_after = 2},
                                      {.stride = 2, .pad_before = 1, .pad_after = 2});
  const std::vector<Unsafe13> cases{{symmetric, kGathered, 4, 5},
                                    {symmetric, kDirect, 7, 8},
                                    {asymmetric, kGathered, 1, 2},
                                    {past_the_kernel, kGathered, 18, 27}};
  for (const auto& [dense, order, printed, truth] : cases) {
    const std::int64_t sigma = order == kGathered ? 0 : dense.out_channels;
    EXPECT_EQ(dense_breakpoint_gap(dense, sigma, Theorem13::printed), printed);
    EXPECT_EQ(true_gap(dense, order, Layout::dense), truth);
    EXPECT_EQ(dense_breakpoint_gap(dense, sigma, Theorem13::repaired), truth);
  }
}

TEST(Counterexample, Theorem13SigmaIsLooseWhereNothingIsRead) {
  // The only output reads padding alone, although padding is less than the kernel reaches.
  const Layer unread = layer({1, 1}, {1, 1}, {}, {.kernel = 2, .dilation = 2, .pad_before = 1, .pad_after = 1});
  EXPECT_EQ(dense_breakpoint_gap(unread, 1, Theorem13::printed), 1);
  EXPECT_EQ(true_gap(unread, kDirect, Layout::dense), 0);
  EXPECT_EQ(dense_breakpoint_gap(unread, 1, Theorem13::repaired), 0);
  EXPECT_EQ(raw_gap(unread, Direction::row_forward, kDirect), std::nullopt);
}

TEST(Counterexample, F3StoredPaddingNeedNotCostAnything) {
  const Layer growing = layer({1, 1}, {1, 9}, {.kernel = 3, .pad_before = 1, .pad_after = 1});
  EXPECT_EQ(workspace(growing, Direction::row_forward, kGathered, Layout::padded).bytes, 9);
  EXPECT_EQ(workspace(growing, Direction::row_forward, kGathered, Layout::dense).bytes, 9);
}

TEST(Counterexample, F3DenseGapMayBeTheSmallerOne) {
  const Layer dilated =
      layer({2, 2}, {1, 2}, {.kernel = 2, .stride = 2, .dilation = 2, .pad_before = 1, .pad_after = 1}, {});
  EXPECT_EQ(true_gap(dilated, kGathered, Layout::dense), 0);
  EXPECT_EQ(true_gap(dilated, kGathered, Layout::padded), 1);
}

TEST(Counterexample, Theorem14UpsamplingForwardIsAsGoodAsReverse) {
  const PixelMap map = nearest_upsampling(3, 4, 2, 2, 3);
  const TapTable table = copy_table(map.rows, map.columns, map.in_height, map.in_width, map.channels, map.scalar);
  const std::int64_t growth = table.out_bytes() - table.in_bytes();
  for (const Direction direction : kDirections) {
    EXPECT_EQ(raw_gap(map, direction, kGathered), growth);
    EXPECT_EQ(literal_gap(table, direction, kGathered), growth);  // in + growth is the output alone
    EXPECT_EQ(literal_raw_gap(table, direction, kGathered), raw_gap(map, direction, kGathered));
  }
}

TEST(Counterexample, I1PoolingNeedsMoreThanItsInput) {
  const Window same{.kernel = 3, .pad_before = 1, .pad_after = 1};
  const auto pooling = [](Layer layer) {
    layer.groups = layer.in_channels;
    return layer;
  };
  const Layer least = pooling(layer({1, 2}, {1, 1}, {}, same));
  EXPECT_EQ(true_gap(least, kGathered, Layout::dense), 1);
  EXPECT_EQ(true_gap(least, kGathered, Layout::padded), 0);

  const Layer inception = pooling(layer({35, 35}, {192, 192}, same));
  const Workspace needed = workspace(inception, Direction::row_forward, kGathered);
  EXPECT_EQ(needed.gap, 6912);
  EXPECT_EQ(needed.gap, (out_width(inception) + 1) * inception.in_channels);
  EXPECT_EQ(published_pooling_bytes(inception) + 6912, needed.bytes);

  const Layer stem = pooling(layer({112, 112}, {64, 64}, {.kernel = 3, .stride = 2, .pad_before = 1, .pad_after = 1}));
  EXPECT_EQ(workspace(stem, Direction::row_forward, kGathered).bytes, published_pooling_bytes(stem));
}

TEST(Counterexample, Section53RipAndHerringboneMayDifferBothWays) {
  const Window same{.kernel = 3, .pad_before = 1, .pad_after = 1};
  const Layer wide = layer({1, 2}, {1, 2}, same);
  EXPECT_EQ(true_gap(wide, kDirect, Layout::padded), 3);
  EXPECT_EQ(true_herringbone_gap(wide), 2);
  const Layer tall = layer({3, 2}, {1, 2}, same);
  EXPECT_EQ(true_gap(tall, kDirect, Layout::padded), 3);
  EXPECT_EQ(true_herringbone_gap(tall), 4);
}

TEST(Counterexample, Section53ColumnOrderBeatsHerringbone) {
  const Layer branch = layer({17, 17}, {128, 192}, {.kernel = 7, .pad_before = 3, .pad_after = 3}, {});
  const Workspace row = workspace(branch, Direction::row_forward, kDirect, Layout::padded);
  const Workspace column = workspace(branch, Direction::column_forward, kDirect, Layout::padded);
  EXPECT_EQ(row.gap, 18624);
  EXPECT_EQ(column.gap, 6336);
  EXPECT_EQ(herringbone_gap(branch), 8640);
  EXPECT_EQ(row.bytes, 68672);
  EXPECT_EQ(column.bytes, 56384);
  EXPECT_EQ(padded_in_bytes(branch) + herringbone_gap(branch), 58688);
}

TEST(Counterexample, DepthwiseFromTheWorkspaceCostsOneScalarNotAPixel) {
  Layer depthwise = layer({56, 56}, {144, 144}, {.kernel = 3, .pad_before = 1, .pad_after = 1});
  EXPECT_EQ(workspace(depthwise, Direction::row_forward, kDirect).bytes, 459936);
  depthwise.groups = 144;
  EXPECT_EQ(workspace(depthwise, Direction::row_forward, kDirect).bytes, 459793);
}

TEST(Counterexample, RoundingTheWholeGapWastesBytes) {
  // Out bytes bind: the workspace is the output alone, whatever the alignment.
  const Layer growing = layer({1, 1}, {1, 9}, {});
  EXPECT_EQ(workspace(growing, Direction::row_forward, kGathered, Layout::dense, 16).bytes, 9);
  EXPECT_EQ(workspace(growing, Direction::row_reverse, kGathered, Layout::dense, 16).bytes, 9);
}

TEST(Counterexample, APlaneKernelIsNotSafeAtEveryDistance) {
  Layer plane = layer({4, 4}, {4, 4}, {.kernel = 3, .pad_before = 1, .pad_after = 1});
  plane.groups = 4;
  const TapTable table = tap_table(plane, Layout::dense);
  EXPECT_TRUE(literal_plane_run_is_exact(table, 0));
  for (const std::int64_t distance : {1, 2, 3}) EXPECT_FALSE(literal_plane_run_is_exact(table, distance)) << distance;
  EXPECT_TRUE(literal_plane_run_is_exact(table, 4));
}

}  // namespace
}  // namespace ripc::test
