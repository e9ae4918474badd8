// `ripc MODEL`: one screen for someone who has never seen the tool.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/fit.h"
#include "cli/load.h"
#include "cli/terminal.h"
#include "report/account.h"
#include "report/boards.h"
#include "report/bytes.h"
#include "report/memory_table.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

struct Overview {
  NetworkOptions network;
  Budget budget;
};

std::string line(const std::string& name, std::int64_t bytes, const std::string& note) {
  return fmt::format("  {:<22}{:>12}  {:>10}  {}\n", name, grouped(bytes), human_bytes(bytes), note);
}

std::string ram_part(const Account& account) {
  std::string text = "RAM\n";
  text += line("arena", account.in_place.bytes, proof_text(account.in_place));
  text += line("  scratch in it", account.scratch_bytes, "largest of any operator");
  text += line("state", account.state_bytes,
               account.state_bytes == 0 ? "nothing survives between runs" : "survives between runs");
  text += account.stack_of == nullptr
              ? fmt::format("  {:<22}{}\n", "stack", stack_text(account))
              : line("stack", account.stack_of->stack_bytes,
                     "at most, as measured on an emulated board: " + std::string(account.stack_of->name));
  if (!account.order.only_one) text += "  order                 " + order_text(account) + "\n";
  if (const OpRow* peak = peak_row(account)) {
    text += fmt::format("  peak                  op {} {}, output {}, {} bytes in use\n", peak->source, peak->kind,
                        shape_text(peak->shape), grouped(peak->live_bytes));
  }
  return text;
}

std::string comparison(const Account& account) {
  const auto ratio = [&](const Accounting& other) {
    if (account.in_place.bytes == 0) return std::string();
    return fmt::format("{:.2f} x the arena",
                       static_cast<double>(other.bytes) / static_cast<double>(account.in_place.bytes));
  };
  std::string text = "What others need for the same activations\n";
  text += line("greedy (as TFLM)", account.greedy.bytes, ratio(account.greedy));
  text += line("best dual buffer", account.dual_buffer.bytes, ratio(account.dual_buffer));
  text +=
      line("lower bound, in place", account.in_place.lower_bound, account.in_place.proven ? "reached" : "not reached");
  return text;
}

std::string flash_part(const Account& account) {
  if (!account.constant_bytes) return "Flash\n  unknown: the network has no weights\n";
  return "Flash\n" + line("weights and tables", *account.constant_bytes, "code: known after compiling for the target");
}

/// The largest common board that is too small and the smallest that is not, with one more.
std::string boards_part(const Account& account) {
  std::string text = "Boards (what is left is for the stack and the rest of the program)\n";
  int fitting = 0;
  const Board* too_small = nullptr;
  std::string fits;
  for (const Board& board : common_boards()) {
    if (board.ram < ram_bytes(account) || board.flash < account.constant_bytes.value_or(0)) {
      if (fitting == 0) too_small = &board;
      continue;
    }
    if (++fitting > 3) break;
    fits += fmt::format("  {:<26}  {:>10}  leaves {}\n", board.name, human_bytes(board.ram),
                        human_bytes(board.ram - ram_bytes(account)));
  }
  if (too_small != nullptr) {
    const bool ram = too_small->ram < ram_bytes(account);
    text +=
        fmt::format("  {:<26}  {:>10}  too small: {} of {} missing\n", too_small->name, human_bytes(too_small->ram),
                    human_bytes(ram ? ram_bytes(account) - too_small->ram : *account.constant_bytes - too_small->flash),
                    ram ? "RAM" : "flash");
  }
  return text + (fits.empty() ? "  no common board is large enough\n" : fits);
}

/// The command to type next, with the options that this one had.
std::string next_line(const NetworkOptions& options, const Account& account) {
  if (!account.constant_bytes) return "";
  std::string flags = flags_text(options);
  if (!options.name.empty()) flags += (flags.empty() ? "--name " : " --name ") + shell_word(options.name);
  return fmt::format("\nNext: ripc compile {}{}{} -o out/\n", shell_word(options.model), flags.empty() ? "" : " ",
                     flags);
}

void show(const Overview& overview) {
  if (overview.network.model.empty()) {
    throw Error({.fault = Fault::usage, .problem = "no model given", .remedy = "Type ripc MODEL, or see ripc --help"});
  }
  const PlannedNetwork network = plan_network(overview.network);
  const Account account = account_of(network, overview.network);
  std::string text = fmt::format("{}: {} operators, {} in place\n\n", network.graph.name, account.rows.size(),
                                 std::ranges::count_if(account.rows, &OpRow::in_place));
  text += ram_part(account) + comparison(account) + flash_part(account) + boards_part(account);
  const std::vector<Change> changes = helpful_changes(overview.network, account.in_place.bytes);
  if (!changes.empty()) {
    text += "Less RAM still\n";
    for (const Change& change : changes) {
      text += fmt::format("  {:<22}{:>12}  {}\n", change.how, "-" + grouped(change.saves), change.price);
    }
  }
  print(text + next_line(overview.network, account));
  require_fit(account, overview.budget, overview.network);
}

}  // namespace

void add_overview(Command& command) {
  auto overview = std::make_shared<Overview>();
  CLI::App& app = command.app();
  add_network_options(command, overview->network);
  add_budget_options(command, overview->budget);
  app.footer(
      "Without a command, ripc MODEL says how much memory the network needs:\n"
      "  ripc model.tflite\n"
      "  ripc model.tflite --ram 256K --flash 1M\n"
      "Exit codes: 0 done, 1 the model cannot be compiled, 2 wrong usage, 3 does not fit --ram or --flash.");
  // The model's options are those of the overview here; before a command they would be taken and then forgotten.
  app.parse_complete_callback([&app] {
    if (app.get_subcommands().empty()) return;
    for (const CLI::Option* option : app.get_options()) {
      if (option->count() == 0) continue;
      throw Error({.fault = Fault::usage,
                   .problem = fmt::format("{} before the command", option->get_name()),
                   .remedy = fmt::format("Write it after '{}'.", app.get_subcommands().front()->get_name())});
    }
  });
  app.callback([&app, overview] {
    if (app.get_subcommands().empty()) show(*overview);
  });
}

}  // namespace ripc::cli
