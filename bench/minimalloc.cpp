// The eleven instances published with MiniMalloc, at their capacity of 1 MiB: bench_minimalloc DIRECTORY [--peer PATH].
// With a minimalloc binary of the user's as peer, that runs on the same files, in the same run.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <array>
#include <cmath>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include "placement/csv.h"
#include "placement/placers.h"
#include "ripc/error.h"

extern char** environ;

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kCapacity = 1048576;

struct Instance {
  char name;
  double
      published_seconds;  // of processor time, of MiniMalloc at its defaults; on another machine, so a yardstick only
};

constexpr std::array<Instance, 11> kInstances = {{{'A', 8.6},
                                                  {'B', 6.7},
                                                  {'C', 1.4},
                                                  {'D', 5.4},
                                                  {'E', 6.5},
                                                  {'F', 9.1},
                                                  {'G', 1.7},
                                                  {'H', 2.6},
                                                  {'I', 6.1},
                                                  {'J', 1.8},
                                                  {'K', 1.0}}};

struct Run {
  bool placed = false;
  double seconds = 0.0;
};

ripc::Problem load(const fs::path& path) {
  std::ifstream file(path);
  if (!file) throw ripc::Error({.file = path.string(), .problem = "cannot be read"});
  std::stringstream text;
  text << file.rdbuf();
  ripc::Problem problem = ripc::read_csv(text.str());
  problem.capacity = kCapacity;
  return problem;
}

double ratio(const ripc::Problem& problem, const char* placer) {
  const ripc::Placement placement = ripc::place(problem, placer);
  return static_cast<double>(placement.peak) / static_cast<double>(placement.lower_bound);
}

Run run_exact(const ripc::Problem& problem) {
  const std::clock_t start = std::clock();
  const ripc::Placement placement = ripc::place(problem, "exact");
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const std::string fault = ripc::validate_placement(problem, placement);
  fmt::print(" {:11} {:8} {:>6} {:7} {:8.3f}", placement.lower_bound, placement.peak,
             placement.proof == ripc::Proof::optimal ? "least" : "fits", placement.nodes, seconds);
  if (!fault.empty()) fmt::print("  {}", fault);
  return {fault.empty(), seconds};
}

// Offsets from what the peer wrote, by the names of the buffers; the rest of the problem is ours.
ripc::Placement read_offsets(const ripc::Problem& problem, const fs::path& path) {
  std::map<std::string, std::int64_t> offsets;
  for (const ripc::Buffer& buffer : load(path).buffers) offsets[buffer.name] = buffer.offset.value_or(-1);
  ripc::Placement placement;
  for (const ripc::Buffer& buffer : problem.buffers) {
    placement.offsets.push_back(offsets.contains(buffer.name) ? offsets[buffer.name] : -1);
    placement.peak = std::max(placement.peak, placement.offsets.back() + buffer.bytes);
  }
  return placement;
}

Run run_peer(const std::string& peer, const ripc::Problem& problem, const fs::path& path) {
  const fs::path output = fs::temp_directory_path() / fmt::format("ripc_minimalloc_{}.csv", getpid());
  std::array<std::string, 4> words{peer, fmt::format("--capacity={}", kCapacity), "--input=" + path.string(),
                                   "--output=" + output.string()};
  std::array<char*, 5> argv{words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int fault = posix_spawn(&child, peer.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (fault != 0) throw ripc::Error({.fault = ripc::Fault::usage, .file = peer, .problem = "cannot be run"});
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  Run run{false, seconds(usage.ru_utime) + seconds(usage.ru_stime)};
  if (fs::exists(output)) {
    run.placed = ripc::validate_placement(problem, read_offsets(problem, output)).empty();
    fs::remove(output);
  }
  fmt::print(" {:8.3f} {}", run.seconds, run.placed ? "fits" : "no placement");
  return run;
}

// Where less than the capacity may do, which it is is open: the least peak that a long search finds, and the bound.
void search_least(char name, ripc::Problem problem) {
  problem.capacity.reset();
  ripc::PlacerOptions options;
  options.node_limit = 1'000'000;
  const std::clock_t start = std::clock();
  const ripc::Placement placement = ripc::place(problem, "exact", options);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const std::string fault = ripc::validate_placement(problem, placement);
  fmt::print("{}: least peak found {}, bound {} ({}); {} nodes, {:.1f} CPU s {}\n", name, placement.peak,
             placement.lower_bound, placement.proof == ripc::Proof::optimal ? "proven" : "not proven least",
             placement.nodes, seconds, fault);
}

int bench(const std::string& directory, const std::optional<std::string>& peer) {
  fmt::print("  buffers   ratio of peak to bound: first-fit, greedy-by-size, best-fit | the exact placer at {} bytes\n",
             kCapacity);
  fmt::print("                                        bound     peak  proof   nodes    CPU s published{}\n",
             peer ? "     peer" : "");
  std::size_t placed = 0;
  double published_logs = 0.0;
  double peer_logs = 0.0;
  for (const Instance& instance : kInstances) {
    const fs::path path = fs::path(directory) / fmt::format("{}.{}.csv", instance.name, kCapacity);
    const ripc::Problem problem = load(path);
    fmt::print("{} {:7} {:7.4f} {:7.4f} {:7.4f}", instance.name, problem.buffers.size(), ratio(problem, "first-fit"),
               ratio(problem, "greedy-by-size"), ratio(problem, "best-fit"));
    const Run ours = run_exact(problem);
    placed += ours.placed ? 1 : 0;
    const double seconds = std::max(ours.seconds, 1e-3);  // the clock's grain
    published_logs += std::log(instance.published_seconds / seconds);
    fmt::print(" {:9.1f}", instance.published_seconds);
    if (peer) peer_logs += std::log(std::max(run_peer(*peer, problem, path).seconds, 1e-3) / seconds);
    fmt::print("\n");
  }
  for (const Instance& instance : kInstances) {
    const ripc::Problem problem = load(fs::path(directory) / fmt::format("{}.{}.csv", instance.name, kCapacity));
    if (ripc::lower_bound(problem) < kCapacity) search_least(instance.name, problem);
  }
  const auto mean = [](double logs) { return std::exp(logs / static_cast<double>(kInstances.size())); };
  fmt::print("geometric mean, published CPU seconds (another machine) to ours: {:.1f}\n", mean(published_logs));
  if (peer) fmt::print("geometric mean, the peer's CPU seconds to ours, this run: {:.1f}\n", mean(peer_logs));
  fmt::print("minimalloc: {} of {} within {} bytes\n", placed, kInstances.size(), kCapacity);
  return placed == kInstances.size() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const bool with_peer = argc == 4 && std::string(argv[2]) == "--peer";
  if (argc != 2 && !with_peer) {
    fmt::print(stderr, "usage: bench_minimalloc DIRECTORY [--peer PATH]\n");
    return 2;
  }
  try {
    return bench(argv[1], with_peer ? std::optional<std::string>(argv[3]) : std::nullopt);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
