// The figure of a layer: its curve is the theory's, its text well-formed.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/debt_curve.h"
#include "report/debt_picture.h"
#include "ripc/gap.h"
#include "sweep/configuration.h"
#include "sweep/generators.h"
#include "sweep/layer_text.h"

namespace ripc::test {
namespace {

TEST(DebtCurve, PeaksAtTheRawGap) {
  for (std::int64_t i = 0; i < 300; ++i) {
    const Layer layer = generated_layer(23, i);
    for (const Configuration& configuration : kConfigurations) {
      const DebtCurve curve = debt_curve(layer, configuration);
      ASSERT_EQ(static_cast<std::int64_t>(curve.steps.size()), out_height(layer) * out_width(layer));
      std::int64_t most = 0;
      for (const DebtStep& step : curve.steps) most = std::max(most, step.debt());
      const auto raw = raw_gap(layer, configuration.direction, configuration.order, configuration.layout);
      EXPECT_EQ(most, std::max<std::int64_t>(0, raw.value_or(0)))
          << layer_command(layer) << " " << column_of(configuration);
      EXPECT_EQ(std::max<std::int64_t>(0, curve.steps[curve.peak].debt()), most);
    }
  }
}

TEST(DebtCurve, VisitsEveryPixelInTheOrderOfItsDirection) {
  const Layer layer = parse_layer("5x4x1 --conv 3x3x2");  // 3 x 2 outputs
  const auto visit = [&](Direction direction) {
    std::string pixels;
    for (const DebtStep& step : debt_curve(layer, {direction, Layout::dense, kGathered}).steps) {
      pixels += std::to_string(step.pixel.row) + std::to_string(step.pixel.column) + " ";
    }
    return pixels;
  };
  EXPECT_EQ(visit(Direction::row_forward), "00 01 10 11 20 21 ");
  EXPECT_EQ(visit(Direction::row_reverse), "21 20 11 10 01 00 ");
  EXPECT_EQ(visit(Direction::column_forward), "00 10 20 01 11 21 ");
  EXPECT_EQ(visit(Direction::column_reverse), "21 11 01 20 10 00 ");
}

/// Every element is closed, in order, and every attribute is quoted; no entity but the five of XML.
bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  bool root_closed = false;
  for (std::size_t i = 0; i < xml.size(); ++i) {
    if (xml[i] == '&') {
      const std::string entity = xml.substr(i + 1, xml.find(';', i) - i - 1);
      if (entity != "amp" && entity != "lt" && entity != "gt" && entity != "quot" && entity != "#39") return false;
    }
    if (xml[i] != '<') continue;
    const std::size_t end = xml.find('>', i);
    if (end == std::string::npos || root_closed) return false;
    const std::string tag = xml.substr(i + 1, end - i - 1);
    if (tag.find('<') != std::string::npos || std::count(tag.begin(), tag.end(), '"') % 2 != 0) return false;
    if (tag.front() == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
      root_closed = open.empty();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    i = end;
  }
  return open.empty() && root_closed;
}

TEST(DebtPicture, IsWellFormedForEveryConfiguration) {
  EXPECT_FALSE(is_well_formed("<a><b></a></b>"));
  for (const char* words :
       {"14x14x1 --conv 3x3x5 --pad same", "1x1x1 --conv 1x1x1", "224x224x3 --conv 3x3x8 --pad 100",
        "9x1x4 --depthwise 3x1 --stride 2 --pad 1,1,0,0", "1x3x1 --conv 1x1x1 --stride 5 --pad 0,0,2,2"}) {
    const Layer layer = parse_layer(words);
    for (const Configuration& configuration : kConfigurations) {
      const std::string svg = debt_picture_svg(layer, configuration);
      SCOPED_TRACE(std::string(words) + " " + column_of(configuration));
      EXPECT_TRUE(is_well_formed(svg));
      EXPECT_EQ(svg.find("nan"), std::string::npos);
      EXPECT_EQ(svg.find("inf"), std::string::npos);
      EXPECT_LT(svg.size(), 400'000U);
    }
  }
}

TEST(DebtPicture, NamesPeakAndGap) {
  const Layer layer = parse_layer("14x14x1 --conv 3x3x5");
  const Configuration configuration{Direction::row_forward, Layout::dense, kGathered};
  const std::string svg = debt_picture_svg(layer, configuration);
  EXPECT_NE(svg.find("peak 550 at output 143 (row 11, column 11)"), std::string::npos);
  EXPECT_NE(svg.find("gap 550 bytes"), std::string::npos);
  EXPECT_NE(svg.find("one memory of 746 bytes"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
}

}  // namespace
}  // namespace ripc::test
