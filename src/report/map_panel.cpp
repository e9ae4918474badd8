#include "report/map_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/bytes.h"
#include "report/escape.h"

namespace ripc {
namespace {

constexpr double kCharacter = 6.6, kLine = 12;  // of 11 pixel text, about
constexpr std::size_t kHues = 6;

double text_width(const std::string& text) { return kCharacter * static_cast<double>(character_count(text)) + 6; }

/// A panel with what is derived from it.
struct Drawing {
  const MapScale& scale;
  const MapPanel& panel;
  std::vector<std::pair<std::size_t, std::size_t>> columns;  ///< first and last, by time

  double y(std::int64_t address) const {
    return panel.top + scale.pixels_per_byte * static_cast<double>(panel.bytes - address);
  }
  Stretch across(std::int64_t first, std::int64_t last) const {
    return {scale.x(columns[static_cast<std::size_t>(first)].first),
            scale.x(columns[static_cast<std::size_t>(last)].second) + scale.active};
  }
  Stretch down(std::int64_t offset, std::int64_t bytes) const {
    constexpr double kThinnest = 1.5;
    const double bottom = y(offset);
    return {std::min(y(offset + bytes), bottom - kThinnest), bottom};
  }
};

Drawing drawing_of(const MapScale& scale, const MapPanel& panel) {
  Drawing drawing{.scale = scale, .panel = panel, .columns = {{0, 0}}};
  const std::vector<OpRow>& rows = panel.arena.rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && rows[i].stage == rows[i - 1].stage) {
      drawing.columns.back().second = i + 1;
    } else {
      drawing.columns.emplace_back(i + 1, i + 1);
    }
  }
  drawing.columns.emplace_back(rows.size() + 1, rows.size() + 1);
  return drawing;
}

/// A way of writing a label, and how wide the place for it must be.
struct Wording {
  std::vector<std::string> lines;
  bool upright = true;  ///< false: turned to read upwards
  double needs = 0;
};

Wording across_wording(std::vector<std::string> lines) {
  double needs = 0;
  for (const std::string& line : lines) needs = std::max(needs, text_width(line));
  return {.lines = std::move(lines), .upright = true, .needs = needs};
}

Wording upward_wording(std::string line) { return {.lines = {std::move(line)}, .upright = false, .needs = kLine}; }

std::string text_element(const Wording& wording, bool shown, double x, double y) {
  std::string svg = fmt::format("<text data-w=\"{}\"{} transform=\"translate({} {}){}>", coordinate(wording.needs),
                                shown ? "" : " class=\"off\"", coordinate(x), coordinate(y),
                                wording.upright ? "\"" : "rotate(-90)\" dy=\"4\"");
  if (wording.lines.size() == 1) return svg + html_text(wording.lines.front()) + "</text>";
  for (std::size_t i = 0; i < wording.lines.size(); ++i) {
    svg += fmt::format("<tspan x=\"0\"{}>{}</tspan>", i == 0 ? "" : " dy=\"12\"", html_text(wording.lines[i]));
  }
  return svg + "</text>";
}

/// The first wording that fits into `room`. If `full`, the first and the last are there too, hidden, for a reader that
/// zooms.
std::string label(const std::vector<Wording>& wordings, double room, double x, double y, bool full) {
  const auto shown = std::ranges::find_if(wordings, [&](const Wording& wording) { return wording.needs <= room; });
  if (!full && shown == wordings.end()) return "";
  std::string svg = fmt::format("<g data-room=\"{}\">", coordinate(room));
  for (auto wording = wordings.begin(); wording != wordings.end(); ++wording) {
    const bool kept = full && (wording == wordings.begin() || wording + 1 == wordings.end());
    if (wording != shown && !kept) continue;
    const auto lines = static_cast<double>(wording->lines.size());
    const double lift = wording->upright ? 4 - kLine * (lines - 1) / 2 : 0;
    svg += text_element(*wording, wording == shown, x, y + lift);
  }
  return svg + "</g>\n";
}

