#include "report/pareto_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/bytes.h"
#include "report/escape.h"
#include "report/page_assets.h"
#include "report/pareto_picture.h"

namespace ripc {
namespace {

double ratio(std::int64_t value, std::int64_t of) { return static_cast<double>(value) / static_cast<double>(of); }

/// What the least arena saves and costs against the first way.
std::string least_sentence(const std::vector<ParetoPoint>& points) {
  if (points.empty()) return {};
  const ParetoPoint& first = points.front();
  const ParetoPoint& least = *std::ranges::min_element(points, {}, &ParetoPoint::arena_bytes);
  std::string words = fmt::format("The least arena is {} bytes, {}", grouped(least.arena_bytes), least.name);
  if (least.arena_bytes < first.arena_bytes) {
    words +=
        fmt::format(": {:.1f} % of what it takes {}", 100 * ratio(least.arena_bytes, first.arena_bytes), first.name);
    if (least.calls && first.calls)
      words += fmt::format(", for {:.1f} times the kernel calls", ratio(*least.calls, *first.calls));
  }
  return "<p class=\"say\">" + html_text(words) + ".</p>\n";
}

std::string table(const std::vector<ParetoPoint>& points) {
  const std::vector<ParetoPoint> front = pareto_front(points);
  std::string html =
      "<div class=\"scroll\"><table>\n<tr><th>way</th><th class=\"n\">arena, bytes</th><th class=\"n\"></th>"
      "<th class=\"n\">stages</th><th class=\"n\">kernel calls</th><th class=\"n\">bytes fetched</th>"
      "<th class=\"n\">instructions</th>"
      "<th>Pareto-efficient</th></tr>\n";
  const auto number = [](const std::string& text) { return "<td class=\"n\">" + text + "</td>"; };
  const auto known = [&](const std::optional<std::int64_t>& value) { return number(value ? grouped(*value) : "?"); };
  for (const ParetoPoint& point : points) {
    const bool efficient = std::ranges::find(front, point.name, &ParetoPoint::name) != front.end();
    html += "<tr><td>" + html_text(point.name) + "</td>" + number(grouped(point.arena_bytes)) +
            number(human_bytes(point.arena_bytes)) + number(grouped(point.fused_stages)) + known(point.calls) +
            known(point.fetched_bytes) + number(grouped(point.instructions)) + "<td>" +
            (!point.calls ? "?"
             : efficient  ? "yes"
                          : "no") +
            "</td></tr>\n";
  }
  return html + "</table></div>\n";
}

}  // namespace

std::string pareto_page(const Graph& graph, const std::vector<ParetoPoint>& points) {
  const std::string unknown =
      has_weights(graph) ? "" : " The file has no weights: calls and fetched bytes are unknown.";
  return page_start(graph.name, "ways of running it") + least_sentence(points) +
         "<p>Down and to the left is better. Point at a dot for its figures." + unknown +
         "</p>\n<h2>Memory and work</h2>\n<div class=\"scroll\">\n" + pareto_picture(graph.name, points) +
         "</div>\n<h2>Ways</h2>\n" + table(points) + "<p>" + html_text(pareto_note(graph)) +
         ". Stages: those of several operators. Pareto-efficient: no other way takes less arena without more calls, or "
         "fewer calls without more arena.</p>\n</body></html>\n";
}

}  // namespace ripc
