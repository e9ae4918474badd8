// Formula and simulators against values that were found independently of both.
#include "debt/truth.h"

#include <gtest/gtest.h>

#include "debt/herringbone.h"
#include "debt/layers.h"
#include "debt/published.h"
#include "ripc/gap.h"
#include "simulate/herringbone.h"
#include "simulate/simulate.h"

namespace ripc::test {
namespace {

constexpr std::size_t kTruthRows = 562;

std::string text(std::optional<std::int64_t> raw) { return raw ? std::to_string(*raw) : "none"; }

std::int64_t clamped(const Layer& layer, Layout layout, std::optional<std::int64_t> raw) {
  const std::int64_t in = layout == Layout::padded ? padded_in_bytes(layer) : in_bytes(layer);
  return std::max({std::int64_t{0}, out_bytes(layer) - in, raw.value_or(0)});
}

class Truth : public testing::Test {
 protected:
  void SetUp() override {
    rows_ = read_table(kTruthFile, ',');
    if (rows_.empty()) GTEST_SKIP() << "no truth/layers.csv beside the checkout";
    ASSERT_EQ(rows_.size(), kTruthRows);
  }

  // Holds formula and direct simulator to the columns of one order.
  static void check(const Row& row, const Layer& layer, Direction direction, Layout layout, TapOrder order,
                    const std::string& column) {
    SCOPED_TRACE("id " + row.at("id") + ": " + describe(layer, direction, order, layout));
    const auto raw = raw_gap(layer, direction, order, layout);
    EXPECT_EQ(raw, direct_raw_gap(tap_table(layer, layout), direction, order));
    const std::string name = run_name(direction, layout) + column;
    EXPECT_EQ(workspace(layer, direction, order, layout).gap, number(row, "gap_" + name));
    EXPECT_EQ(clamped(layer, layout, raw), number(row, "gap_" + name));
    if (row.contains("raw_" + name)) {
      EXPECT_EQ(text(raw), row.at("raw_" + name));
    }
  }

  std::vector<Row> rows_;
};

TEST_F(Truth, GapsOfEveryDirectionLayoutAndOrder) {
  for (const Row& row : rows_) {
    const Layer layer = layer_of(row);
    check_layer(layer);
    for (const Direction direction : kDirections) {
      for (const Layout layout : kLayouts) {
        check(row, layer, direction, layout, kGathered, "_g");
        check(row, layer, direction, layout, kDirect, "_wsA");
        check(row, layer, direction, layout, kDirectOnOwnTap, "_wsB");
      }
    }
  }
}

TEST_F(Truth, GapsOfGroups) {
  for (const Row& row : rows_) {
    Layer layer = layer_of(row);
    layer.groups = number(row, "groups");
    for (const Direction direction : {Direction::row_forward, Direction::row_reverse}) {
      check(row, layer, direction, Layout::dense, kDirect, "_grpwsA");
      check(row, layer, direction, Layout::dense, kDirectOnOwnTap, "_grpwsB");
    }
  }
}

TEST_F(Truth, Extents) {
  for (const Row& row : rows_) {
    const Layer layer = layer_of(row);
    SCOPED_TRACE("id " + row.at("id"));
    EXPECT_EQ(out_height(layer), number(row, "Hout"));
    EXPECT_EQ(out_width(layer), number(row, "Wout"));
    EXPECT_EQ(padded_in_bytes(layer), number(row, "Nin_padded"));
    EXPECT_EQ(in_bytes(layer), number(row, "Nin_dense"));
    EXPECT_EQ(out_bytes(layer), number(row, "Nout"));
  }
}

TEST_F(Truth, Herringbone) {
  for (const Row& row : rows_) {
    const Layer layer = layer_of(row);
    SCOPED_TRACE("id " + row.at("id"));
    EXPECT_EQ(herringbone_gap(layer), number(row, "hb_frontier"));
    EXPECT_EQ(simulated_herringbone_gap(layer, Liveness::frontier), number(row, "hb_frontier"));
    EXPECT_EQ(simulated_herringbone_gap(layer, Liveness::unread_first), number(row, "hb_pruned"));
    EXPECT_EQ(simulated_herringbone_gap(layer, Liveness::unread_held), number(row, "hb_held"));
  }
}

// The literal simulator costs the square of a layer; the others of the 562 are covered through the direct simulator.
TEST_F(Truth, LiteralSteppingOfSmallLayers) {
  int stepped = 0;
  for (const Row& row : rows_) {
    const Layer layer = layer_of(row);
    if (padded_in_bytes(layer) + out_bytes(layer) > 1500) continue;
    ++stepped;
    for (const Direction direction : kDirections) {
      for (const Layout layout : kLayouts) {
        const TapTable table = tap_table(layer, layout);
        const std::string name = "gap_" + run_name(direction, layout);
        SCOPED_TRACE("id " + row.at("id") + " " + name);
        EXPECT_EQ(literal_gap(table, direction, kGathered), number(row, name + "_g"));
        EXPECT_EQ(literal_gap(table, direction, kDirect), number(row, name + "_wsA"));
        EXPECT_EQ(literal_gap(table, direction, kDirectOnOwnTap), number(row, name + "_wsB"));
      }
    }
  }
  EXPECT_GT(stepped, 200);
}

TEST_F(Truth, BreakpointFormsOfTheForwardOrder) {
  for (const Row& row : rows_) {
    const Layer layer = layer_of(row);
    SCOPED_TRACE("id " + row.at("id"));
    EXPECT_EQ(nine_breakpoint_gap(layer, 0), number(row, "gap_rf_pad_g"));
    EXPECT_EQ(nine_breakpoint_gap(layer, layer.out_channels), number(row, "gap_rf_pad_wsA"));
    EXPECT_EQ(dense_breakpoint_gap(layer, 0, Theorem13::repaired), number(row, "gap_rf_den_g"));
    EXPECT_EQ(dense_breakpoint_gap(layer, layer.out_channels, Theorem13::repaired), number(row, "gap_rf_den_wsA"));
  }
}

TEST(Table2, PublishedAndTrueHerringboneGaps) {
  const std::vector<Row> rows = read_table(kTable2File, '\t');
  if (rows.empty()) GTEST_SKIP() << "no paper/table2.tsv beside the checkout";
  ASSERT_EQ(rows.size(), 7U);
  for (const Row& row : rows) {
    const int size = static_cast<int>(number(row, "input"));
    const Layer square =
        layer({size, size}, {static_cast<int>(number(row, "cin")), static_cast<int>(number(row, "cout"))},
              {.kernel = number(row, "kernel")});
    EXPECT_EQ(gural_murmann_gap(square), number(row, "published"));
    EXPECT_EQ(corrected_gural_murmann_gap(square), number(row, "truth"));
    EXPECT_EQ(herringbone_gap(square), number(row, "truth"));
    EXPECT_EQ(simulated_herringbone_gap(square, Liveness::frontier), number(row, "truth"));
  }
}

}  // namespace
}  // namespace ripc::test