/// The widest part of a block's life in which no other block has most of its bytes, with half of what borders on it.
Stretch label_place(const Drawing& drawing, std::size_t index) {
  const ArenaView& arena = drawing.panel.arena;
  const Block& block = arena.blocks[index];
  const Stretch all = drawing.across(block.first, block.last);
  Stretch best{all.from, all.from};
  double from = all.from;
  const auto offer = [&](double to) {
    if (to - from > best.width()) best = {from, to};
  };
  bool covered = false;
  for (const Overlap& overlap : arena.overlaps) {  // by time
    if ((overlap.older != index && overlap.younger != index) || 2 * overlap.bytes < block.bytes) continue;
    const Stretch taken = drawing.across(overlap.first, overlap.last);
    covered = true;
    offer(taken.from);
    from = std::max(from, taken.to);
  }
  if (!covered) return all;
  offer(all.to);
  if (best.width() <= 0) return all;
  const double reach = 0.45 * drawing.scale.active;
  const double half = best.width() / 2 + reach;
  const double side = std::min({half, best.middle() - all.from, all.to - best.middle()});
  return {best.middle() - side, best.middle() + side};
}

std::string block_label(const Drawing& drawing, std::size_t index) {
  const ArenaView& arena = drawing.panel.arena;
  const Block& block = arena.blocks[index];
  const Stretch down = drawing.down(block.offset, block.bytes);
  const double height = down.width();
  if (block.tensor == kNoTensor || height < kLine + 1) return "";
  const std::string name = shortened(block_name(arena, block), 30);
  const std::string bytes = grouped(block.bytes) + " B";
  std::string shape = shape_text(arena.graph.tensors[static_cast<std::size_t>(block.tensor)].shape);
  if (block.kind == BlockKind::ring) shape = fmt::format("{} rows of {}", block.rows, shape);
  std::vector<Wording> wordings;
  if (height >= 3 * kLine + 2) {
    wordings.push_back(across_wording({name, shape, bytes}));
    wordings.push_back(across_wording({shortened(name, 16), shape, bytes}));
    wordings.push_back(across_wording({shape, bytes}));
  } else if (height >= 2 * kLine + 2) {
    wordings.push_back(across_wording({name, shape + "  " + bytes}));
    wordings.push_back(across_wording({shortened(name, 20), shape + "  " + bytes}));
    wordings.push_back(across_wording({shape, bytes}));
  } else {
    wordings.push_back(across_wording({name + "  " + shape + "  " + bytes}));
    wordings.push_back(across_wording({bytes}));
  }
  for (const std::string& line : {name + "  " + shape + "  " + bytes, shape + "  " + bytes, shape, bytes}) {
    if (text_width(line) > height) continue;
    wordings.push_back(upward_wording(line));
    break;
  }
  const Stretch place = label_place(drawing, index);
  return label(wordings, place.width(), place.middle(), down.middle(), drawing.panel.full);
}

/// The gap, near the upper edge of the overlap, so that the names in the middle of the blocks stay clear.
std::string overlap_label(const Drawing& drawing, const Overlap& overlap) {
  const Stretch down = drawing.down(overlap.offset, overlap.bytes);
  const Stretch across = drawing.across(overlap.first, overlap.last);
  const std::string text = "gap " + grouped(overlap.gap);
  const Wording flat = across_wording({text});
  const double length = flat.needs;
  if (flat.needs > across.width() && down.width() >= 3.2 * length) {
    return label({upward_wording(text)}, across.width(), across.middle(), down.from + length / 2 + 2,
                 drawing.panel.full);
  }
  if (down.width() < 6 * kLine) return "";
  return label({flat}, across.width(), across.middle(), down.from + kLine, drawing.panel.full);
}

