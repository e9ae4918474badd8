// The ways of running a network: which are efficient, and the picture and page of them.
#include "report/pareto.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "report/axis.h"
#include "report/networks.h"
#include "report/pareto_page.h"
#include "report/pareto_picture.h"

namespace ripc::test {
namespace {

using Names = std::vector<std::string>;

std::vector<ParetoPoint> ways() {
  return {{.name = "plain", .arena_bytes = 80'000, .fused_stages = 0, .calls = 200, .fetched_bytes = 900'000},
          {.name = "stages", .arena_bytes = 20'000, .fused_stages = 8, .calls = 500, .fetched_bytes = 1'200'000},
          {.name = "streamed",
           .arena_bytes = 15'000,
           .fused_stages = 9,
           .calls = 600,
           .fetched_bytes = 1'400'000,
           .streamed = true},
          {.name = "blocks", .arena_bytes = 19'000, .fused_stages = 8, .calls = 2'500, .fetched_bytes = 1'700'000}};
}

Names names_of(const std::vector<ParetoPoint>& points) {
  Names names;
  for (const ParetoPoint& point : points) names.push_back(point.name);
  return names;
}

std::vector<std::smatch> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  return {std::sregex_iterator(text.begin(), text.end(), expression), std::sregex_iterator()};
}

/// Centres of the points, which alone among the circles say something, in the order in which they were given.
std::vector<std::pair<double, double>> centres(const std::string& svg) {
  std::vector<std::pair<double, double>> places;
  for (const std::smatch& match : matches(svg, "cx=\"([0-9.]+)\" cy=\"([0-9.]+)\" r=\"[0-9.]+\"><title>"))
    places.emplace_back(std::stod(match[1]), std::stod(match[2]));
  return places;
}

TEST(ParetoFront, KeepsWhatNothingBeats) {
  EXPECT_EQ(names_of(pareto_front(ways())), (Names{"streamed", "stages", "plain"}));
  std::vector<ParetoPoint> points = ways();
  points[3].calls = 550;  // between stages and streamed in both
  EXPECT_EQ(names_of(pareto_front(points)), (Names{"streamed", "blocks", "stages", "plain"}));
  points[3] = points[1];
  points[3].name = "twin";
  EXPECT_EQ(names_of(pareto_front(points)), (Names{"streamed", "stages", "twin", "plain"}));
  points[3].calls = 501;
  EXPECT_EQ(names_of(pareto_front(points)), (Names{"streamed", "stages", "plain"})) << "as small, more calls";
  for (ParetoPoint& point : points) point.calls.reset();
  EXPECT_TRUE(pareto_front(points).empty());
}

TEST(Axis, IsLogarithmicAcrossADecade) {
  const Axis linear = axis_of({13, 76}, RoundNumbers::decimal);
  EXPECT_FALSE(linear.logarithmic);
  EXPECT_EQ(linear.ticks, (std::vector<std::int64_t>{0, 20, 40, 60, 80}));
  EXPECT_DOUBLE_EQ(linear.place(0), 0);
  EXPECT_EQ(axis_of({13, 76}, RoundNumbers::binary).ticks, (std::vector<std::int64_t>{0, 16, 32, 48, 64, 80}));

  const Axis decades = axis_of({100, 10'000}, RoundNumbers::decimal);
  EXPECT_TRUE(decades.logarithmic);
  EXPECT_EQ(decades.ticks, (std::vector<std::int64_t>{100, 200, 500, 1'000, 2'000, 5'000, 10'000}));
  EXPECT_NEAR(decades.place(1'000), 0.5, 1e-12);
  EXPECT_EQ(axis_of({1, 1'000'000}, RoundNumbers::decimal).ticks,
            (std::vector<std::int64_t>{1, 10, 100, 1'000, 10'000, 100'000, 1'000'000}));
  EXPECT_FALSE(axis_of({0, 1'000}, RoundNumbers::decimal).logarithmic) << "there is no logarithm of 0";
}

TEST(Axis, ShowsEveryValueAndSomeTicks) {
  for (const RoundNumbers round : {RoundNumbers::decimal, RoundNumbers::binary}) {
    for (const std::vector<std::int64_t>& values : std::vector<std::vector<std::int64_t>>{
             {}, {0}, {1}, {7, 7}, {1, 9}, {1, 10}, {3, 1'000'000'000'000}, {99, 100}, {0, 5}}) {
      const Axis axis = axis_of(values, round);
      for (const std::int64_t value : values) {
        EXPECT_GE(axis.place(value), 0);
        EXPECT_LE(axis.place(value), 1);
      }
      EXPECT_GE(axis.ticks.size(), 2U);
      EXPECT_LE(axis.ticks.size(), 9U);
      for (const std::int64_t tick : axis.ticks) EXPECT_LE(std::abs(axis.place(tick) - 0.5), 0.5 + 1e-12);
    }
  }
}

TEST(ParetoPicture, HasAPointAndALabelARow) {
  const std::string svg = pareto_picture("net", ways());
  const auto places = centres(svg);
  ASSERT_EQ(places.size(), 4U);
  EXPECT_EQ(matches(svg, "class=\"label\"").size(), 4U);
  for (const ParetoPoint& point : ways()) EXPECT_NE(svg.find(">" + point.name + "</text>"), std::string::npos);
  EXPECT_EQ(matches(svg, "<circle class=\"rows\"[^>]*><title>streamed\n").size(), 1U);
  // Less memory lies to the left, more work above.
  EXPECT_LT(places[2].first, places[1].first);
  EXPECT_LT(places[1].first, places[0].first);
  EXPECT_LT(places[3].second, places[2].second);
  EXPECT_LT(places[1].second, places[0].second);
  EXPECT_NE(svg.find("arena 20,000 bytes (19.5 KiB)\n8 stages of several operators\n500 kernel calls\n"
                     "1,200,000 bytes fetched from flash</title>"),
            std::string::npos)
      << svg;
}

TEST(ParetoPicture, NamesAxesAndUnits) {
  const std::string svg = pareto_picture("net", ways());
  EXPECT_NE(svg.find(">RAM: bytes of the arena</text>"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">work: kernel calls in a run, logarithmic</text>"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">64.0 KiB</text>"), std::string::npos);
  EXPECT_NE(svg.find(">1,000</text>"), std::string::npos);
}

TEST(ParetoPicture, JoinsTheEfficientPointsByStairs) {
  const std::string svg = pareto_picture("net", ways());
  const auto places = centres(svg);
  const auto corners = [](std::initializer_list<std::pair<double, double>> list) {
    std::string text;
    for (const auto& [x, y] : list) text += fmt::format(" {:.1f},{:.1f}", x, y);
    return text.substr(1);
  };
  const auto [plain, stages, streamed, blocks] = std::tuple(places[0], places[1], places[2], places[3]);
  EXPECT_NE(svg.find("<polyline class=\"front\" points=\"" +
                     corners({streamed, {stages.first, streamed.second}, stages, {plain.first, stages.second}, plain})),
            std::string::npos)
      << svg;
  EXPECT_NE(svg.find("<polyline class=\"resident\" points=\"" + corners({blocks, {stages.first, blocks.second}})),
            std::string::npos)
      << svg;
  std::vector<ParetoPoint> whole = ways();
  whole.erase(whole.begin() + 2);
  EXPECT_EQ(pareto_picture("net", whole).find("<polyline class=\"resident\""), std::string::npos);
}

TEST(ParetoPicture, WithoutCallsShowsStagesAndNoFront) {
  std::vector<ParetoPoint> points = ways();
  for (ParetoPoint& point : points) point.calls = point.fetched_bytes = std::nullopt;
  const std::string svg = pareto_picture("net", points);
  EXPECT_NE(svg.find(">stages of several operators</text>"), std::string::npos) << svg;
  EXPECT_EQ(svg.find("<polyline"), std::string::npos);
  EXPECT_EQ(centres(svg).size(), 4U);
}

TEST(ParetoPage, EscapesNamesAndMarksWhatIsEfficient) {
  Graph graph = canonicalize(chain_graph());
  graph.name = "</title><script>alert(1)</script>";
  std::vector<ParetoPoint> points = ways();
  points[1].name = "<b>\"stages\" & more";
  const std::string page = pareto_page(graph, points);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(matches(page, "<tr><td>").size(), points.size());
  EXPECT_EQ(matches(page, "<td>yes</td>").size(), 3U);
  EXPECT_EQ(matches(page, "<td>no</td>").size(), 1U);
  EXPECT_NE(page.find("The least arena is 15,000 bytes, streamed: 18.8 % of what it takes plain, for 3.0 times the "
                      "kernel calls."),
            std::string::npos)
      << page;
  EXPECT_EQ(matches(page, "http").size(), matches(page, "http://www.w3.org/2000/svg").size());
}

TEST(ParetoPoints, AreThoseOfTheTable) {
  const Graph graph = canonicalize(chain_graph());
  const std::vector<ParetoPoint> points = pareto_points(graph, {});
  ASSERT_GE(points.size(), 3U);
  EXPECT_FALSE(points.front().streamed);
  for (const ParetoPoint& point : points)
    EXPECT_EQ(point.streamed, point.name.find("row by row") != std::string::npos) << point.name;
  EXPECT_EQ(centres(pareto_picture(graph.name, points)).size(), points.size());
}

}  // namespace
}  // namespace ripc::test
