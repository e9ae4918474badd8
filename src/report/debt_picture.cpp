#include "report/debt_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/bytes.h"
#include "report/debt_curve.h"
#include "report/escape.h"
#include "sweep/layer_text.h"

namespace ripc {
namespace {

constexpr double kWidth = 960, kMargin = 40;
constexpr double kGridTop = 92, kGridSide = 200;
constexpr double kMemoryTop = 128, kMemoryLeft = 560, kMemoryWidth = 360, kMemoryRow = 30;
constexpr double kCurveTop = 372, kCurveHeight = 190, kCurveLeft = 84;
constexpr double kHeight = kCurveTop + kCurveHeight + 52;

constexpr const char* kStyle = R"(<style>
svg { --page: #fff; --ink: #1d2125; --soft: #69727b; --line: #d3d8dc; --out: #2563eb; --in: #0d9488; --mark: #c2410c; }
@media (prefers-color-scheme: dark) {
  svg { --page: #15181b; --ink: #e6e8ea; --soft: #98a1a9; --line: #3a4148;
        --out: #60a5fa; --in: #2dd4bf; --mark: #fb923c; }
}
.page { fill: var(--page); }
text { font: 12px system-ui, sans-serif; fill: var(--soft); }
.title { font-size: 15px; font-weight: 600; fill: var(--ink); } .name { fill: var(--ink); font-weight: 600; }
.frame { fill: none; stroke: var(--line); } .rule { stroke: var(--line); stroke-width: .6; }
.padding { fill: none; stroke: var(--soft); stroke-dasharray: 3 3; }
.written { fill: var(--out); fill-opacity: .45; } .live { fill: var(--in); fill-opacity: .45; }
.tap { fill: none; stroke: var(--mark); stroke-width: 1.6; } .now { fill: var(--mark); }
.way { fill: none; stroke: var(--ink); stroke-opacity: .55; } .tip { fill: var(--ink); fill-opacity: .7; }
.debt { fill: none; stroke: var(--out); stroke-width: 1.6; } .area { fill: var(--out); fill-opacity: .1; }
.gap { stroke: var(--mark); stroke-dasharray: 6 4; } .mark { fill: var(--mark); font-weight: 600; }
</style>
)";

double real(std::int64_t value) { return static_cast<double>(value); }

std::string rectangle(const char* style, double x, double y, double width, double height) {
  return fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n", style, x, y,
                     width, height);
}

std::string line(const char* style, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"/>\n", style, x1, y1,
                     x2, y2);
}

std::string text(const char* style, const char* anchor, double x, double y, const std::string& words) {
  return fmt::format("<text class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\">{}</text>\n", style, x, y, anchor,
                     html_text(words));
}

bool by_columns(Direction direction) {
  return direction == Direction::column_forward || direction == Direction::column_reverse;
}

bool in_reverse(Direction direction) {
  return direction == Direction::row_reverse || direction == Direction::column_reverse;
}

/// A tensor's pixels on the page.
struct Grid {
  double left = 0, top = 0, cell = 1;
  std::int64_t height = 1, width = 1;

