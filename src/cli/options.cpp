#include "cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/bytes.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

void add_size_option(CLI::App& app, const std::string& name, std::optional<std::int64_t>& bytes,
                     const std::string& help) {
  app.add_option_function<std::string>(
         name, [&bytes, name](const std::string& text) { bytes = parse_bytes(text, name); }, help)
      ->type_name("SIZE");
}

}  // namespace

void add_network_options(CLI::App& app, NetworkOptions& options) {
  app.add_option("model", options.model, "int8 .tflite model, or a network in JSON")->type_name("MODEL");
  app.add_option("--io", options.io, "int8: drop float QUANTIZE and DEQUANTIZE at the edges; the caller converts")
      ->check(CLI::IsMember({"model", "int8"}))
      ->type_name("TYPE");
  app.add_option("--input", options.input, "extern: read the input from the caller's buffer, never write it")
      ->check(CLI::IsMember({"arena", "extern"}))
      ->type_name("PLACE");
  app.add_flag("--keep-input", options.keep_input, "the input survives the run (it is overwritten otherwise)");
  app.add_option("--outputs", options.outputs, "tensors to be the outputs: cuts off what comes after them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("TENSOR[,TENSOR]");
  app.add_flag("--disjoint", options.disjoint, "nothing in place: what the best dual buffer does, for comparison");
  app.add_option("--placer", options.placer, "how the arena is packed; the others are for comparison")
      ->check(CLI::IsMember(placer_names()))
      ->type_name("NAME");
  app.add_option("--name", options.name, "what to call the network; default: the file's name")->type_name("NAME");
}

void add_budget_options(CLI::App& app, Budget& budget) {
  add_size_option(app, "--ram", budget.ram, "RAM that arena and state must fit, e.g. 256K");
  add_size_option(app, "--flash", budget.flash, "flash that the constants must fit, e.g. 1M");
}

PlanOptions plan_options(const NetworkOptions& options) {
  if (options.placer == "exact-cover" && !options.disjoint) {
    throw Error({.fault = Fault::usage,
                 .problem = "--placer exact-cover cannot place tensors over each other",
                 .remedy = "Add --disjoint, or use another placer"});
  }
  PlanOptions plan;
  plan.memory.in_place = !options.disjoint;
  plan.memory.keep_input = options.keep_input;
  plan.memory.external_input = options.input == "extern";
  plan.placer = options.placer;
  return plan;
}

std::string flags_text(const NetworkOptions& options) {
  std::vector<std::string> flags;
  if (options.io != "model") flags.push_back("--io " + options.io);
  if (options.input != "arena") flags.push_back("--input " + options.input);
  if (options.keep_input) flags.emplace_back("--keep-input");
  if (options.disjoint) flags.emplace_back("--disjoint");
  if (!options.outputs.empty()) flags.push_back(fmt::format("--outputs {}", fmt::join(options.outputs, ",")));
  if (options.placer != placer_names().front()) flags.push_back("--placer " + options.placer);
  return fmt::format("{}", fmt::join(flags, " "));
}

}  // namespace ripc::cli
