// `ripc verify`: the in-place plan against the disjoint plan and against golden files, byte by byte.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "cli/commands.h"
#include "cli/golden.h"
#include "cli/load.h"
#include "cli/terminal.h"
#include "cli/values.h"
#include "execute/execute.h"
#include "execute/input_stream.h"
#include "graph/fnv.h"
#include "report/bytes.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

struct VerifyCommand {
  NetworkOptions network;
  std::string golden;
  std::uint32_t seeds = 3;
};

/// The two ways of running one network.
struct Pair {
  const Graph& graph;
  Program in_place, disjoint;
};

struct Counts {
  std::int64_t runs = 0, bytes = 0, ops = 0, golden_ops = 0, golden_bytes = 0;
};

std::size_t first_difference(std::span<const std::byte> a, std::span<const std::byte> b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

[[noreturn]] void differs(const Graph& graph, OpId id, const std::string& problem, const std::string& expected,
                          const std::string& found) {
  const Op& op = graph.ops[static_cast<std::size_t>(id)];
  throw Error({.op_index = op.source,
               .op_kind = kind_name(op),
               .tensor = graph.tensors[static_cast<std::size_t>(op.output)].name,
               .problem = problem,
               .expected = expected,
               .found = found});
}

std::string byte_text(std::span<const std::byte> bytes, std::size_t at) {
  return fmt::format("0x{:02x}", std::to_integer<unsigned>(bytes[at]));
}

/// Runs both and compares every operator's output, and with the golden hashes where there are any. Returns the outputs.
std::vector<Bytes> compare_ops(const Pair& pair, const std::vector<Bytes>& inputs, const std::string& run,
                               const std::map<int, GoldenTensor>& golden, Counts& counts) {
  std::map<OpId, Bytes> wanted;
  const std::vector<bool> unwritten = partly_unwritten(pair.graph);
  const RunResult disjoint = execute(pair.disjoint, inputs, [&](OpId id, std::span<const std::byte> bytes) {
    wanted[id] = Bytes(bytes.begin(), bytes.end());
  });
  const RunResult in_place = execute(pair.in_place, inputs, [&](OpId id, std::span<const std::byte> bytes) {
    const Bytes& other = wanted.at(id);
    if (!std::ranges::equal(bytes, other)) {
      const std::size_t at = first_difference(bytes, other);
      differs(pair.graph, id, fmt::format("{}: byte {} differs in place", run, at), byte_text(other, at),
              byte_text(bytes, at));
    }
    ++counts.ops;
    counts.bytes += std::ssize(bytes);
    const Op& op = pair.graph.ops[static_cast<std::size_t>(id)];
    const auto reference = golden.find(pair.graph.tensors[static_cast<std::size_t>(op.output)].source);
    if (reference == golden.end() || unwritten[static_cast<std::size_t>(op.output)]) return;
    if (reference->second.bytes != std::ssize(bytes)) {
      differs(pair.graph, id, run + ": another size than the golden tensor",
              fmt::format("{} bytes", reference->second.bytes), fmt::format("{} bytes", bytes.size()));
    }
    if (const std::uint64_t hash = fnv1a64(bytes); hash != reference->second.hash) {
      differs(pair.graph, id, run + ": differs from the golden tensor",
              fmt::format("fnv1a64 {:016x}", reference->second.hash), fmt::format("{:016x}", hash));
    }
    ++counts.golden_ops;
  });
  for (std::size_t i = 0; i < disjoint.outputs.size(); ++i) {
    if (disjoint.outputs[i] == in_place.outputs[i]) continue;
    throw Error({.tensor = pair.graph.tensors[static_cast<std::size_t>(pair.graph.outputs[i])].name,
                 .problem = run + ": the output was overwritten after it was made"});
  }
  ++counts.runs;
  return in_place.outputs;
}

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
  PlanOptions options = plan_options(command.network);
  options.memory.in_place = options.stages = options.stream_input = false;
  const Plan disjoint = make_plan(network.graph, options);
  const Pair pair{network.graph, link(network.graph, network.plan), link(network.graph, disjoint)};
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
      grouped(disjoint.arena_bytes)));
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
