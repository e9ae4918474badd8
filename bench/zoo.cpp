// Every model of a list: its memory in three accountings, and whether it gives the golden bytes emitted as C, run here
// in place, run here disjoint, and operator by operator.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "check/check.h"
#include "cli/golden.h"
#include "cli/values.h"
#include "emit/harness.h"
#include "graph/fnv.h"
#include "import/import.h"
#include "passes/passes.h"
#include "report/account.h"

namespace {

using namespace ripc;
namespace fs = std::filesystem;

using GoldenRuns = std::vector<cli::GoldenRun>;

Bytes joined(const std::vector<Bytes>& parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<Bytes> inputs_of(const Graph& graph, const cli::GoldenRun& run) {
  return cli::split_bytes(graph, graph.inputs, run.input, run.input_path);
}

/// Seeds whose outputs are the golden ones.
int equal_runs(const Graph& graph, const Program& program, const GoldenRuns& runs) {
  int equal = 0;
  for (const cli::GoldenRun& run : runs)
    equal += joined(execute(program, inputs_of(graph, run)).outputs) == run.output ? 1 : 0;
  return equal;
}

int equal_runs_of_emitted_c(const Graph& graph, const Plan& plan, const Program& program, const GoldenRuns& runs) {
  const auto files = emit_c(graph, plan, program, {.prefix = "net", .flags = {}, .selftest_seed = 1});
  const test::BuiltModel built(program, files, "net");
  std::vector<std::vector<Bytes>> inputs;
  for (const cli::GoldenRun& run : runs) inputs.push_back(inputs_of(graph, run));
  const std::vector<Bytes> outputs = built.run(inputs);
  int equal = 0;
  for (std::size_t i = 0; i < runs.size() && i < outputs.size(); ++i) equal += outputs[i] == runs[i].output ? 1 : 0;
  return built.selftest() == 0 ? equal : 0;
}

struct OperatorCount {
  int equal = 0, all = 0;
};

/// Operators whose output in the first run has the golden hash.
OperatorCount equal_operators(const Graph& graph, const Program& program, const GoldenRuns& runs) {
  OperatorCount count;
  execute(program, inputs_of(graph, runs.front()), [&](OpId id, std::span<const std::byte> bytes) {
    const TensorId output = graph.ops[static_cast<std::size_t>(id)].output;
    const auto golden = runs.front().tensors.find(graph.tensors[static_cast<std::size_t>(output)].source);
    ++count.all;
    count.equal += golden != runs.front().tensors.end() && golden->second.hash == fnv1a64(bytes) ? 1 : 0;
  });
  return count;
}

/// Prints the row of one model; true if everything is as the golden files have it.
bool print_row(const std::string& name, const fs::path& models, const fs::path& golden) try {
  const auto start = std::chrono::steady_clock::now();
  const Graph graph = canonicalize(import_network(models / (name + ".tflite")));
  PlanOptions options;
  const Plan plan = make_plan(graph, options);
  check_plan(graph, plan);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const Account account = account_of(graph, plan, options);

  options.memory.in_place = false;
  const Program in_place = link(graph, plan), disjoint = link(graph, make_plan(graph, options));
  const GoldenRuns runs = cli::read_golden((golden / name).string());
  const int asked = static_cast<int>(runs.size());
  const int here = equal_runs(graph, in_place, runs), apart = equal_runs(graph, disjoint, runs);
  const int c = equal_runs_of_emitted_c(graph, plan, in_place, runs);
  // With no pad folded and nothing fused every operator of the file but the reshapes can be compared.
  const Graph plain = drop_dead(alias_reshapes(import_network(models / (name + ".tflite"))));
  const OperatorCount file_ops = equal_operators(plain, link(plain, make_plan(plain, {})), runs);
  const OperatorCount ops = equal_operators(graph, in_place, runs);
  const bool good = c == asked && here == asked && apart == asked && ops.equal == ops.all &&
                    file_ops.equal == file_ops.all && asked > 0;
  fmt::print("{:<30} {:>5} {:>9} {:>9} {:>9} {:>9} {:<7} {:>6.2f} {:>5} {:>5} {:>5} {:>7} {:>7}{}\n", name,
             graph.ops.size(), account.greedy.bytes, account.dual_buffer.bytes, plan.arena_bytes, plan.lower_bound,
             plan.proven ? "proven" : "open", seconds.count(), fmt::format("{}/{}", c, asked),
             fmt::format("{}/{}", here, asked), fmt::format("{}/{}", apart, asked),
             fmt::format("{}/{}", ops.equal, ops.all), fmt::format("{}/{}", file_ops.equal, file_ops.all),
             good ? "" : "  <- differs");
  return good;
} catch (const std::exception& error) {
  fmt::print("{:<30} {}\n", name, error.what());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: bench_zoo MODELS GOLDEN LIST\n");
    return 2;
  }
  std::ifstream list(argv[3]);
  if (!list) {
    fmt::print(stderr, "bench_zoo: no list of models at {}\n", argv[3]);
    return 2;
  }
  fmt::print(
      "Bytes of activations; seeds with the golden bytes as emitted C, in place, disjoint; operators with the golden "
      "hash.\n\n");
  fmt::print("{:<30} {:>5} {:>9} {:>9} {:>9} {:>9} {:<7} {:>6} {:>5} {:>5} {:>5} {:>7} {:>7}\n", "model", "ops",
             "greedy", "dual", "arena", "bound", "", "s", "C", "run", "apart", "ops", "unfused");
  int reached = 0, asked = 0;
  for (std::string name; std::getline(list, name);) {
    if (name.empty()) continue;
    ++asked;
    reached += print_row(name, argv[1], argv[2]) ? 1 : 0;
    std::fflush(stdout);
  }
  fmt::print("\nzoo: {} of {} bit-exact\n", reached, asked);
  return reached == asked && asked > 0 ? 0 : 1;
}
