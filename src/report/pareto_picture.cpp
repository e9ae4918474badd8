#include "report/pareto_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/axis.h"
#include "report/bytes.h"
#include "report/escape.h"

namespace ripc {
namespace {

constexpr double kWidth = 820, kHeight = 470;
constexpr double kLeft = 92, kRight = kWidth - 28, kTop = 76, kBottom = kHeight - 64;
constexpr double kRadius = 5.5, kCharacter = 6.5, kLine = 15;  ///< of a label: about what a character takes
constexpr std::size_t kLongestName = 80;

constexpr const char* kStyle = R"(<style>
.ways { max-width: 100%; height: auto; }
.ways text { font: 12px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #59636e; }
.ways .page { fill: #ffffff; } .ways .heading { fill: #1d2125; font-size: 14px; font-weight: 600; }
.ways .grid { stroke: #e4e7ea; } .ways .frame { fill: none; stroke: #8a949e; }
.ways .whole { fill: #4c8bf5; stroke: #2f6fdd; } .ways .rows { fill: #2fb588; stroke: #1c8f69; }
.ways .front { fill: none; stroke: #c2410c; stroke-width: 1.6; }
.ways .resident { fill: none; stroke: #4c8bf5; stroke-width: 1.4; stroke-dasharray: 5 4; }
.ways .label { fill: #14181c; paint-order: stroke; stroke: #ffffff; stroke-width: 3px; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) {
  .ways text { fill: #9aa4ad; }
  .ways .page { fill: #1b1f23; } .ways .heading { fill: #e6e8ea; }
  .ways .grid { stroke: #2c3238; } .ways .frame { stroke: #69727b; }
  .ways .whole { stroke: #7aabff; } .ways .rows { stroke: #54d6aa; }
  .ways .front { stroke: #fb923c; } .ways .resident { stroke: #7aabff; }
  .ways .label { fill: #f4f6f8; stroke: #1b1f23; }
}
</style>
)";

std::string text(const char* style, const char* anchor, double x, double y, const std::string& words) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", style, x, y, anchor,
                     html_text(words));
}

std::string line(const char* style, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", style, x1, y1,
                     x2, y2);
}

std::string dot(bool streamed, double x, double y, const std::string& inside) {
  return fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\">{}</circle>\n",
                     streamed ? "rows" : "whole", x, y, kRadius, inside);
}

std::int64_t work(const ParetoPoint& point) { return point.calls.value_or(point.fused_stages); }

/// Where values lie on the page.
struct Plot {
  Axis bytes, work;
  double x(std::int64_t value) const { return kLeft + (kRight - kLeft) * bytes.place(value); }
  double y(std::int64_t value) const { return kBottom - (kBottom - kTop) * work.place(value); }
};

Plot plot_of(const std::vector<ParetoPoint>& points) {
  std::vector<std::int64_t> bytes, works;
  for (const ParetoPoint& point : points) {
    bytes.push_back(point.arena_bytes);
    works.push_back(work(point));
  }
  return {.bytes = axis_of(bytes, RoundNumbers::binary), .work = axis_of(works, RoundNumbers::decimal)};
}

std::string axes(const Plot& plot, bool calls) {
  std::string svg;
  for (const std::int64_t tick : plot.bytes.ticks) {
    const double x = plot.x(tick);
    svg += line("grid", x, kTop, x, kBottom) + text("tick", "middle", x, kBottom + 18, human_bytes(tick));
  }
  for (const std::int64_t tick : plot.work.ticks) {
    const double y = plot.y(tick);
    svg += line("grid", kLeft, y, kRight, y) + text("tick", "end", kLeft - 8, y + 4, grouped(tick));
  }
  svg += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", kLeft, kTop,
                     kRight - kLeft, kBottom - kTop);
  const auto scale = [](const Axis& axis) { return axis.logarithmic ? ", logarithmic" : ""; };
  svg += text("axis", "middle", (kLeft + kRight) / 2, kBottom + 44,
              fmt::format("RAM: bytes of the arena{}", scale(plot.bytes)));
  return svg + fmt::format(
                   "<text class=\"axis\" text-anchor=\"middle\" transform=\"translate(20 {:.1f}) "
                   "rotate(-90)\">{}{}</text>\n",
                   (kTop + kBottom) / 2, calls ? "work: kernel calls in a run" : "stages of several operators",
                   scale(plot.work));
}

struct Corner {
  double x = 0, y = 0;
};

/// The line along the least work that the bytes allow: level to the next point, then down to it. Empty for one point.
std::vector<Corner> stairs(const Plot& plot, const std::vector<ParetoPoint>& front) {
  std::vector<Corner> corners;
  for (const ParetoPoint& point : front) {
    const double x = plot.x(point.arena_bytes);
    if (!corners.empty()) corners.push_back({x, corners.back().y});
    corners.push_back({x, plot.y(work(point))});
  }
  if (front.size() < 2) corners.clear();
  return corners;
}

std::string polyline(const char* style, const std::vector<Corner>& corners) {
  if (corners.empty()) return {};
  std::string places;
  for (const Corner& corner : corners) places += fmt::format(" {:.1f},{:.1f}", corner.x, corner.y);
  return fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n", style, places.substr(1));
}

std::string legend(const std::vector<ParetoPoint>& points, bool front, bool resident) {
  std::string svg;
  double x = kLeft;
  const auto add = [&](const std::string& mark, const std::string& words) {
    svg += fmt::format("<g class=\"legend\" transform=\"translate({:.1f} 54)\">{}{}</g>\n", x, mark,
                       text("name", "start", 28, 4, words));
    x += 52 + kCharacter * static_cast<double>(words.size());
  };
  add(dot(false, 14, 0, ""), "input in the arena");
  if (std::ranges::any_of(points, &ParetoPoint::streamed)) add(dot(true, 14, 0, ""), "input row by row");
  if (front) add(line("front", 4, 0, 24, 0), "fewest calls for the RAM");
  if (resident) add(line("resident", 4, 0, 24, 0), "with the input in the arena");
  return svg;
}

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  /// Square pixels that both cover.
  double shared(const Box& other) const {
    const double wide = std::min(right, other.right) - std::max(left, other.left);
    const double high = std::min(bottom, other.bottom) - std::max(top, other.top);
    return std::max(0.0, wide) * std::max(0.0, high);
  }
  double area() const { return (right - left) * (bottom - top); }
};

struct Label {
  const char* anchor = "start";
  double x = 0, y = 0;  ///< of the line on which the letters stand
  Box box{};
};

/// The places of a label around its point, the nearest first.
std::vector<Label> places_of(double x, double y, double width) {
  std::vector<Label> places;
  const auto add = [&](const char* anchor, double at, double left, double below) {
    places.push_back({.anchor = anchor,
                      .x = at,
                      .y = y + below + 4,
                      .box = {left, y + below - kLine / 2, left + width, y + below + kLine / 2}});
  };
  for (const double below : {0.0, -kLine, kLine, -2 * kLine, 2 * kLine}) {
    const double away = kRadius + (below == 0 ? 5 : 1);
    add("start", x + away, x + away, below);
    add("end", x - away, x - away - width, below);
    if (below != 0) add("middle", x, x - width / 2, below);
  }
  return places;
}

std::vector<Box> boxes_along(const std::vector<Corner>& corners) {
  std::vector<Box> boxes;
  for (std::size_t i = 1; i < corners.size(); ++i) {
    const auto [left, right] = std::minmax(corners[i - 1].x, corners[i].x);
    const auto [top, bottom] = std::minmax(corners[i - 1].y, corners[i].y);
    boxes.push_back({left - 1, top - 1, right + 1, bottom + 1});
  }
  return boxes;
}

/// Each label where it stays inside and covers least of the labels before it, of other points and what is near them,
/// and of `taken`.
std::string labels(const Plot& plot, const std::vector<ParetoPoint>& points, std::vector<Box> taken) {
  const Box inside{kLeft, kTop, kRight, kBottom};
  std::string svg;
  for (const ParetoPoint& point : points) {
    const std::string name = shortened(point.name, kLongestName);
    const double x = plot.x(point.arena_bytes), y = plot.y(work(point));
    std::vector<Box> others = taken;
    for (const ParetoPoint& other : points) {
      if (other.arena_bytes == point.arena_bytes && work(other) == work(point)) continue;
      const double there = plot.x(other.arena_bytes), up = plot.y(work(other)), near = 1.5 * kRadius;
      others.push_back({there - near, up - near, there + near, up + near});
    }
    const std::vector<Label> places = places_of(x, y, kCharacter * static_cast<double>(character_count(name)));
    const Label place = *std::ranges::min_element(places, {}, [&](const Label& label) {
      double covered = label.box.area() - label.box.shared(inside);
      for (const Box& box : others) covered += label.box.shared(box);
      return covered;
    });
    taken.push_back(place.box);
    svg += text("label", place.anchor, place.x, place.y, name);
  }
  return svg;
}

/// What a browser says of a point, a line each.
std::string details(const ParetoPoint& point) {
  std::string lines = html_text(point.name) + "\narena " + exact_and_human(point.arena_bytes);
  lines += fmt::format("\n{} stages of several operators", grouped(point.fused_stages));
  if (point.calls) lines += fmt::format("\n{} kernel calls", grouped(*point.calls));
  if (point.fetched_bytes) lines += fmt::format("\n{} bytes fetched from flash", grouped(*point.fetched_bytes));
  return "<title>" + lines + "</title>";
}

}  // namespace

std::string pareto_picture(const std::string& name, const std::vector<ParetoPoint>& points) {
  const Plot plot = plot_of(points);
  const bool calls = std::ranges::all_of(points, [](const ParetoPoint& point) { return point.calls.has_value(); });
  std::vector<ParetoPoint> whole = points;
  std::erase_if(whole, &ParetoPoint::streamed);
  const std::vector<ParetoPoint> front = pareto_front(points), whole_front = pareto_front(whole);
  const bool same = std::ranges::equal(front, whole_front, {}, &ParetoPoint::name, &ParetoPoint::name);
  const std::vector<Corner> best = stairs(plot, front);
  const std::vector<Corner> resident = same ? std::vector<Corner>{} : stairs(plot, whole_front);
  std::vector<Box> lines = boxes_along(best);
  for (const Box& box : boxes_along(resident)) lines.push_back(box);

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ways\" role=\"img\" aria-label=\"memory and work of each way "
      "of running the network\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n{2}"
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
      kWidth, kHeight, kStyle);
  svg += text("heading", "start", 20, 28, "Ways of running " + shortened(name, kLongestName));
  svg += legend(points, !best.empty(), !resident.empty()) + axes(plot, calls) + polyline("resident", resident) +
         polyline("front", best);
  for (const ParetoPoint& point : points) {
    svg += dot(point.streamed, plot.x(point.arena_bytes), plot.y(work(point)), details(point));
  }
  return svg + labels(plot, points, lines) + "</svg>\n";
}

}  // namespace ripc
