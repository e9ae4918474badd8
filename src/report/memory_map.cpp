#include "report/memory_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/bytes.h"
#include "report/escape.h"
#include "report/map_panel.h"
#include "report/page_assets.h"
#include "report/words.h"

namespace ripc {
namespace {

constexpr double kChartHeight = 90;

MapScale scale_of(const Account& account, bool two) {
  MapScale scale;
  scale.columns = account.rows.size() + 2;
  scale.pitch = std::clamp(1100.0 / static_cast<double>(scale.columns), 16.0, 170.0);
  scale.active = 0.6 * scale.pitch;
  const double bytes = std::max<double>(1, static_cast<double>(account.in_place.bytes));
  scale.pixels_per_byte = 300 / bytes;
  if (two) {
    const double other = std::max<double>(1, static_cast<double>(account.dual_buffer.bytes));
    scale.pixels_per_byte = std::min(scale.pixels_per_byte, 440 / other);
  }
  return scale;
}

std::string plan_heading(const Account& account) {
  const Accounting& arena = account.in_place;
  const std::string bytes = fmt::format("{} B", grouped(arena.bytes));
  return "This plan: " + bytes +
         (arena.bytes == arena.lower_bound ? ", the lower bound"
                                           : fmt::format(", lower bound {} B", grouped(arena.lower_bound)));
}

std::string dual_heading(const Account& account) {
  return fmt::format("Dual buffer, best placement: {} B (no two live tensors share a byte), on the same scale",
                     grouped(account.dual_buffer.bytes));
}

/// Bytes in use at each operator: filled for the plan, an outline for the dual buffer.
std::string live_chart(const MapScale& scale, const Account& account, double top, bool two) {
  std::int64_t most = 1;
  for (const OpRow& row : account.rows) most = std::max(most, row.live_bytes);
  if (two) {
    for (const OpRow& row : account.dual_rows) most = std::max(most, row.live_bytes);
  }
  const auto height = [&](std::int64_t bytes) {
    return kChartHeight * static_cast<double>(bytes) / static_cast<double>(most);
  };
  const auto bar = [&](const std::string& style, std::size_t column, double tall,
                       const std::vector<std::string>& details = {}) {
    const double x = scale.x(column), bottom = top + kChartHeight;
    return rect_element(style, {x, x + scale.active}, {bottom - tall, bottom}, details);
  };
  std::string svg =
      fmt::format("<text class=\"heading fixed\" x=\"8\" y=\"{}\">Bytes in use at each operator{}</text>\n",
                  coordinate(top - 12), two ? "; outlined: dual buffer" : "");
  svg += "<g class=\"plot chart\">\n";
  for (std::size_t i = 0; i < account.rows.size(); ++i) {
    const OpRow& row = account.rows[i];
    std::vector<std::string> details = op_details(row);
    const auto dual = std::ranges::find(account.dual_rows, row.op, &OpRow::op);
    const bool outlined = two && dual != account.dual_rows.end();
    if (outlined) details.push_back(fmt::format("dual buffer: {} B live", grouped(dual->live_bytes)));
    if (outlined) svg += bar("dual", i + 1, height(dual->live_bytes));
    svg += bar(row.peak ? "live top" : "live", i + 1, height(row.live_bytes));
    svg += bar(row.peak ? "hit top" : "hit", i + 1, kChartHeight, details);
  }
  svg += "</g>\n";
  return svg + fmt::format(
                   "<g class=\"axis\"><rect x=\"-20\" y=\"{0}\" width=\"{1}\" height=\"{2}\"/>"
                   "<text x=\"{3}\" y=\"{4}\" text-anchor=\"end\">{5}</text>"
                   "<text x=\"{3}\" y=\"{6}\" text-anchor=\"end\">0 B</text></g>\n",
                   coordinate(top - 6), coordinate(kMapLeft + 18), coordinate(kChartHeight + 12),
                   coordinate(kMapLeft - 8), coordinate(top + 6), human_bytes(most),
                   coordinate(top + kChartHeight + 2));
}

std::string picture(const Graph& graph, const Account& account, const std::vector<std::string>& caption) {
  const bool two = account.dual_buffer.bytes != account.in_place.bytes;
  const MapScale scale = scale_of(account, two);
  const std::vector<Overlap> overlaps = overlaps_of(account.blocks), dual_overlaps = overlaps_of(account.dual_blocks);

  std::string body;
  double y = caption.empty() ? 0 : 14;
  for (std::size_t i = 0; i < caption.size(); ++i) {
    y += 18;
    body += fmt::format("<text class=\"{}\" x=\"8\" y=\"{}\">{}</text>\n", i == 0 ? "heading" : "caption",
                        coordinate(y), html_text(caption[i]));
  }
  if (!caption.empty()) y += 14;
  MapPanel plan{.arena = {graph, account.blocks, account.rows, overlaps},
                .heading = plan_heading(account),
                .bytes = account.in_place.bytes,
                .top = y + kPanelHead,
                .fills = account.fills};
  if (account.in_place.lower_bound < account.in_place.bytes) {
    plan.mark = account.in_place.lower_bound;
    plan.mark_text = "lower bound " + grouped(plan.mark) + " B";
  }
  body += map_panel_svg(scale, plan);
  y = plan.top + plot_height(scale, plan) + names_height(plan);
  if (two) {
    const MapPanel dual{.arena = {graph, account.dual_blocks, account.dual_rows, dual_overlaps},
                        .heading = dual_heading(account),
                        .bytes = account.dual_buffer.bytes,
                        .top = y + kPanelHead,
                        .full = false,
                        .mark = account.in_place.bytes,
                        .mark_text = "this plan: " + grouped(account.in_place.bytes) + " B"};
    body += map_panel_svg(scale, dual);
    y = dual.top + plot_height(scale, dual) + names_height(dual);
  }
  body += live_chart(scale, account, y + 32, two);
  y += 32 + kChartHeight + 12;

  double width = scale.right() + kMapRight;
  for (const std::string& line : caption)
    width = std::max(width, 6.6 * static_cast<double>(character_count(line)) + 24);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"map\" role=\"img\" aria-label=\"memory map\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {0} {1}\" data-left=\"{2}\" data-pitch=\"{3}\" data-columns=\"{4}\">\n"
      "<style>{5}</style>\n"
      "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><line class=\"hatch\" y2=\"6\"/></pattern></defs>\n"
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n{6}</svg>\n",
      coordinate(width), coordinate(y), coordinate(kMapLeft), scale.pitch, scale.columns, map_style(), body);
}

}  // namespace

std::string memory_map_svg(const Graph& graph, const Account& account) { return picture(graph, account, {}); }

std::string memory_map_file(const Graph& graph, const Account& account) {
  std::vector<std::string> caption = {fmt::format("{}: memory over time", shortened(graph.name, 80))};
  for (std::string& sentence : account_sentences(account)) caption.push_back(std::move(sentence));
  caption.emplace_back(
      "Time across, address up. Hatched: an operator writes its output over its input. Grey: scratch. Full colour "
      "within a "
      "stage: rows that exist and are read again.");
  return picture(graph, account, caption);
}

}  // namespace ripc
