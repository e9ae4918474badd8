// `ripc verify`: the in-place plan against the disjoint plan and against golden files, byte by byte.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/compare.h"
#include "cli/golden.h"
#include "cli/load.h"
#include "cli/terminal.h"
#include "cli/values.h"
#include "execute/input_stream.h"
#include "report/bytes.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

struct VerifyCommand {
  NetworkOptions network;
  std::string golden;
  std::uint32_t seeds = 3;
};

void compare_golden_outputs(const Graph& graph, const GoldenRun& run, const std::vector<Bytes>& outputs,
                            Counts& counts) {
  const std::vector<Bytes> wanted = split_bytes(graph, graph.outputs, run.output, run.output_path);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    counts.golden_bytes += std::ssize(outputs[i]);
    if (outputs[i] == wanted[i]) continue;
    const auto maker = std::ranges::find_if(
        graph.ops, [&](const Op& op) { return storage_of(graph, op.output) == storage_of(graph, graph.outputs[i]); });
    const std::size_t at = first_difference(outputs[i], wanted[i]);
    const std::string problem = fmt::format("{}: byte {} differs from {}", run.name, at, run.output_path);
    if (maker == graph.ops.end()) throw Error({.problem = problem});
    differs(graph, static_cast<OpId>(maker - graph.ops.begin()), problem, byte_text(wanted[i], at),
            byte_text(outputs[i], at));
  }
}

void verify(const VerifyCommand& command) {
  const PlannedNetwork network = plan_network(command.network);
  const Pair pair = pair_of(network.graph, network.plan, command.network);
  Counts counts;
  if (command.golden.empty()) {
    for (std::uint32_t seed = 1; seed <= command.seeds; ++seed) {
      compare_ops(pair, random_inputs(network.graph, seed), fmt::format("seed {}", seed), {}, counts);
    }
  } else {
    for (const GoldenRun& run : read_golden(command.golden)) {
      const std::vector<Bytes> inputs = split_bytes(network.graph, network.graph.inputs, run.input, run.input_path);
      const std::int64_t before = counts.golden_ops;
      const std::vector<Bytes> outputs = compare_ops(pair, inputs, run.name, run.tensors, counts);
      if (!run.tensors.empty() && counts.golden_ops == before) {
        throw Error({.fault = Fault::usage,
                     .file = command.golden,
                     .problem = run.name + ".ops.jsonl names no tensor of this network",
                     .remedy = "Give the file that was recorded with this model."});
      }
      compare_golden_outputs(network.graph, run, outputs, counts);
    }
  }
  print(fmt::format(
      "{}: {} runs, {} operator outputs ({} bytes) the same in place ({} bytes of arena) and apart ({} bytes)\n",
      network.graph.name, counts.runs, grouped(counts.ops), grouped(counts.bytes), grouped(network.plan.arena_bytes),
      grouped(pair.apart_bytes)));
  if (!command.golden.empty()) {
    if (counts.golden_ops == 0) print("golden: no operator hashes among the files: only the outputs were compared\n");
    print(fmt::format("golden: {} output bytes and {} operator hashes the same\n", grouped(counts.golden_bytes),
                      grouped(counts.golden_ops)));
  }
}

}  // namespace

void add_verify(Command& app) {
  auto command = std::make_shared<VerifyCommand>();
  Command verify_app = app.subcommand("verify", "compare the in-place run with a disjoint one and with golden files");
  add_network_options(verify_app, command->network);
  verify_app.require("model");
  verify_app
      .text("--golden", command->golden, "folder of NAME.in.bin, NAME.out.bin and, for the operators, NAME.ops.jsonl")
      .type("DIR");
  verify_app.number("--seeds", command->seeds, "pseudo-random runs without golden files")
      .between(1, 1000000)
      .shows_default()
      .type("N");
  verify_app.footer("Example: ripc verify model.tflite --golden golden/");
  verify_app.action([command] { verify(*command); });
}

}  // namespace ripc::cli
