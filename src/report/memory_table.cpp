#include "report/memory_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "report/bytes.h"

namespace ripc {
namespace {

using Json = nlohmann::ordered_json;

std::string line(const std::string& name, std::int64_t bytes, const std::string& note) {
  return fmt::format("  {:<34}{:>12}  {:>11}  {}\n", name, grouped(bytes), human_bytes(bytes), note);
}

Json accounting_json(const Accounting& accounting) {
  return {{"bytes", accounting.bytes}, {"lower_bound", accounting.lower_bound}, {"proven", accounting.proven}};
}

/// Height before width.
Json window_json(const std::optional<Layer>& window) {
  if (!window) return {};
  return {{"input", {window->in_height, window->in_width, window->in_channels}},
          {"kernel", {window->rows.kernel, window->columns.kernel}},
          {"stride", {window->rows.stride, window->columns.stride}},
          {"dilation", {window->rows.dilation, window->columns.dilation}},
          {"pad_before", {window->rows.pad_before, window->columns.pad_before}},
          {"groups", window->groups}};
}

Json row_json(const OpRow& row) {
  return {{"op", row.source},
          {"kind", row.kind},
          {"output", row.output},
          {"shape", row.shape},
          {"kernel", row.kernel},
          {"direction", row.reverse ? "reverse" : "forward"},
          {"in_place", row.in_place},
          {"gap", row.gap ? Json(*row.gap) : Json()},
          {"stage", row.stage},
          {"input_bytes", row.input_bytes},
          {"output_bytes", row.output_bytes},
          {"scratch_bytes", row.scratch_bytes},
          {"held_bytes", row.held_bytes},
          {"shared_bytes", row.shared_bytes},
          {"macs", row.macs},
          {"window", window_json(row.window)},
          {"constant_bytes", row.constant_bytes ? Json(*row.constant_bytes) : Json()},
          {"slowed_by_flash", row.slowed_by_flash},
          {"live_bytes", row.live_bytes},
          {"high_water", row.high_water},
          {"peak", row.peak}};
}

const char* aim_name(Optimize aim) {
  if (aim == Optimize::ram) return "ram";
  return aim == Optimize::balanced ? "balanced" : "speed";
}

Json block_json(const Graph& graph, const Block& block) {
  Json json = {{"offset", block.offset}, {"bytes", block.bytes}, {"first", block.first}, {"last", block.last}};
  if (block.tensor != kNoTensor) {
    json["tensor"] = graph.tensors[static_cast<std::size_t>(block.tensor)].name;
    if (block.kind == BlockKind::ring) json["ring_rows"] = block.rows;
  } else {
    json[block.kind == BlockKind::scratch ? "scratch_of" : "kept_of"] =
        graph.ops[static_cast<std::size_t>(block.op)].source;
  }
  return json;
}

}  // namespace

std::string proof_text(const Accounting& accounting) {
  if (accounting.proven) return "proven: no placement is smaller";
  return fmt::format("not proven: {} may be possible", grouped(accounting.lower_bound));
}

std::string order_text(const Account& account) {
  const OrderAccount& order = account.order;
  if (order.only_one) return "the only one";
  std::string text = "the file's";
  if (!order.of_the_file) {
    text = fmt::format("not the file's, which needs {}: saves {}", grouped(order.file_bytes),
                       grouped(order.file_bytes - account.in_place.bytes));
  }
  if (order.proven) return text + "; proven: no order needs less";
  if (order.lower_bound == 0) return text + "; no other was looked for";
  return text + fmt::format("; not proven: {} may be possible in another", grouped(order.lower_bound));
}

std::string memory_table(const Graph& graph, const Account& account) {
  const auto ratio = [&](const Accounting& accounting) {
    if (account.dual_buffer.bytes == 0) return std::string();
    return fmt::format("{:.3f}",
                       static_cast<double>(accounting.bytes) / static_cast<double>(account.dual_buffer.bytes));
  };
  std::string text = fmt::format("Memory of {}\n  {:<34}{:>12}  {:>11}  {}\n", graph.name, "", "bytes", "", "ratio");
  text += line("greedy planner (largest first)", account.greedy.bytes, ratio(account.greedy));
  text += line("dual buffer, best placement", account.dual_buffer.bytes, ratio(account.dual_buffer));
  text += line("RiP arena (this plan)", account.in_place.bytes, ratio(account.in_place));
  text += line("lower bound", account.in_place.lower_bound, proof_text(account.in_place));
  text += fmt::format("  {:<34}{}\n", "order of the operators", order_text(account));
  for (const AimAccount& aim : account.aims) {
    text += line(fmt::format("--optimize {}", aim_name(aim.aim)), aim.arena_bytes,
                 fmt::format("{} of {} operators with a slower kernel", aim.slower_ops, account.rows.size()));
  }
  text += line("scratch, inside the arena", account.scratch_bytes, "largest of any operator");
  if (account.kept_bytes > 0)
    text += line("kept rows, inside the arena", account.kept_bytes, "largest of any operator");
  text += line("state, beside the arena", account.state_bytes, account.state_bytes == 0 ? "no operator keeps any" : "");
  text += fmt::format("  {:<34}{}\n", "stack, beside the arena", stack_text(account));
  text += line("largest block of RAM", largest_block_bytes(account), "what must lie in one piece");
  if (account.constant_bytes) {
    text += line("constants in flash", *account.constant_bytes, "weights and tables; code comes on top");
    if (const auto slowed = std::ranges::count_if(account.rows, &OpRow::slowed_by_flash); slowed > 0) {
      text += line(
          "  as small as they can be", *account.least_constant_bytes,
          fmt::format("{} of {} operators would be faster with larger ones: --flash", slowed, account.rows.size()));
    }
  } else {
    text += "  constants in flash                     unknown: the network has no weights\n";
  }
  return text;
}

std::string op_table(const Account& account) {
  std::size_t kind_width = 4, shape_width = 6, kernel_width = 6;
  for (const OpRow& row : account.rows) {
    kind_width = std::max(kind_width, row.kind.size());
    shape_width = std::max(shape_width, shape_text(row.shape).size());
    kernel_width = std::max(kernel_width, row.kernel.size());
  }
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{:>4}  {:<{}}  {:<{}}  {:<{}}  {:<7}  {:>10}  {:>10}  {:>10}\n", "op", "kind", kind_width,
                 "output", shape_width, "kernel", kernel_width, "order", "gap", "live", "high water");
  for (const OpRow& row : account.rows) {
    fmt::format_to(out, "{:>4}  {:<{}}  {:<{}}  {:<{}}  {:<7}  {:>10}  {:>10}  {:>10}{}\n", row.source, row.kind,
                   kind_width, shape_text(row.shape), shape_width, row.kernel, kernel_width,
                   row.reverse ? "reverse" : "forward", row.gap ? grouped(*row.gap) : "apart", grouped(row.live_bytes),
                   grouped(row.high_water), row.peak ? "  <- peak" : "");
  }
  text +=
      "gap: bytes by which the input starts above the output that overwrites it; apart: they share none.\n"
      "live: arena bytes in use, shared ones counted once. high water: the highest of them.\n";
  return text;
}

