// `ripc run`: runs the plan in this process, with the kernels that ship.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "cli/commands.h"
#include "cli/load.h"
#include "cli/terminal.h"
#include "cli/values.h"
#include "emit/emit.h"
#include "execute/execute.h"
#include "graph/fnv.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

struct RunCommand {
  NetworkOptions network;
  std::vector<std::string> inputs, outputs;
  std::string dump;
  bool reset = false;
};

/// Collects every operator's output as a file, and a line a tensor with its checksum for ops.jsonl.
class Dump {
 public:
  explicit Dump(const Graph& graph) : graph_(graph) {}

  void add(OpId id, std::span<const std::byte> bytes) {
    const Op& op = graph_.ops[static_cast<std::size_t>(id)];
    const Tensor& tensor = graph_.tensors[static_cast<std::size_t>(op.output)];
    const std::string path = fmt::format("op{:03}.bin", op.source >= 0 ? op.source : id);
    const nlohmann::ordered_json line = {{"op", op.source},
                                         {"name", kind_name(op)},
                                         {"tensor", tensor.source},
                                         {"tensor_name", tensor.name},
                                         {"type", type_name(tensor.type)},
                                         {"shape", tensor.shape},
                                         {"bytes", bytes.size()},
                                         {"fnv1a64", fmt::format("{:016x}", fnv1a64(bytes))},
                                         {"file", path}};
    lines_ += line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    files_.push_back({.path = path, .text = {reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
  }

  void write(const std::string& folder) {
    files_.push_back({.path = "ops.jsonl", .text = lines_});
    write_files(folder, files_);
  }

 private:
  const Graph& graph_;
  std::vector<EmittedFile> files_;
  std::string lines_;
};

void run_network(const RunCommand& command) {
  const PlannedNetwork network = plan_network(command.network);
  const Graph& graph = network.graph;
  const std::vector<std::vector<Bytes>> runs = read_runs(graph, command.inputs);
  if (command.outputs.size() > runs.size() * graph.outputs.size()) {
    throw Error({.fault = Fault::usage,
                 .problem = "more output files than outputs",
                 .expected = fmt::format("at most {}", runs.size() * graph.outputs.size()),
                 .found = std::to_string(command.outputs.size())});
  }
  if (command.reset && graph.states.empty()) {
    throw Error({.fault = Fault::usage, .problem = "--reset: nothing of this network survives from run to run"});
  }
  const Program program = link(graph, network.plan);
  Dump dump(graph);
  const OpObserver observer = [&](OpId id, std::span<const std::byte> bytes) { dump.add(id, bytes); };
  Bytes state = program.initial_state;
  std::size_t file = 0;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (command.reset) state = program.initial_state;
    const bool dumped = run == 0 && !command.dump.empty();
    const RunResult result = execute(program, runs[run], dumped ? observer : OpObserver(), &state);
    if (dumped) dump.write(command.dump);
    if (runs.size() > 1) print(fmt::format("run {}\n", run + 1));
    for (std::size_t i = 0; i < result.outputs.size(); ++i, ++file) {
      const Tensor& tensor = graph.tensors[static_cast<std::size_t>(graph.outputs[i])];
      if (file < command.outputs.size()) write_tensor(command.outputs[file], tensor, result.outputs[i]);
      print(describe_values(tensor, result.outputs[i]));
    }
  }
}

}  // namespace

void add_run(Command& app) {
  auto command = std::make_shared<RunCommand>();
  Command run = app.subcommand("run", "run the network here, on .npy or raw little-endian files");
  add_network_options(run, command->network);
  run.require("model");
  run.texts(
         "inputs", command->inputs,
         "one file an input, in order; or one raw file with all of them; of a network with a state also several runs")
      .required()
      .type("FILE");
  run.texts("-o,--out", command->outputs,
            "file of an output, .npy or raw by its name; again for each further output, in order")
      .one_value()
      .type("FILE");
  run.text("--dump-ops", command->dump, "folder for every operator's output and its checksum").type("DIR");
  run.flag("--reset", command->reset, "reset the state before every run");
  run.footer("Example: ripc run model.tflite input.npy -o output.npy --dump-ops dump/");
  run.action([command] { run_network(*command); });
}

}  // namespace ripc::cli
