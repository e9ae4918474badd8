#include "report/memory_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/bytes.h"

namespace ripc {
namespace {

constexpr double kLeft = 76, kTop = 22, kHeight = 420, kBottom = 46, kRight = 16;
constexpr std::size_t kHues = 6;

/// From time and address to the picture.
struct Scale {
  double column = 0;     ///< width of a step
  std::int64_t top = 1;  ///< bytes at the upper edge
  std::int64_t steps = 0;

  double x(std::int64_t time) const { return kLeft + column * static_cast<double>(time); }
  double y(std::int64_t address) const {
    return kTop + kHeight * (1 - static_cast<double>(address) / static_cast<double>(top));
  }
  double width() const { return x(steps) + kRight; }
};

Scale scale_of(const Account& account) {
  Scale scale;
  scale.steps = static_cast<std::int64_t>(account.rows.size()) + 2;
  scale.column = std::clamp(960.0 / static_cast<double>(scale.steps), 14.0, 160.0);
  scale.top = std::max<std::int64_t>({1, account.in_place.bytes, account.in_place.lower_bound});
  return scale;
}

/// A round number of bytes between two lines of the grid.
std::int64_t grid_step(std::int64_t top) {
  std::int64_t step = 1;
  while (top / step > 8) step *= 2;
  return step;
}

std::string grid(const Scale& scale) {
  std::string svg;
  const std::int64_t step = grid_step(scale.top);
  for (std::int64_t address = 0; address <= scale.top; address += step) {
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text class=\"axis\" x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        kLeft, scale.x(scale.steps), scale.y(address), kLeft - 8, scale.y(address) + 4, human_bytes(address));
  }
  return svg;
}

/// Names of the steps, as many as there is room for.
std::string step_labels(const Scale& scale, const Account& account) {
  std::string svg;
  const auto label = [&](std::int64_t time, const std::string& text) {
    svg += fmt::format("<text class=\"axis\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                       scale.x(time) + scale.column / 2, kTop + kHeight + 16, text);
  };
  const auto every = static_cast<std::int64_t>(26 / scale.column) + 1;
  label(0, "in");
  for (std::int64_t row = 0; row < std::ssize(account.rows); ++row) {
    const bool room = row == 0 || std::ssize(account.rows) - row >= every;  // beside "out"
    if (row % every == 0 && room) label(row + 1, std::to_string(account.rows[static_cast<std::size_t>(row)].source));
  }
  label(scale.steps - 1, "out");
  svg += fmt::format(
      "<text class=\"axis\" x=\"{:.1f}\" y=\"{:.1f}\">operator of the model file, in the order of execution</text>\n",
      kLeft, kTop + kHeight + 36);
  return svg;
}

std::string block_title(const Graph& graph, const Block& block) {
  const std::string place = fmt::format("{} bytes at {} to {}", grouped(block.bytes), grouped(block.offset),
                                        grouped(block.offset + block.bytes));
  if (block.kind == BlockKind::tensor) {
    const Tensor& tensor = graph.tensors[static_cast<std::size_t>(block.tensor)];
    return fmt::format("{} - {} {} - {}", tensor.name, type_name(tensor.type), shape_text(tensor.shape), place);
  }
  const Op& op = graph.ops[static_cast<std::size_t>(block.op)];
  return fmt::format("{} of {} {} - {}", block.kind == BlockKind::scratch ? "scratch" : "kept rows", kind_name(op),
                     op.source, place);
}

std::string block_svg(const Graph& graph, const Scale& scale, const Block& block, std::size_t index) {
  const double x = scale.x(block.first), width = scale.x(block.last + 1) - x;
  const double y = scale.y(block.offset + block.bytes), height = scale.y(block.offset) - y;
  const bool tensor = block.kind == BlockKind::tensor;
  return fmt::format(
      "<g class=\"{}\"><title>{}</title><rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"{:.1f}\" height=\"{:.2f}\" "
      "rx=\"2\"/></g>\n",
      tensor ? fmt::format("tensor hue{}", index % kHues) : "scratch", html_text(block_title(graph, block)), x + 0.5, y,
      width - 1, std::max(height, 0.5));
}

/// The shape of a tensor in the middle of its rectangle, if there is room.
std::string block_label(const Graph& graph, const Scale& scale, const Block& block) {
  if (block.kind != BlockKind::tensor) return "";
  const std::string label = shape_text(graph.tensors[static_cast<std::size_t>(block.tensor)].shape);
  const double width = scale.x(block.last + 1) - scale.x(block.first);
  const double top = scale.y(block.offset + block.bytes), bottom = scale.y(block.offset);
  if (bottom - top < 14 || width < 6.4 * static_cast<double>(label.size()) + 8) return "";
  return fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                     scale.x(block.first) + width / 2, (top + bottom) / 2 + 4, label);
}

/// The column of the operator that the arena's size is due to.
std::string peak_mark(const Scale& scale, const Account& account) {
  const OpRow* op = peak_row(account);
  if (op == nullptr) return "";
  const double x = scale.x(op - account.rows.data() + 1);
  return fmt::format(
      "<g class=\"peak\"><title>peak: {} {} - {} bytes in use</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
      "height=\"{:.1f}\"/><text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">peak</text></g>\n",
      op->kind, op->source, grouped(op->live_bytes), x, kTop, scale.column, kHeight, x + scale.column / 2, kTop - 6);
}

/// A line across the map at `address`, and what it stands for.
std::string level(const Scale& scale, const char* css, std::int64_t address, double lift, const std::string& text) {
  return fmt::format(
      "<line class=\"{0}\" x1=\"{1:.1f}\" x2=\"{2:.1f}\" y1=\"{3:.1f}\" y2=\"{3:.1f}\"/>"
      "<text class=\"{0}\" x=\"{2:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
      css, kLeft, scale.x(scale.steps), scale.y(address), scale.y(address) + lift, text);
}

}  // namespace

std::string html_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) safe += c;
    }
  }
  return safe;
}

std::string memory_map_svg(const Graph& graph, const Account& account) {
  const Scale scale = scale_of(account);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"memory map\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n"
      "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\">"
      "<line class=\"hatch\" y2=\"5\"/></pattern></defs>\n",
      scale.width(), kTop + kHeight + kBottom);
  svg += grid(scale);
  for (std::size_t i = 0; i < account.blocks.size(); ++i) svg += block_svg(graph, scale, account.blocks[i], i);
  for (const Block& block : account.blocks) svg += block_label(graph, scale, block);
  svg += peak_mark(scale, account);
  svg +=
      level(scale, "bound", account.in_place.lower_bound, 14,
            account.in_place.proven ? "arena = lower bound" : "lower bound " + grouped(account.in_place.lower_bound));
  svg += step_labels(scale, account);
  return svg + "</svg>\n";
}

}  // namespace ripc
