// `ripc plan`: the memory table and the table of operators, and nothing written.
#include <memory>

#include "cli/commands.h"
#include "cli/fit.h"
#include "cli/load.h"
#include "cli/terminal.h"
#include "report/account.h"
#include "report/memory_table.h"

namespace ripc::cli {
namespace {

struct PlanCommand {
  NetworkOptions network;
  Budget budget;
  bool json = false;
};

void show(const PlanCommand& command) {
  const PlannedNetwork network = plan_network(command.network);
  const Account account = account_of(network.graph, network.plan, plan_options(command.network));
  print(command.json ? account_json(network.graph, network.plan, account)
                     : memory_table(network.graph, account) + "\n" + op_table(account));
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
  plan.footer("Example: ripc plan model.tflite --json > memory.json");
  plan.action([command] { show(*command); });
}

}  // namespace ripc::cli