  double x(std::int64_t column) const { return left + cell * real(column); }
  double y(std::int64_t row) const { return top + cell * real(row); }
  std::string block(const char* style, std::int64_t row, std::int64_t column, std::int64_t rows,
                    std::int64_t columns) const {
    if (rows <= 0 || columns <= 0) return {};
    return rectangle(style, x(column), y(row), cell * real(columns), cell * real(rows));
  }
  std::string frame() const {
    std::string svg;
    if (cell >= 5) {
      for (std::int64_t r = 1; r < height; ++r) svg += line("rule", x(0), y(r), x(width), y(r));
      for (std::int64_t c = 1; c < width; ++c) svg += line("rule", x(c), y(0), x(c), y(height));
    }
    return svg + block("frame", 0, 0, height, width);
  }
};

/// The pixels from step `first` on to step `end` of a traversal, which are at most three blocks.
std::string stretch(const Grid& grid, Direction direction, const char* style, std::int64_t first, std::int64_t end) {
  const std::int64_t length = by_columns(direction) ? grid.height : grid.width;
  const std::int64_t lines = by_columns(direction) ? grid.width : grid.height;
  std::string svg;
  const auto add = [&](std::int64_t from_line, std::int64_t from, std::int64_t count, std::int64_t pixels) {
    if (in_reverse(direction)) {
      from_line = lines - from_line - count;
      from = length - from - pixels;
    }
    svg += by_columns(direction) ? grid.block(style, from, from_line, pixels, count)
                                 : grid.block(style, from_line, from, count, pixels);
  };
  while (first < end) {
    const std::int64_t within = first % length;
    const std::int64_t whole = within == 0 ? (end - first) / length : 0;
    const std::int64_t pixels = whole > 0 ? length : std::min(end - first, length - within);
    add(first / length, within, std::max<std::int64_t>(1, whole), pixels);
    first += whole > 0 ? whole * length : pixels;
  }
  return svg;
}

/// Arrows along some of the lines of a traversal.
std::string way(const Grid& grid, Direction direction) {
  const std::int64_t lines = by_columns(direction) ? grid.width : grid.height;
  const std::int64_t shown = std::min<std::int64_t>(lines, 16);
  std::string svg;
  for (std::int64_t i = 0; i < shown; ++i) {
    const std::int64_t at = i * lines / shown;
    double x1 = grid.x(0) + grid.cell / 2, x2 = grid.x(grid.width) - grid.cell / 2;
    double y1 = grid.y(at) + grid.cell / 2, y2 = y1;
    if (by_columns(direction)) {
      x1 = x2 = grid.x(at) + grid.cell / 2;
      y1 = grid.y(0) + grid.cell / 2;
      y2 = grid.y(grid.height) - grid.cell / 2;
    }
    if (in_reverse(direction)) {
      std::swap(x1, x2);
      std::swap(y1, y2);
    }
    svg += fmt::format("<path class=\"way\" d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}\" marker-end=\"url(#tip)\"/>\n", x1, y1,
                       x2, y2);
  }
  return svg;
}

/// What the figure is about.
struct Scene {
  const Layer& layer;
  const Configuration& configuration;
  DebtCurve curve;
  Workspace workspace;
  std::int64_t in_bytes = 0, out_bytes = 0;

