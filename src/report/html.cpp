#include "report/html.h"

#include <fmt/format.h>

#include "report/boards.h"
#include "report/bytes.h"
#include "report/memory_map.h"
#include "report/memory_table.h"

namespace ripc {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark;
        --bg: #fbfbfa; --ink: #1d2125; --soft: #69727b; --line: #dfe2e5; --card: #fff; --mark: #c2410c; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #15181b; --ink: #e6e8ea; --soft: #98a1a9; --line: #30363c; --card: #1d2125; --mark: #fb923c; }
}
body { margin: 0 auto; padding: 2rem 1.5rem; max-width: 70rem; background: var(--bg); color: var(--ink);
       font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; } h2 { margin: 2.2rem 0 .6rem; font-size: 1.1rem; }
p, .note { color: var(--soft); margin: .2rem 0; }
.cards { display: flex; flex-wrap: wrap; gap: .8rem; margin-top: 1.2rem; }
.card { flex: 1 1 11rem; padding: .8rem 1rem;
        background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
.card b { display: block; font-size: 1.35rem; } .card span { color: var(--soft); font-size: .85rem; }
.scroll { overflow-x: auto;
          background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .88rem; }
th { text-align: left; color: var(--soft); font-weight: 500; } th, td { padding: .22rem .6rem; white-space: nowrap; }
td.n, th.n { text-align: right; } tr + tr td { border-top: 1px solid var(--line); }
tr.peak td { color: var(--mark); font-weight: 600; }
svg { display: block; font: 11px system-ui, sans-serif; }
.axis { fill: var(--soft); } .grid { stroke: var(--line); } .label { fill: var(--ink); pointer-events: none; }
.tensor rect { fill-opacity: .42; stroke-opacity: .9; } .tensor:hover rect, .scratch:hover rect { stroke-width: 2.5; }
.hue0 rect { fill: #3b82f6; stroke: #3b82f6; } .hue1 rect { fill: #10b981; stroke: #10b981; }
.hue2 rect { fill: #f59e0b; stroke: #f59e0b; } .hue3 rect { fill: #8b5cf6; stroke: #8b5cf6; }
.hue4 rect { fill: #ec4899; stroke: #ec4899; } .hue5 rect { fill: #14b8a6; stroke: #14b8a6; }
.scratch rect { fill: url(#hatch); stroke: var(--soft); } .hatch { stroke: var(--soft); stroke-width: 2; }
.peak rect { fill: none; stroke: var(--mark); stroke-width: 1.5; }
.peak text { fill: var(--mark); }
line.bound { stroke: var(--mark); stroke-dasharray: 5 4; } text.bound { fill: var(--mark); }
)";

std::string card(const std::string& name, const std::string& figure, const std::string& note) {
  return fmt::format("<div class=\"card\"><span>{}</span><b>{}</b><span>{}</span></div>\n", name, figure, note);
}

std::string cards(const Account& account) {
  const std::int64_t ram = ram_bytes(account);
  std::string html = "<div class=\"cards\">\n";
  html += card("RAM", human_bytes(ram), grouped(ram) + " bytes: arena and state; the stack comes on top");
  if (account.dual_buffer.bytes > 0) {
    const double ratio = static_cast<double>(account.in_place.bytes) / static_cast<double>(account.dual_buffer.bytes);
    html += card("against the best dual buffer", fmt::format("{:.1f} %", 100 * ratio),
                 "which needs " + grouped(account.dual_buffer.bytes) + " bytes");
  }
  html += card("lower bound", human_bytes(account.in_place.lower_bound), proof_text(account.in_place));
  if (account.constant_bytes) {
    html += card("flash", human_bytes(*account.constant_bytes),
                 grouped(*account.constant_bytes) + " bytes of weights and tables; code comes on top");
  }
  return html + "</div>\n";
}

std::string accounting_row(const std::string& name, std::int64_t bytes, const std::string& note) {
  return fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n", name,
                     grouped(bytes), human_bytes(bytes), note);
}

std::string memory_rows(const Account& account) {
  std::string html =
      "<div class=\"scroll\"><table>\n<tr><th>what</th><th class=\"n\">bytes</th><th></th><th></th></tr>\n";
  html += accounting_row("greedy planner (largest first)", account.greedy.bytes, "no two live tensors share a byte");
  html += accounting_row("dual buffer, best placement", account.dual_buffer.bytes,
                         "no two live tensors share a byte; " + proof_text(account.dual_buffer));
  html += accounting_row("RiP arena (this plan)", account.in_place.bytes, proof_text(account.in_place));
  html += accounting_row("lower bound", account.in_place.lower_bound, "of any placement of these tensors and kernels");
  if (!account.order.of_the_file) html += accounting_row("in the file's order", account.order.file_bytes, "");
  html += accounting_row("scratch", account.scratch_bytes, "largest of any operator, inside the arena");
  if (account.kept_bytes > 0)
    html += accounting_row("kept rows", account.kept_bytes, "largest of any operator, inside the arena");
  html += accounting_row("state", account.state_bytes, "survives between runs, beside the arena");
  if (account.constant_bytes)
    html += accounting_row("constants", *account.constant_bytes, "weights and tables, in flash");
  return html + "</table></div>\n";
}

std::string op_rows_html(const Account& account) {
  std::string html =
      "<div class=\"scroll\"><table>\n<tr><th "
      "class=\"n\">op</th><th>kind</th><th>output</th><th>kernel</th><th>order</th>"
      "<th class=\"n\">gap</th><th class=\"n\">live</th><th class=\"n\">high water</th><th class=\"n\">scratch</th>"
      "<th class=\"n\">flash</th><th class=\"n\">MACs</th></tr>\n";
  for (const OpRow& row : account.rows) {
    html += fmt::format(
        "<tr{}><td class=\"n\">{}</td><td>{}</td><td title=\"{}\">{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td>"
        "</tr>\n",
        row.peak ? " class=\"peak\"" : "", row.source, row.kind, html_text(row.output), shape_text(row.shape),
        row.kernel, row.reverse ? "reverse" : "forward", row.gap ? grouped(*row.gap) : "apart", grouped(row.live_bytes),
        grouped(row.high_water), grouped(row.scratch_bytes), row.constant_bytes ? grouped(*row.constant_bytes) : "?",
        grouped(row.macs));
  }
  return html + "</table></div>\n";
}

std::string board_rows(const Account& account) {
  std::string html =
      "<div class=\"scroll\"><table>\n<tr><th>board</th><th class=\"n\">RAM</th><th class=\"n\">left for stack and "
      "program</th>"
      "<th class=\"n\">flash</th><th class=\"n\">left for code</th></tr>\n";
  const auto left = [](std::int64_t has, std::int64_t needs) {
    return has >= needs ? human_bytes(has - needs) : "short of " + human_bytes(needs - has);
  };
  for (const Board& board : common_boards()) {
    html += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td></tr>\n",
        board.name, human_bytes(board.ram), left(board.ram, ram_bytes(account)), human_bytes(board.flash),
        account.constant_bytes ? left(board.flash, *account.constant_bytes) : "?");
  }
  return html + "</table></div>\n";
}

}  // namespace

std::string html_report(const Graph& graph, const Plan& plan, const Account& account) {
  const std::string name = html_text(graph.name);
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}: memory</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width\"><style>{1}</style></head><body>\n<h1>{0}</h1>\n"
      "<p>{2} operators, plan {3}</p>\n",
      name, kStyle, account.rows.size(), plan_hash(plan));
  html += cards(account);
  html +=
      "<h2>Memory map</h2>\n<p>Time across, address up. Where two tensors overlap, an operator writes its output over "
      "its input. "
      "Hatched: scratch. Framed column: the operator that the size is due to. Point at a rectangle for its name.</p>\n"
      "<div class=\"scroll\">\n";
  html += memory_map_svg(graph, account) + "</div>\n<h2>Memory</h2>\n" + memory_rows(account);
  html += "<h2>Operators</h2>\n<p>Order: " + order_text(account) + "</p>\n" + op_rows_html(account);
  html +=
      "<p>gap: bytes by which the input starts above the output that overwrites it. live: bytes in use, shared ones "
      "once.</p>\n";
  html += "<h2>Boards</h2>\n" + board_rows(account);
  return html + "</body></html>\n";
}

}  // namespace ripc