/// What a block holds while its stage runs: along the upper edge, and back along the lower one.
std::string fill_path(const Drawing& drawing, const StageFill& fill, const std::string& style) {
  const Stretch across = drawing.across(fill.time, fill.time);
  std::string there = "M", back;
  for (std::size_t i = 0; i < fill.levels.size(); ++i) {
    const FillLevel& level = fill.levels[i];
    const double end = i + 1 < fill.levels.size() ? fill.levels[i + 1].part : 1;
    const std::string from = coordinate(across.from + level.part * across.width());
    const std::string to = coordinate(across.from + end * across.width());
    there += fmt::format("{} {}H{}V", from, coordinate(drawing.y(level.high)), to);
    back = fmt::format("{1}H{0}V", from, coordinate(drawing.y(level.low))) + back;
    if (i + 1 < fill.levels.size()) there += fmt::format("{}L", coordinate(drawing.y(fill.levels[i + 1].high)));
  }
  back.pop_back();
  return fmt::format("<path class=\"fill {}\" d=\"{}{}Z\"/>\n", style, there, back);
}

std::string blocks_svg(const Drawing& drawing) {
  const ArenaView& arena = drawing.panel.arena;
  std::string svg, fills;
  std::size_t hue = 0;
  for (std::size_t i = 0; i < arena.blocks.size(); ++i) {
    const Block& block = arena.blocks[i];
    std::string style = block.tensor == kNoTensor ? "block side" : fmt::format("block hue{}", hue++ % kHues);
    if (block.kind == BlockKind::ring) style += " ring";
    svg += rect_element(style, drawing.across(block.first, block.last), drawing.down(block.offset, block.bytes),
                        block_details(arena, i));
    for (const StageFill& fill : drawing.panel.fills) {
      if (fill.block == i) fills += fill_path(drawing, fill, fmt::format("hue{}", (hue + kHues - 1) % kHues));
    }
  }
  svg += fills;
  for (const Overlap& overlap : arena.overlaps) {
    svg += rect_element("overlap", drawing.across(overlap.first, overlap.last),
                        drawing.down(overlap.offset, overlap.bytes), overlap_details(arena, overlap));
  }
  svg += "<g class=\"labels\">\n";
  for (std::size_t i = 0; i < arena.blocks.size(); ++i) svg += block_label(drawing, i);
  for (const Overlap& overlap : arena.overlaps) svg += overlap_label(drawing, overlap);
  return svg + "</g>\n";
}

/// A round number of bytes between two lines of the grid.
std::int64_t grid_step(const Drawing& drawing) {
  std::int64_t step = 1;
  while (static_cast<double>(step) * drawing.scale.pixels_per_byte < 38 && step < drawing.panel.bytes) step *= 2;
  return step;
}

/// The lines across, and their addresses at the left edge.
struct Grid {
  std::string lines, axis;
};

Grid grid_of(const Drawing& drawing) {
  Grid grid;
  const std::int64_t step = grid_step(drawing);
  grid.axis = fmt::format("<g class=\"axis\"><rect x=\"-20\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                          coordinate(drawing.panel.top - 8), coordinate(kMapLeft + 18),
                          coordinate(plot_height(drawing.scale, drawing.panel) + 16));
  for (std::int64_t address = 0; address <= drawing.panel.bytes; address += step) {
    const std::string y = coordinate(drawing.y(address));
    grid.lines += fmt::format("<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\"/>\n",
                              coordinate(kMapLeft), coordinate(drawing.scale.right()), y);
    grid.axis += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", coordinate(kMapLeft - 8),
                             coordinate(drawing.y(address) + 4),
                             step % 1024 == 0 ? human_bytes(address) : grouped(address) + " B");
  }
  grid.axis += "</g>\n";
  return grid;
}

std::string op_label(const MapPanel& panel, const OpRow& row) {
  return panel.full ? fmt::format("{} {}", row.source, row.kind) : std::to_string(row.source);
}

std::string names(const Drawing& drawing) {
  const std::vector<OpRow>& rows = drawing.panel.arena.rows;
  const double y = drawing.panel.top + plot_height(drawing.scale, drawing.panel) + 6;
  std::string svg = "<g class=\"names\">\n";
  const auto name = [&](std::size_t column, const std::string& text, bool peak) {
    svg += fmt::format("<text{} transform=\"translate({} {})rotate(-90)\">{}</text>\n", peak ? " class=\"peak\"" : "",
                       coordinate(drawing.scale.x(column) + drawing.scale.active / 2 + 4), coordinate(y), text);
  };
  name(0, "in", false);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    name(i + 1, op_label(drawing.panel, rows[i]), rows[i].peak);
  }
  name(rows.size() + 1, "out", false);
  return svg + "</g>\n";
}