  const DebtStep& peak() const { return curve.steps[curve.peak]; }
};

std::string output_grid(const Scene& scene) {
  Grid grid{.left = kMargin, .top = kGridTop, .height = out_height(scene.layer), .width = out_width(scene.layer)};
  grid.cell = std::min(18.0, kGridSide / real(std::max(grid.height, grid.width)));
  const Pixel now = scene.peak().pixel;
  std::string svg = text("name", "start", grid.left, kGridTop - 24,
                         fmt::format("output {}x{}x{}", grid.height, grid.width, scene.layer.out_channels));
  svg += text("", "start", grid.left, kGridTop - 9, "written before the peak");
  svg += stretch(grid, scene.configuration.direction, "written", 0, static_cast<std::int64_t>(scene.curve.peak));
  svg += grid.frame() + grid.block("now", now.row, now.column, 1, 1);
  return svg + way(grid, scene.configuration.direction);
}

std::string taps(const Scene& scene, const Grid& grid) {
  const Layer& layer = scene.layer;
  const bool padded = scene.configuration.layout == Layout::padded;
  const Pixel now = scene.peak().pixel;
  const std::int64_t top = now.row * layer.rows.stride - (padded ? 0 : layer.rows.pad_before);
  const std::int64_t left = now.column * layer.columns.stride - (padded ? 0 : layer.columns.pad_before);
  std::string svg;
  for (std::int64_t i = 0; i < layer.rows.kernel; ++i) {
    for (std::int64_t j = 0; j < layer.columns.kernel; ++j) {
      svg += grid.block("tap", top + i * layer.rows.dilation, left + j * layer.columns.dilation, 1, 1);
    }
  }
  return svg;
}

std::string input_grid(const Scene& scene) {
  const Layer& layer = scene.layer;
  const bool padded = scene.configuration.layout == Layout::padded;
  const Layer whole = padding_stored(layer);
  Grid grid{.left = kMargin + kGridSide + 50,
            .top = kGridTop,
            .height = stored_height(layer, scene.configuration.layout),
            .width = stored_width(layer, scene.configuration.layout)};
  grid.cell = std::min(18.0, kGridSide / real(std::max(whole.in_height, whole.in_width)));
  if (!padded) {
    grid.left = grid.x(layer.columns.pad_before);
    grid.top = grid.y(layer.rows.pad_before);
  }
  const std::int64_t pixels = grid.height * grid.width;
  const std::int64_t live = scene.peak().live ? *scene.peak().live / in_pitch(layer) : pixels;
  std::string svg = text("name", "start", kMargin + kGridSide + 50, kGridTop - 24,
                         fmt::format("input {}x{}x{}", layer.in_height, layer.in_width, layer.in_channels));
  svg += text("", "start", kMargin + kGridSide + 50, kGridTop - 9, "still needed, and the taps of the peak");
  svg += stretch(grid, scene.configuration.direction, "live", live, pixels) + grid.frame();
  if (whole.in_height != layer.in_height || whole.in_width != layer.in_width) {
    const std::int64_t row = padded ? layer.rows.pad_before : -layer.rows.pad_before;
    const std::int64_t column = padded ? layer.columns.pad_before : -layer.columns.pad_before;
    svg += padded ? grid.block("padding", row, column, layer.in_height, layer.in_width)
                  : grid.block("padding", row, column, whole.in_height, whole.in_width);
  }
  return svg + taps(scene, grid);
}

/// Both tensors in the one memory, at the peak.
std::string memory(const Scene& scene) {
  const bool reverse = in_reverse(scene.configuration.direction);
  const std::int64_t all = scene.workspace.bytes;
  const auto bar = [&](const char* style, double y, std::int64_t from, std::int64_t to) {
    if (reverse) {
      from = all - from;
      to = all - to;
      std::swap(from, to);
    }
    const double scale = kMemoryWidth / real(std::max<std::int64_t>(1, all));
    return to <= from ? std::string()
                      : rectangle(style, kMemoryLeft + scale * real(from), y, scale * real(to - from), kMemoryRow);
  };
  const double out_row = kMemoryTop, in_row = kMemoryTop + kMemoryRow + 8;
  const std::int64_t gap = all - scene.in_bytes;
  const std::int64_t live = scene.peak().live.value_or(scene.in_bytes);
  std::string svg =
      text("name", "start", kMemoryLeft, kGridTop - 24, fmt::format("one memory of {} bytes", grouped(all)));
  svg += text("", "start", kMemoryLeft, kGridTop - 9,
              reverse ? "the output grows down from its end" : "the output grows up from its start");
  svg += text("", "start", kMemoryLeft, out_row - 7,
              fmt::format("output: {} of {} bytes written", grouped(scene.peak().written), grouped(scene.out_bytes)));
  svg += bar("written", out_row, 0, scene.peak().written) + bar("frame", out_row, 0, scene.out_bytes);
  svg += bar("live", in_row, gap + live, gap + scene.in_bytes) + bar("frame", in_row, gap, gap + scene.in_bytes);
  const double below = in_row + kMemoryRow + 17;
  svg += text("", "start", kMemoryLeft, below,
              fmt::format("input: starts {} bytes {}, its first {} are free", grouped(gap),
                          reverse ? "below the end" : "up", grouped(live)));
  svg += text("mark", "start", kMemoryLeft, below + 26,
              fmt::format("debt {} - {} = {} bytes", grouped(scene.peak().written), grouped(live),
                          grouped(scene.peak().debt())));
  svg += text("", "start", kMemoryLeft, below + 44,
              fmt::format("gap {} bytes; two buffers would take {}", grouped(scene.workspace.gap),
                          grouped(scene.in_bytes + scene.out_bytes)));
  return svg;
}

/// A step of 1, 2 or 5 times a power of ten that divides `span` into about five.
std::int64_t tick(std::int64_t span) {
  std::int64_t step = 1;
  for (int i = 0; span / step > 6; ++i) step = i % 3 == 1 ? step / 2 * 5 : step * 2;
  return step;
}

/// The points of the curve worth drawing: all of them, or of each stretch the lowest and the highest.
std::vector<std::size_t> worth_drawing(const DebtCurve& curve) {
  constexpr std::size_t kMost = 700;
  const std::size_t count = curve.steps.size();
  const std::size_t stride = (count + kMost - 1) / kMost;
  std::vector<std::size_t> points;
  const auto less = [&](std::size_t a, std::size_t b) { return curve.steps[a].debt() < curve.steps[b].debt(); };
  for (std::size_t start = 0; start < count; start += stride) {
    std::size_t low = start, high = start;
    for (std::size_t i = start; i < std::min(count, start + stride); ++i) {
      if (less(i, low)) low = i;
      if (!less(i, high)) high = i;
    }
    points.push_back(std::min(low, high));
    if (low != high) points.push_back(std::max(low, high));
  }
  if (points.back() != count - 1) points.push_back(count - 1);
  return points;
}

std::string curve_panel(const Scene& scene) {
  const auto& steps = scene.curve.steps;
  std::int64_t low = 0, high = std::max<std::int64_t>(1, scene.workspace.gap);
  for (const DebtStep& step : steps) low = std::min(low, step.debt());
  const std::int64_t y_step = tick(high - low), x_step = tick(static_cast<std::int64_t>(steps.size()));
  const double width = kWidth - kMargin - kCurveLeft;
  const auto x = [&](std::size_t i) {
    return kCurveLeft +
           width * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(1, steps.size() - 1));
  };
  const auto y = [&](std::int64_t debt) { return kCurveTop + kCurveHeight * real(high - debt) / real(high - low); };

