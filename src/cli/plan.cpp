// `ripc plan`: the memory table, the table of operators and what can be done; the picture if asked for.
#include <fmt/format.h>

#include <memory>

#include "cli/advise.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/fit.h"
#include "cli/load.h"
#include "cli/terminal.h"
#include "report/account.h"
#include "report/flash_traffic.h"
#include "report/html.h"
#include "report/memory_map.h"
#include "report/memory_table.h"
#include "report/pareto.h"
#include "report/pareto_page.h"
#include "report/pareto_picture.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

struct PlanCommand {
  NetworkOptions network;
  Budget budget;
  bool json = false, pareto = false;
  std::string html, svg;  ///< files to write; empty: none
};

std::string traffic_line(const PlanCommand& command, const PlannedNetwork& network, const Account& account) {
  if (!account.constant_bytes) return "";
  const auto cache = command.budget.flash_cache;
  return fmt::format("  {:<34}{}\n", "constants", flash_text(flash_traffic(network.graph, network.plan, cache), cache));
}

/// What each way of running the network takes and costs.
void show_ways(const PlanCommand& command) {
  if (command.json) throw Error({.fault = Fault::usage, .problem = "--pareto prints a table", .expected = "no --json"});
  const Graph graph = load_graph(command.network);
  const std::vector<ParetoPoint> points = pareto_points(graph, plan_options(command.network));
  if (!command.html.empty()) write_text(command.html, pareto_page(graph, points));
  if (!command.svg.empty()) write_text(command.svg, pareto_picture(graph.name, points));
  print(pareto_table(graph, points));
}

void show(const PlanCommand& command) {
  if (command.pareto) return show_ways(command);
  const PlannedNetwork network = plan_network(command.network);
  Account account = account_of(network, command.network);
  account.aims = aims_of(network.graph, network.plan, plan_options(command.network));
  if (!command.html.empty()) {
    write_text(command.html, html_report(network.graph, network.plan, account));
  }
  if (!command.svg.empty()) write_text(command.svg, memory_map_file(network.graph, account));
  if (command.json) {
    print_data(account_json(network.graph, network.plan, account));
  } else {
    print(memory_table(network.graph, account) + traffic_line(command, network, account) + "\n" + op_table(account) +
          "\n" + advice_text(network.graph, account, advise(command.network, network, account)));
  }
  require_fit(account, command.budget, command.network);
}

}  // namespace

void add_plan(Command& app) {
  auto command = std::make_shared<PlanCommand>();
  Command plan = app.subcommand("plan", "print the memory table and the table of operators");
  add_network_options(plan, command->network);
  plan.require("model");
  add_budget_options(plan, command->budget);
  plan.flag("--json", command->json, "the same as JSON, with the blocks of the arena");
  plan.flag("--pareto", command->pareto, "instead: what each way of running the network takes and costs");
  plan.text("--html", command->html,
            "also write the memory map and the tables as one page; with --pareto, the ways and their table")
      .type("FILE");
  plan.text("--svg", command->svg, "also write the memory map, or the ways, as a picture").type("FILE");
  plan.footer("Example: ripc plan model.tflite --html memory.html");
  plan.action([command] { show(*command); });
}

}  // namespace ripc::cli
