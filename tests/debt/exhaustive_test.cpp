// Every small layer, in every direction, layout and order of taps: the formula is what stepping through memory finds.
#include <gtest/gtest.h>

#include <vector>

#include "debt/layers.h"
#include "debt/other_layers.h"
#include "ripc/gap.h"
#include "simulate/simulate.h"

namespace ripc::test {
namespace {

struct Channels {
  std::int64_t in, out, groups, in_scalar, out_scalar;
};

struct AxisCase {
  Window window;
  std::int64_t extent;
};

// Extents 1..5, kernels 1..3, strides 1..3, dilations 1..2, padding 0..2 before and after: those that make an output.
std::vector<AxisCase> axis_cases() {
  std::vector<AxisCase> cases;
  for (std::int64_t extent = 1; extent <= 5; ++extent) {
    for (std::int64_t kernel = 1; kernel <= 3; ++kernel) {
      for (std::int64_t stride = 1; stride <= 3; ++stride) {
        for (std::int64_t dilation = 1; dilation <= (kernel == 1 ? 1 : 2); ++dilation) {
          for (std::int64_t before = 0; before <= 2; ++before) {
            for (std::int64_t after = 0; after <= 2; ++after) {
              const Window window{kernel, stride, dilation, before, after};
              if (output_extent(window, extent) > 0) cases.push_back({window, extent});
            }
          }
        }
      }
    }
  }
  return cases;
}

const std::vector<Channels> kChannels{{1, 1, 1, 1, 1}, {1, 3, 1, 1, 1}, {3, 2, 1, 1, 1}, {2, 4, 2, 1, 1},
                                      {4, 2, 2, 1, 1}, {3, 3, 3, 1, 1}, {2, 3, 1, 4, 1}, {2, 4, 2, 1, 2}};
const std::vector<TapOrder> kOrders{kGathered,          kDirect,   kDirectOnOwnTap, TapOrder{false, 2},
                                    TapOrder{false, 3}, kRowDirect};

Layer combine(const AxisCase& rows, const AxisCase& columns, const Channels& channels) {
  Layer layer;
  layer.rows = rows.window;
  layer.in_height = rows.extent;
  layer.columns = columns.window;
  layer.in_width = columns.extent;
  layer.in_channels = channels.in;
  layer.out_channels = channels.out;
  layer.groups = channels.groups;
  layer.in_scalar = channels.in_scalar;
  layer.out_scalar = channels.out_scalar;
  return layer;
}

// All pairs of axes against the direct simulator; channels, direction, layout and order rotate over the pairs so that
// each pair meets one of each (a subsample that is the same every time).
TEST(Exhaustive, FormulaIsTheDirectSimulator) {
  const std::vector<AxisCase> axes = axis_cases();
  std::size_t turn = 0;
  for (const AxisCase& rows : axes) {
    for (const AxisCase& columns : axes) {
      const Layer layer = combine(rows, columns, kChannels[++turn % kChannels.size()]);
      for (const Layout layout : kLayouts) {
        const TapTable table = tap_table(layer, layout);
        for (const Direction direction : kDirections) {
          const TapOrder order = kOrders[++turn / 5 % kOrders.size()];
          ASSERT_EQ(raw_gap(layer, direction, order, layout), direct_raw_gap(table, direction, order))
              << describe(layer, direction, order, layout);
        }
      }
    }
  }
  EXPECT_GT(turn, 2000000U);
}

// Every 31st row axis with every 13th column axis, with everything else in full, against literal stepping.
TEST(Exhaustive, BothSimulatorsAndTheFormulaAgree) {
  const std::vector<AxisCase> axes = axis_cases();
  for (std::size_t r = 0; r < axes.size(); r += 31) {
    for (std::size_t c = r % 13; c < axes.size(); c += 13) {
      for (const Channels& channels : kChannels) {
        const Layer layer = combine(axes[r], axes[c], channels);
        const TapOrder order = kOrders[(r + c + static_cast<std::size_t>(channels.out)) % kOrders.size()];
        for (const Direction direction : kDirections) {
          for (const Layout layout : kLayouts) {
            SCOPED_TRACE(describe(layer, direction, order, layout));
            const TapTable table = tap_table(layer, layout);
            const auto raw = literal_raw_gap(table, direction, order);
            ASSERT_EQ(raw, direct_raw_gap(table, direction, order));
            ASSERT_EQ(raw, raw_gap(layer, direction, order, layout));
            ASSERT_EQ(literal_gap(table, direction, order), workspace(layer, direction, order, layout).gap);
          }
        }
      }
    }
  }
}

// Pixels further apart than their channels, in either tensor, with every order.
TEST(Exhaustive, PitchesWithHoles) {
  const std::vector<AxisCase> axes = axis_cases();
  for (std::size_t r = 0; r < axes.size(); r += 41) {
    for (std::size_t c = r % 23; c < axes.size(); c += 23) {
      Layer layer = combine(axes[r], axes[c], kChannels[(r + c) % kChannels.size()]);
      layer.in_pitch = layer.in_channels * layer.in_scalar + static_cast<std::int64_t>(c % 3);
      layer.out_pitch = layer.out_channels * layer.out_scalar + static_cast<std::int64_t>(r % 4);
      const TapOrder order = kOrders[(r / 3 + c) % kOrders.size()];
      for (const Direction direction : kDirections) {
        for (const Layout layout : kLayouts) {
          SCOPED_TRACE(describe(layer, direction, order, layout));
          const TapTable table = tap_table(layer, layout);
          const auto raw = literal_raw_gap(table, direction, order);
          ASSERT_EQ(raw, direct_raw_gap(table, direction, order));
          ASSERT_EQ(raw, raw_gap(layer, direction, order, layout));
        }
      }
    }
  }
}

// A gap that is enough stays enough, and every smaller one down to where the tensors part is too small: the search by
// halves in literal_gap rests on the first, a planner on the second.
TEST(Exhaustive, FeasibilityIsMonotone) {
  const std::vector<AxisCase> axes = axis_cases();
  for (std::size_t i = 0; i < axes.size(); i += 3) {
    const Layer layer = combine(axes[i], axes[(i * 7 + 3) % axes.size()], kChannels[i % kChannels.size()]);
    for (const Direction direction : kDirections) {
      const TapOrder order = kOrders[i % kOrders.size()];
      const std::int64_t raw = raw_gap(layer, direction, order).value_or(0);
      const TapTable table = tap_table(layer, Layout::dense);
      for (std::int64_t gap = 0; gap <= table.out_bytes() + 4; ++gap) {
        ASSERT_EQ(literal_run_is_exact(table, direction, order, gap), gap >= raw)
            << describe(layer, direction, order, Layout::dense) << " gap " << gap;
      }
    }
  }
}

// All maps of up to four outputs onto up to three inputs, in any order.
TEST(Exhaustive, MapsOfPixels) {
  std::vector<std::vector<std::int64_t>> maps;
  constexpr std::int64_t kExtent = 3;
  for (std::int64_t length = 1, count = kExtent; length <= 4; ++length, count *= kExtent) {
    for (std::int64_t code = 0; code < count; ++code) {
      std::vector<std::int64_t>& map = maps.emplace_back();
      for (std::int64_t i = 0, rest = code; i < length; ++i, rest /= kExtent) map.push_back(rest % kExtent);
    }
  }
  std::size_t turn = 0;
  for (const std::vector<std::int64_t>& rows : maps) {
    for (const std::vector<std::int64_t>& columns : maps) {
      const PixelMap map{rows,
                         columns,
                         kExtent,
                         kExtent,
                         static_cast<std::int64_t>(1 + turn % 3),
                         1 + static_cast<std::int64_t>(turn % 2)};
      const Direction direction = kDirections[++turn % kDirections.size()];
      const TapOrder order = kOrders[turn / 4 % kOrders.size()];
      const TapTable table = copy_table(rows, columns, kExtent, kExtent, map.channels, map.scalar);
      const auto raw = raw_gap(map, direction, order);
      ASSERT_EQ(raw, direct_raw_gap(table, direction, order)) << turn << " " << order;
      if (turn % 19 != 0) continue;
      ASSERT_EQ(raw, literal_raw_gap(table, direction, order)) << turn << " " << order;
    }
  }
}

}  // namespace
}  // namespace ripc::test