  std::string svg =
      text("name", "start", kMargin, kCurveTop - 30, "debt: bytes written less bytes that may be written over");
  for (std::int64_t debt = -(-low / y_step * y_step); debt <= high; debt += y_step) {
    svg += line("rule", kCurveLeft, y(debt), kWidth - kMargin, y(debt));
    svg += text("", "end", kCurveLeft - 8, y(debt) + 4, grouped(debt));
  }
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(steps.size()); i += x_step) {
    svg += text("", "middle", x(static_cast<std::size_t>(i)), kCurveTop + kCurveHeight + 18, grouped(i));
  }
  svg += text("", "middle", kCurveLeft + width / 2, kCurveTop + kCurveHeight + 38, "output pixels before this one");

  std::string path;
  for (const std::size_t i : worth_drawing(scene.curve)) {
    path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L", x(i), y(steps[i].debt()));
  }
  svg += fmt::format("<path class=\"area\" d=\"{}L{:.2f} {:.2f}L{:.2f} {:.2f}Z\"/>\n", path, x(steps.size() - 1), y(0),
                     x(0), y(0));
  svg += fmt::format("<path class=\"debt\" d=\"{}\"/>\n", path);
  svg += line("gap", kCurveLeft, y(scene.workspace.gap), kWidth - kMargin, y(scene.workspace.gap));

  const double peak_x = x(scene.curve.peak), peak_y = y(scene.peak().debt());
  svg += fmt::format("<circle class=\"now\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4.5\"/>\n", peak_x, peak_y);
  const bool on_the_right = peak_x > kWidth / 2;
  svg += text("mark", on_the_right ? "end" : "start", peak_x, peak_y - 10,
              fmt::format("peak {} at output {} (row {}, column {})", grouped(scene.peak().debt()),
                          grouped(static_cast<std::int64_t>(scene.curve.peak)), scene.peak().pixel.row,
                          scene.peak().pixel.column));
  return svg;
}

}  // namespace

std::string debt_picture_svg(const Layer& layer, const Configuration& configuration) {
  const auto& [direction, layout, order] = configuration;
  const Scene scene{.layer = layer,
                    .configuration = configuration,
                    .curve = debt_curve(layer, configuration),
                    .workspace = workspace(layer, direction, order, layout),
                    .in_bytes = layout == Layout::padded ? padded_in_bytes(layer) : in_bytes(layer),
                    .out_bytes = out_bytes(layer)};
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n",
      kWidth, kHeight);
  const std::string title = fmt::format("{}: {}, {}, {}", describe(layer), name_of(direction),
                                        layout == Layout::padded ? "padding stored" : "dense", name_of(order));
  svg += fmt::format("<title>{}</title>\n{}", html_text(title), kStyle);
  svg +=
      "<defs><marker id=\"tip\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"5\" markerHeight=\"5\" "
      "orient=\"auto\"><path class=\"tip\" d=\"M0 0L6 3L0 6Z\"/></marker></defs>\n";
  svg += rectangle("page", 0, 0, kWidth, kHeight) + text("title", "start", kMargin, 36, title);
  return svg + output_grid(scene) + input_grid(scene) + memory(scene) + curve_panel(scene) + "</svg>\n";
}

}  // namespace ripc
