// Every model of a folder: its memory in three accountings, and whether it gives the golden bytes emitted as C, run
// here in place, run here disjoint, and operator by operator; or why it cannot be compiled.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
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
  int equal = 0;
  // A program a seed: the golden outputs are those of a first run, with the state as it is at the start.
  for (const cli::GoldenRun& run : runs) {
    const std::vector<Bytes> outputs = built.run({inputs_of(graph, run)});
    equal += outputs.size() == 1 && outputs[0] == run.output ? 1 : 0;
  }
  return built.selftest() == 0 ? equal : 0;
}

struct OperatorCount {
  int equal = 0, all = 0;
};

/// Operators whose output in the first run has the golden hash, of those for which there is one that says something.
OperatorCount equal_operators(const Graph& graph, const Program& program, const GoldenRuns& runs) {
  OperatorCount count;
  const std::vector<bool> unwritten = cli::partly_unwritten(graph);
  execute(program, inputs_of(graph, runs.front()), [&](OpId id, std::span<const std::byte> bytes) {
    const TensorId output = graph.ops[static_cast<std::size_t>(id)].output;
    const auto golden = runs.front().tensors.find(graph.tensors[static_cast<std::size_t>(output)].source);
    if (golden == runs.front().tensors.end() || unwritten[static_cast<std::size_t>(output)]) return;
    ++count.all;
    count.equal += golden->second.hash == fnv1a64(bytes) ? 1 : 0;
  });
  return count;
}

enum class Outcome : std::uint8_t { exact, differs, not_compared, refused };

/// Prints the row of one model. `golden` is the folder of its golden files; empty: there are none.
Outcome print_row(const std::string& name, const fs::path& model, const fs::path& golden) try {
  const auto start = std::chrono::steady_clock::now();
  const Graph graph = canonicalize(import_network(model));
  PlanOptions options;
  const Plan plan = make_plan(graph, options);
  check_plan(graph, plan);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const Account account = account_of(graph, plan, options);
  fmt::print("{:<30} {:>5} {:>9} {:>9} {:>9} {:>9} {:<7} {:>6.2f}", name, graph.ops.size(), account.greedy.bytes,
             account.dual_buffer.bytes, plan.arena_bytes, plan.lower_bound, plan.proven ? "proven" : "open",
             seconds.count());
  if (golden.empty()) {
    fmt::print("  no golden files\n");
    return Outcome::not_compared;
  }
  options.memory.in_place = false;
  const Program in_place = link(graph, plan), disjoint = link(graph, make_plan(graph, options));
  const GoldenRuns runs = cli::read_golden(golden.string());
  const int asked = static_cast<int>(runs.size());
  const int here = equal_runs(graph, in_place, runs), apart = equal_runs(graph, disjoint, runs);
  const int c = equal_runs_of_emitted_c(graph, plan, in_place, runs);
  // With no pad folded and nothing fused every operator of the file but the reshapes can be compared.
  const Graph plain = drop_dead(alias_reshapes(import_network(model)));
  const OperatorCount file_ops = equal_operators(plain, link(plain, make_plan(plain, {})), runs);
  const OperatorCount ops = equal_operators(graph, in_place, runs);
  const bool hashes = runs.front().tensors.empty() || file_ops.all > 0;
  const bool good = c == asked && here == asked && apart == asked && ops.equal == ops.all &&
                    file_ops.equal == file_ops.all && asked > 0 && hashes;
  fmt::print(" {:>5} {:>5} {:>5} {:>7} {:>7}{}\n", fmt::format("{}/{}", c, asked), fmt::format("{}/{}", here, asked),
             fmt::format("{}/{}", apart, asked), fmt::format("{}/{}", ops.equal, ops.all),
             fmt::format("{}/{}", file_ops.equal, file_ops.all), good ? "" : "  <- differs");
  return good ? Outcome::exact : Outcome::differs;
} catch (const Error& error) {
  fmt::print("{:<30} {}\n", name, error.what());
  return Outcome::refused;
} catch (const std::exception& error) {
  fmt::print("{:<30} failed: {}\n", name, error.what());
  return Outcome::differs;
}

/// What was reached in one folder.
struct Tally {
  int asked = 0, exact = 0, not_compared = 0, refused_without_golden = 0, differing = 0;
};

/// Folders that hold golden runs.
std::set<fs::path> golden_in(const fs::path& folder) {
  std::set<fs::path> folders;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().string().ends_with(".out.bin")) folders.insert(entry.path().parent_path());
  }
  return folders;
}

std::vector<fs::path> models_in(const fs::path& folder) {
  std::vector<fs::path> models;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".tflite") models.push_back(entry.path());
  }
  std::ranges::sort(models);
  return models;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    fmt::print(stderr, "usage: bench_zoo MODELS GOLDEN\n");
    return 2;
  }
  const fs::path models = argv[1], golden = argv[2];
  fmt::print(
      "Bytes of activations; seeds with the golden bytes as emitted C, in place, disjoint; operators with the golden "
      "hash.\n\n");
  fmt::print("{:<30} {:>5} {:>9} {:>9} {:>9} {:>9} {:<7} {:>6} {:>5} {:>5} {:>5} {:>7} {:>7}\n", "model", "ops",
             "greedy", "dual", "arena", "bound", "", "s", "C", "run", "apart", "ops", "unfused");
  std::map<std::string, Tally> tallies;  // by folder
  for (const fs::path& folder : golden_in(golden)) {
    ++tallies[folder.parent_path().lexically_relative(golden).string()].asked;
  }
  for (const fs::path& model : models_in(models)) {
    const fs::path place = model.lexically_relative(models);
    const fs::path folder = golden / place.parent_path() / place.stem();
    const bool has_golden = fs::is_directory(folder);
    Tally& tally = tallies[place.has_parent_path() ? place.parent_path().string() : "."];
    const Outcome outcome = print_row(place.stem().string(), model, has_golden ? folder : fs::path());
    std::fflush(stdout);
    tally.exact += outcome == Outcome::exact ? 1 : 0;
    tally.not_compared += outcome == Outcome::not_compared ? 1 : 0;
    tally.differing += outcome == Outcome::differs ? 1 : 0;
    tally.refused_without_golden += outcome == Outcome::refused && !has_golden ? 1 : 0;
  }
  std::string summary;
  bool all = !tallies.empty();
  for (const auto& [folder, tally] : tallies) {
    summary += fmt::format("{}{} of {} bit-exact{}", summary.empty() ? "" : ", ", tally.exact, tally.asked,
                           folder == "." ? "" : " in " + folder);
    all = all && tally.exact == tally.asked && tally.differing == 0;
    if (tally.not_compared + tally.refused_without_golden == 0) continue;
    fmt::print("\nWithout golden files: {} planned and checked, {} refused with an error\n", tally.not_compared,
               tally.refused_without_golden);
  }
  fmt::print("\nzoo: {}\n", summary);
  return all ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_zoo: {}\n", error.what());
  return 1;
}
