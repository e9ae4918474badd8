// The rows that a stage's tensors hold while it runs, and how the memory map draws them.
#include "report/stage_fill.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/memory_map.h"
#include "report/networks.h"

namespace ripc::test {
namespace {

const StageFill& fill_of(const Reported& made, const std::vector<StageFill>& fills, TensorId tensor) {
  const auto found = std::ranges::find_if(
      fills, [&](const StageFill& fill) { return made.account.blocks[fill.block].tensor == tensor; });
  if (found == fills.end()) throw std::out_of_range("no fill");
  return *found;
}

/// The bent plan's fills, for a stage of expand, depthwise and project over an image of 10 rows of 24 bytes.
struct Filled {
  Reported made = staged();
  std::vector<StageFill> fills;

  explicit Filled(bool reverse = false) {
    made.plan.schedule.stages[0].reverse = reverse;
    fills = stage_fills(made.graph, made.plan, made.account.blocks);
  }
  const std::vector<FillLevel>& levels(std::size_t op) const {
    const Op& of = made.graph.ops[op];
    return fill_of(made, fills, of.output).levels;
  }
  const std::vector<FillLevel>& image() const { return fill_of(made, fills, made.graph.inputs[0]).levels; }
};

TEST(StageFill, AnInputShrinksAsItsRowsAreReadALastTime) {
  const Filled filled;
  ASSERT_EQ(filled.image().size(), 11U);
  for (std::int64_t row = 0; row <= 10; ++row) {
    EXPECT_EQ(filled.image()[static_cast<std::size_t>(row)].low, 24 * row);
    EXPECT_EQ(filled.image()[static_cast<std::size_t>(row)].high, 240);
  }
  EXPECT_EQ(filled.image()[0].part, 0);
  EXPECT_DOUBLE_EQ(filled.image()[1].part, 1.0 / 30);
  EXPECT_DOUBLE_EQ(filled.image()[2].part, 2.0 / 30);
}

TEST(StageFill, AnOutputGrowsAndStays) {
  const Filled filled;
  EXPECT_EQ(filled.levels(2).front(), (FillLevel{0, 0, 0}));
  EXPECT_EQ(filled.levels(2).back(), (FillLevel{1, 0, 240}));
  EXPECT_EQ(filled.levels(2).size(), 11U);
}

TEST(StageFill, InReverseBothGoTheOtherWay) {
  const Filled filled(true);
  EXPECT_EQ(filled.image()[1].low, 0);
  EXPECT_EQ(filled.image()[1].high, 216);
  EXPECT_EQ(filled.levels(2)[1].low, 216);
  EXPECT_EQ(filled.levels(2)[1].high, 240);
}

/// Depthwise needs three expanded rows, two at the ends, and project one row of its own.
TEST(StageFill, ARingHoldsWhatIsStillRead) {
  const Filled filled;
  std::int64_t most = 0;
  for (const FillLevel& level : filled.levels(0)) {
    EXPECT_EQ(level.low, 240);
    most = std::max(most, level.high - level.low);
  }
  EXPECT_EQ(most, 3 * 72);
  EXPECT_EQ(filled.levels(0).back().high, 240);
  EXPECT_EQ(filled.levels(1).front().high, filled.levels(1).back().high);
}

/// The depthwise rows follow the dead slot around the expanded ones.
TEST(StageFill, ARowThatIsAloneIsDrawnInItsSlot) {
  Filled filled;
  Storage& guest = filled.made.plan.storages[2];
  guest.offset = 240;
  guest.slots = 3;
  guest.first_slot = 1;
  filled.made.account.blocks = blocks_of(filled.made.graph, filled.made.plan, {});
  filled.fills = stage_fills(filled.made.graph, filled.made.plan, filled.made.account.blocks);
  std::int64_t row = 0;
  for (const FillLevel& level : filled.levels(1)) {
    if (level.low == level.high) continue;
    EXPECT_EQ(level.low, 240 + 72 * ((1 + row++) % 3));
    EXPECT_EQ(level.high - level.low, 72);
  }
  EXPECT_EQ(row, 10);
}

TEST(StageFill, IsOfStagesOfSeveralOperators) {
  const Reported made = reported(chain_graph());
  EXPECT_TRUE(stage_fills(made.graph, made.plan, made.account.blocks).empty());
}

TEST(StageFill, IsDrawnWithinTheFrameOfTheStage) {
  Filled filled;
  filled.made.account.fills = filled.fills;
  const std::string svg = memory_map_svg(filled.made.graph, filled.made.account);
  std::size_t paths = 0;
  for (std::size_t at = svg.find("class=\"fill "); at != std::string::npos; at = svg.find("class=\"fill ", at + 1)) {
    ++paths;
    const std::size_t path = svg.find("d=\"M", at);
    const std::string d = svg.substr(path, svg.find("Z\"", path) - path);
    EXPECT_EQ(std::ranges::count(d, 'V') + 1, std::ranges::count(d, 'H')) << d;  // Z closes it
  }
  EXPECT_EQ(paths, 4U);
}

}  // namespace
}  // namespace ripc::test