std::string account_json(const Graph& graph, const Plan& plan, const Account& account) {
  Json json = {{"format", "ripc account 1"},
               {"model", graph.name},
               {"graph_hash", plan.graph_hash},
               {"plan_hash", plan_hash(plan)},
               {"arena", accounting_json(account.in_place)},
               {"order",
                {{"of_the_file", account.order.of_the_file},
                 {"file_bytes", account.order.file_bytes},
                 {"lower_bound", account.order.lower_bound},
                 {"proven", account.order.proven}}},
               {"dual_buffer", accounting_json(account.dual_buffer)},
               {"greedy", accounting_json(account.greedy)},
               {"scratch_bytes", account.scratch_bytes},
               {"kept_bytes", account.kept_bytes},
               {"state_bytes", account.state_bytes},
               {"ram_bytes", ram_bytes(account)},
               {"largest_block_bytes", largest_block_bytes(account)},
               {"stack_bytes", account.stack_of != nullptr ? Json(account.stack_of->stack_bytes) : Json()},
               {"stack_measured_on", account.stack_of != nullptr ? Json(account.stack_of->name) : Json()},
               {"constant_bytes", account.constant_bytes ? Json(*account.constant_bytes) : Json()},
               {"least_constant_bytes", account.least_constant_bytes ? Json(*account.least_constant_bytes) : Json()},
               {"aims", Json::array()},
               {"ops", Json::array()},
               {"blocks", Json::array()}};
  for (const AimAccount& aim : account.aims) {
    json["aims"].push_back(
        {{"optimize", aim_name(aim.aim)}, {"arena_bytes", aim.arena_bytes}, {"slower_ops", aim.slower_ops}});
  }
  for (const OpRow& row : account.rows) json["ops"].push_back(row_json(row));
  for (const Block& block : account.blocks) json["blocks"].push_back(block_json(graph, block));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ripc