/// The column of the operator that the arena's size is due to, and the stages of several operators.
std::string columns_svg(const Drawing& drawing) {
  const std::vector<OpRow>& rows = drawing.panel.arena.rows;
  const double height = plot_height(drawing.scale, drawing.panel);
  const double top = drawing.panel.top;
  std::string svg;
  for (std::size_t time = 1; time + 1 < drawing.columns.size(); ++time) {
    const auto [first, last] = drawing.columns[time];
    const Stretch across{drawing.scale.x(first) - 2, drawing.scale.x(last) + drawing.scale.active + 2};
    if (first != last) {
      svg += rect_element(
          "stage", across, {top - 3, top + height},
          {fmt::format("stage: ops {} to {} run row by row together", rows[first - 1].source, rows[last - 1].source)});
    }
  }
  if (const OpRow* peak = peak_row(rows)) {
    const auto [first, last] = drawing.columns[peak->stage + 1];
    const Stretch across{drawing.scale.x(first), drawing.scale.x(last) + drawing.scale.active};
    svg += fmt::format("<g class=\"peak\">{}<path class=\"tip\" transform=\"translate({} {})\" d=\"M-5 -6H5L0 0Z\"/>",
                       rect_element("column", across, {top, top + height}), coordinate(across.middle()),
                       coordinate(top - 3));
    const bool left = across.middle() < drawing.scale.right() - 100;
    svg += fmt::format("<text transform=\"translate({} {})\" dx=\"{}\" text-anchor=\"{}\">peak: op {}</text></g>\n",
                       coordinate(across.middle()), coordinate(top - 3), left ? "9" : "-9", left ? "start" : "end",
                       peak->source);
  }
  return svg;
}

}  // namespace

double plot_height(const MapScale& scale, const MapPanel& panel) {
  return scale.pixels_per_byte * static_cast<double>(panel.bytes);
}

double names_height(const MapPanel& panel) {
  constexpr double kCapital = 7.4;
  std::size_t longest = 3;
  for (const OpRow& row : panel.arena.rows) longest = std::max(longest, op_label(panel, row).size());
  return kCapital * static_cast<double>(longest) + 16;
}

std::string map_panel_svg(const MapScale& scale, const MapPanel& panel) {
  const Drawing drawing = drawing_of(scale, panel);
  std::string svg = fmt::format("<text class=\"heading fixed\" x=\"8\" y=\"{}\">{}</text>\n",
                                coordinate(panel.top - 28), html_text(panel.heading));
  const Grid grid = grid_of(drawing);
  svg += "<g class=\"plot\">\n" + grid.lines + columns_svg(drawing) + blocks_svg(drawing);
  const auto level = [&](const char* style, std::int64_t bytes, const std::string& text) {
    svg += fmt::format("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>\n", style, coordinate(kMapLeft),
                       coordinate(scale.right()), coordinate(drawing.y(bytes)), coordinate(drawing.y(bytes)));
    if (!text.empty()) {
      svg +=
          fmt::format("<text class=\"level\" transform=\"translate({} {})\" dx=\"-4\" text-anchor=\"end\">{}</text>\n",
                      coordinate(scale.right()), coordinate(drawing.y(bytes) - 4), html_text(text));
    }
  };
  level("arena", panel.bytes, "");
  if (!panel.mark_text.empty()) level("mark", panel.mark, panel.mark_text);
  return svg + names(drawing) + "</g>\n" + grid.axis;
}

std::string coordinate(double value) { return fmt::format("{}", std::round(value * 10) / 10); }

std::string rect_element(const std::string& style, const Stretch& across, const Stretch& down,
                         const std::vector<std::string>& details) {
  const std::string element =
      fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", style, coordinate(across.from),
                  coordinate(down.from), coordinate(across.width()), coordinate(down.width()));
  if (details.empty()) return element + "/>\n";
  std::string title;
  for (const std::string& line : details) title += (title.empty() ? "><title>" : "\n") + html_text(line);
  return element + title + "</title></rect>\n";
}

}  // namespace ripc
