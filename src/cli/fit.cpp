#include "cli/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "cli/load.h"
#include "report/boards.h"
#include "report/bytes.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

struct Wish {
  std::string how, price;
  std::function<void(NetworkOptions&)> apply;
  bool changes_graph = false;  ///< and nothing else: where the graph stays the same, so does the plan
};

/// What these options leave to be asked for, the easiest for the caller first.
std::vector<Wish> open_wishes(const NetworkOptions& options) {
  std::vector<Wish> wishes;
  const auto add = [&](bool open, Wish wish) {
    if (open) wishes.push_back(std::move(wish));
  };
  add(options.search.placer != placer_names().front(),
      {"the default placer", "planning takes longer",
       [](NetworkOptions& o) { o.search.placer = placer_names().front(); }});
  add(options.order != "best",
      {"--order best", "the operators run in another order", [](NetworkOptions& o) { o.order = "best"; }});
  add(options.optimize != "ram", {"--optimize ram", "slower kernels", [](NetworkOptions& o) { o.optimize = "ram"; }});
  add(options.disjoint, {"leaving --disjoint out", "operators write over their inputs", [](NetworkOptions& o) {
                           o.disjoint = false;
                           o.search.placer = placer_names().front();
                         }});
  add(options.keep_input,
      {"leaving --keep-input out", "the run overwrites the input", [](NetworkOptions& o) { o.keep_input = false; }});
  add(options.stages == "off" && !options.disjoint,
      {"--stages on", "operators run row by row together", [](NetworkOptions& o) { o.stages = "on"; }});
  add(options.io == "model",
      {"--io int8", "the caller converts to and from float", [](NetworkOptions& o) { o.io = "int8"; }, true});
  add(options.input == "arena" && !options.stream_input,
      {"--input extern", "the input lies in a buffer of the caller's, not counted here",
       [](NetworkOptions& o) { o.input = "extern"; }});
  return wishes;
}

/// Bytes of arena that planning with these options saves; at most 0 where it is sure to save nothing.
std::int64_t saved_by(const NetworkOptions& options, std::int64_t arena_bytes) {
  const Graph graph = load_graph(options);
  if (least_arena(graph, plan_options(options)) >= arena_bytes) return 0;
  return arena_bytes - plan_network(options).plan.arena_bytes;
}

std::string change_text(const Change& change) {
  return fmt::format("{} saves {} bytes ({})", change.how, grouped(change.saves), change.price);
}

std::string remedy(const NetworkOptions& options, std::int64_t arena, std::int64_t missing) {
  const std::vector<Change> changes = helpful_changes(options, arena);
  const auto enough = std::ranges::find_if(changes, [&](const Change& change) { return change.saves >= missing; });
  if (enough != changes.end()) return "Cheapest change that makes it fit: " + change_text(*enough);
  if (changes.empty()) return "No option of ripc makes this network smaller";
  if (changes.size() > 1) {
    NetworkOptions all = options;
    for (const Wish& wish : open_wishes(options)) wish.apply(all);
    const std::int64_t saves = saved_by(all, arena);
    std::string every = changes.front().how;
    for (std::size_t i = 1; i < changes.size(); ++i) every += " and " + changes[i].how;
    if (saves >= missing)
      return fmt::format("Cheapest change that makes it fit: {} together save {} bytes", every, grouped(saves));
  }
  const auto most = std::ranges::max_element(changes, {}, &Change::saves);
  return "No change makes it fit; the one that helps most: " + change_text(*most);
}

}  // namespace

std::vector<Change> helpful_changes(const NetworkOptions& options, std::int64_t arena_bytes) {
  std::vector<Change> changes;
  for (const Wish& wish : open_wishes(options)) {
    NetworkOptions changed = options;
    wish.apply(changed);
    if (wish.changes_graph && graph_hash(load_graph(changed)) == graph_hash(load_graph(options))) continue;
    const std::int64_t saves = saved_by(changed, arena_bytes);
    if (saves > 0) changes.push_back({.how = wish.how, .saves = saves, .price = wish.price});
  }
  return changes;
}

void require_fit(const Account& account, const Budget& budget, const NetworkOptions& options) {
  const std::optional<std::int64_t> ram_limit = ram_of(budget, options), flash = flash_of(options);
  const Board* board = account.stack_of;
  const std::int64_t ram = ram_bytes(account) + (board != nullptr ? board->stack_bytes : 0);
  const std::string stack = board != nullptr ? fmt::format("stack {} on {}", grouped(board->stack_bytes), board->name)
                                             : "no stack counted: --board or --target knows it";
  if (ram_limit && ram > *ram_limit) {
    const std::int64_t missing = ram - *ram_limit;
    const OpRow* peak = peak_row(account);
    throw Error({.fault = Fault::does_not_fit,
                 .file = options.model,
                 .op_index = peak != nullptr ? peak->source : -1,
                 .op_kind = peak != nullptr ? peak->kind : "",
                 .problem = fmt::format("does not fit --ram: {} bytes are missing at this operator, the peak",
                                        grouped(missing)),
                 .expected = fmt::format("at most {} bytes", grouped(*ram_limit)),
                 .found = fmt::format("{} (arena {} + state {}; {})", grouped(ram), grouped(account.in_place.bytes),
                                      grouped(account.state_bytes), stack),
                 .remedy = remedy(options, account.in_place.bytes, missing)});
  }
  if (options.flash && !account.constant_bytes) {
    throw Error({.fault = Fault::usage,
                 .file = options.model,
                 .problem = "--flash cannot be checked: this network has no weights",
                 .remedy = "Leave --flash out, or give a .tflite model."});
  }
  if (flash && account.constant_bytes && *account.constant_bytes > *flash) {
    const auto largest = std::ranges::max_element(account.rows, {}, &OpRow::constant_bytes);
    throw Error({.fault = Fault::does_not_fit,
                 .file = options.model,
                 .problem = fmt::format("does not fit --flash: {} bytes are missing",
                                        grouped(*account.constant_bytes - *flash)),
                 .expected = fmt::format("at most {} bytes", grouped(*flash)),
                 .found = grouped(*account.constant_bytes) + " of weights and tables, code not counted",
                 .remedy = fmt::format("No option of ripc makes weights smaller; most are those of op {} {}: {} bytes",
                                       largest->source, largest->kind, grouped(largest->constant_bytes.value_or(0)))});
  }
}

}  // namespace ripc::cli
