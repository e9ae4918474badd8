#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/boards.h"
#include "report/bytes.h"
#include "report/escape.h"
#include "report/memory_map.h"
#include "report/memory_table.h"
#include "report/page_assets.h"
#include "report/words.h"

namespace ripc {
namespace {

constexpr std::size_t kLongestName = 120;

std::string card(const std::string& name, const std::string& figure, const std::string& note) {
  return fmt::format("<div class=\"card\"><span>{}</span><b>{}</b><span>{}</span></div>\n", name, figure, note);
}

std::string cards(const Account& account) {
  const std::int64_t ram = ram_bytes(account);
  std::string html = "<div class=\"cards\">\n";
  html += card("RAM", human_bytes(ram),
               grouped(ram) + " bytes: arena and state; the stack comes on top, " + stack_text(account));
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
      "<div class=\"scroll tall\"><table class=\"ops\">\n<tr><th>op</th><th>kind</th><th>output</th><th>shape</th>"
      "<th>order</th><th>kernel</th><th>live</th><th>input</th><th>output</th><th>scratch</th><th>others</th>"
      "<th>shared</th><th>gap</th><th>high water</th><th>flash</th><th>MACs</th></tr>\n";
  const auto most = static_cast<double>(std::max<std::int64_t>(1, account.in_place.bytes));
  for (const OpRow& row : account.rows) {
    const std::string name = shortened(row.output, 32);
    html += row.peak ? "<tr class=\"peak\">" : "<tr>";
    const auto cell = [&](const std::string& text) { html += "<td>" + text; };
    cell(std::to_string(row.source));
    cell(row.kind + (row.peak ? " (peak)" : ""));
    html +=
        name == row.output ? "<td>" : fmt::format("<td title=\"{}\">", html_text(shortened(row.output, kLongestName)));
    html += html_text(name);
    cell(shape_text(row.shape));
    cell(row.reverse ? "reverse" : "forward");
    cell(row.kernel);
    html += fmt::format("<td style=\"--part:{:.3f}\">{}", static_cast<double>(row.live_bytes) / most,
                        grouped(row.live_bytes));
    for (const std::int64_t bytes :
         {row.input_bytes, row.output_bytes, row.scratch_bytes, row.held_bytes, row.shared_bytes}) {
      cell(grouped(bytes));
    }
    cell(row.gap ? grouped(*row.gap) : "apart");
    cell(grouped(row.high_water));
    cell(row.constant_bytes ? grouped(*row.constant_bytes) : "?");
    cell(grouped(row.macs));
    html += "</tr>\n";
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
  std::string html = page_start(graph.name, "memory") +
                     fmt::format("<p>{} operators, plan {}</p>\n", account.rows.size(), plan_hash(plan));
  for (const std::string& sentence : account_sentences(account)) {
    html += "<p class=\"say\">" + html_text(sentence) + "</p>\n";
  }
  html += cards(account);
  html +=
      "<h2>Memory map</h2>\n<p>Time across, address up. Hatched: bytes that an operator's input and output share, the "
      "one "
      "written over the other. Grey: scratch. Shaded column: the operator that the size is due to. Point at anything "
      "for "
      "its details.</p>\n"
      "<div class=\"tools\" hidden><button name=\"fit\">Fit</button><button name=\"out\">&minus;</button>"
      "<button name=\"in\">+</button><button name=\"peak\">Peak</button>"
      "<span>click pins; arrow keys, Enter, Escape; Ctrl and wheel zoom</span></div>\n"
      "<div class=\"scroll picture\">\n";
  html += memory_map_svg(graph, account) + "</div>\n<h2>Operators</h2>\n<p>Order: " + order_text(account) + "</p>\n" +
          op_rows_html(account);
  html +=
      "<p>live = input + output + scratch + others - shared: bytes in use, shared ones once. gap: bytes by which the "
      "input "
      "starts above the output that overwrites it; apart: they share none. high water: the highest byte in use.</p>\n";
  html += "<h2>Memory</h2>\n" + memory_rows(account) + "<h2>Boards</h2>\n" + board_rows(account);
  return html + "<div id=\"tip\" role=\"status\" hidden></div>\n<script>" + page_script() +
         "</script>\n</body></html>\n";
}

}  // namespace ripc
