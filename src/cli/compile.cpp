// `ripc compile`: C sources, plan and report into a folder, after the plan has passed its check.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "check/check.h"
#include "cli/advise.h"
#include "cli/commands.h"
#include "cli/compare.h"
#include "cli/fit.h"
#include "cli/load.h"
#include "cli/terminal.h"
#include "emit/emit.h"
#include "execute/input_stream.h"
#include "execute/program.h"
#include "report/account.h"
#include "report/boards.h"
#include "report/bytes.h"
#include "report/flash_traffic.h"
#include "report/html.h"
#include "report/memory_table.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

struct CompileCommand {
  NetworkOptions network;
  Budget budget;
  std::string folder = "out";
  std::string prefix;
};

/// What dropping the float operators at the edges saved, or why it saved nothing.
std::string io_line(const NetworkOptions& options, const Plan& plan) {
  if (options.io != "int8") return "";
  NetworkOptions as_modelled = options;
  as_modelled.io = "model";
  const PlannedNetwork other = plan_network(as_modelled);
  if (other.plan.graph_hash == plan.graph_hash) return "  --io int8 changes nothing: the model has no float edges\n";
  return fmt::format("  --io int8 saves {} bytes of arena: {} without it\n",
                     grouped(other.plan.arena_bytes - plan.arena_bytes), grouped(other.plan.arena_bytes));
}

/// Inputs of concatenations that are not at the output's scale have no counterpart in the reference.
std::string rescaling_line(const Graph& graph) {
  std::ptrdiff_t inputs = 0;
  for (const Op& op : graph.ops) {
    if (!std::holds_alternative<Concat>(op.kind)) continue;
    const Quantization& out = graph.tensors[static_cast<std::size_t>(op.output)].quantization;
    inputs += std::ranges::count_if(
        op.inputs, [&](TensorId input) { return graph.tensors[static_cast<std::size_t>(input)].quantization != out; });
  }
  if (inputs == 0) return "";
  return fmt::format(
      "  note   {} inputs of CONCATENATION are rescaled as TensorFlow Lite for the desktop rescales bytes; TensorFlow "
      "Lite Micro refuses such models\n",
      inputs);
}

std::string summary(const CompileCommand& command, const PlannedNetwork& network, const Account& account,
                    const CheckReport& check, const std::vector<EmittedFile>& files) {
  std::string text = fmt::format("{}: {} operators, {} in place\n", network.graph.name, account.rows.size(),
                                 std::ranges::count_if(account.rows, &OpRow::in_place));
  text += fmt::format("  RAM    arena {} + state {}; {}\n", exact_and_human(account.in_place.bytes),
                      grouped(account.state_bytes), proof_text(account.in_place));
  text += fmt::format("         the best dual buffer needs {}\n", grouped(account.dual_buffer.bytes));
  text += fmt::format("  stack  {}\n", stack_text(account));
  if (!account.order.only_one) text += fmt::format("  order  {}\n", order_text(account));
  text += fmt::format("  flash  {} of weights and tables; code comes on top\n",
                      exact_and_human(account.constant_bytes.value_or(0)));
  text += fmt::format(
      "         {}\n",
      flash_text(flash_traffic(network.graph, network.plan, command.budget.flash_cache), command.budget.flash_cache));
  text +=
      fmt::format("  check  passed: {} rows made, {} bytes written, {} read, each still the one that belongs there\n",
                  grouped(check.steps), grouped(check.bytes_written), grouped(check.bytes_read));
  text += rescaling_line(network.graph);
  text += io_line(command.network, network.plan);
  text += float_text(account, advise_on_float(command.network, network.graph));
  text += fmt::format("  wrote  {}:", command.folder);
  for (const EmittedFile& file : files) {
    if (file.path.find('/') == std::string::npos) text += " " + file.path;
  }
  const auto within =
      std::ranges::count_if(files, [](const EmittedFile& file) { return file.path.find('/') != std::string::npos; });
  text +=
      fmt::format(" and {} files of the runtime{}\n", within, command.network.board.empty() ? "" : " and the board");
  if (!command.network.board.empty()) text += fmt::format("  next   make -C {} run\n", command.folder);
  return text;
}

bool has_stages(const Plan& plan) {
  return std::ranges::any_of(plan.schedule.stages, [](const Stage& stage) { return stage.ops.size() > 1; });
}

/// A plan with stages is also run, for what turns its rows into calls is no part of the plan.
void check_run(const PlannedNetwork& network, const NetworkOptions& options) {
  if (!has_stages(network.plan)) return;
  Counts counts;
  compare_ops(pair_of(network.graph, network.plan, options), random_inputs(network.graph, 1), "seed 1", {}, counts);
}

void compile(const CompileCommand& command) {
  const PlannedNetwork network = plan_network(command.network);
  const Account account = account_of(network, command.network);
  if (!account.constant_bytes) {
    throw Error({.file = command.network.model,
                 .problem = "a network without weights: nothing to compile",
                 .remedy = "ripc plan says what memory it needs"});
  }
  require_fit(account, command.budget, command.network);
  const CheckReport check = check_plan(network.graph, network.plan);
  check_run(network, command.network);
  EmitOptions options{
      .prefix = command.prefix, .keeps_input = command.network.keep_input, .flags = flags_text(command.network)};
  if (const Board* board = find_board(command.network.board)) {
    options.board = {.name = board->id, .ram = board->ram, .flash = board->flash, .stack = board->stack_bytes};
  }
  std::vector<EmittedFile> files = emit_c(network.graph, network.plan, link(network.graph, network.plan), options);
  const std::string prefix = command.prefix.empty() ? c_identifier(network.graph.name) : command.prefix;
  files.push_back({.path = prefix + "_report.html", .text = html_report(network.graph, network.plan, account)});
  write_files(command.folder, files);
  print(summary(command, network, account, check, files));
}

}  // namespace

void add_compile(Command& app) {
  auto command = std::make_shared<CompileCommand>();
  Command compile_app = app.subcommand("compile", "write C sources, the plan and a report into a folder");
  add_network_options(compile_app, command->network);
  compile_app.require("model");
  add_budget_options(compile_app, command->budget);
  compile_app.text("-o,--out", command->folder, "folder to write; made if it does not exist")
      .shows_default()
      .type("DIR");
  compile_app.text("--prefix", command->prefix, "of every public C name and file; default: the network's name")
      .type("NAME");
  compile_app.footer("Example: ripc compile model.tflite --ram 256K -o out/");
  compile_app.action([command] { compile(*command); });
}

}  // namespace ripc::cli
