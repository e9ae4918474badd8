// `ripc check`: replays a saved plan on the shadow memory.
#include "check/check.h"

#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/load.h"
#include "cli/terminal.h"
#include "report/bytes.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

struct CheckCommand {
  NetworkOptions network;
  std::string plan;
};

void check(const CheckCommand& command) {
  const Graph graph = load_graph(command.network);
  const Plan plan = naming(command.plan, [&] { return plan_from_json(read_text(command.plan)); });
  if (const std::string hash = graph_hash(graph); plan.graph_hash != hash) {
    throw Error({.file = command.plan,
                 .problem = "the plan is for another network",
                 .expected = "graph hash " + hash,
                 .found = plan.graph_hash,
                 .remedy = "Give the model that it was made from, with the same --io and --outputs"});
  }
  const CheckReport report = naming(command.plan, [&] { return check_plan(graph, plan); });
  print(
      fmt::format("{}: the plan is right: {} rows made in {} bytes, {} bytes written, {} read, each still the one that "
                  "belongs there\n",
                  command.plan, grouped(report.steps), grouped(plan.arena_bytes), grouped(report.bytes_written),
                  grouped(report.bytes_read)));
}

}  // namespace

void add_check(Command& app) {
  auto command = std::make_shared<CheckCommand>();
  Command check_app =
      app.subcommand("check", "replay a saved plan on a memory in which every byte knows what it holds");
  add_network_options(check_app, command->network);
  check_app.require("model");
  check_app.text("plan", command->plan, "NAME_plan.json, as compile writes it").required().type("PLAN");
  check_app.footer("Example: ripc check model.tflite out/model_plan.json");
  check_app.action([command] { check(*command); });
}

}  // namespace ripc::cli
