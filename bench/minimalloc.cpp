// The eleven instances published with MiniMalloc at their capacity of 1 MiB: bench_minimalloc DIRECTORY.
// Peaks of the greedy placers as a ratio to the lower bound; then the exact placer at the capacity, with CPU seconds.
#include <fmt/format.h>

#include <ctime>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>

#include "placement/csv.h"
#include "placement/placers.h"

namespace {

constexpr std::int64_t kCapacity = 1048576;
constexpr std::string_view kInstances = "ABCDEFGHIJK";

double ratio(const ripc::Problem& problem, const char* placer) {
  const ripc::Placement placement = ripc::place(problem, placer);
  return static_cast<double>(placement.peak) / static_cast<double>(placement.lower_bound);
}

// True if the instance was placed within the capacity.
bool run(char instance, const std::string& directory) {
  const std::string path = fmt::format("{}/{}.{}.csv", directory, instance, kCapacity);
  std::ifstream file(path);
  if (!file) {
    fmt::print("{}  no file {}\n", instance, path);
    return false;
  }
  std::stringstream text;
  text << file.rdbuf();
  ripc::Problem problem = ripc::read_csv(text.str());
  fmt::print("{} {:8} {:10.4f} {:14.4f} {:8.4f}", instance, problem.buffers.size(), ratio(problem, "first-fit"),
             ratio(problem, "greedy-by-size"), ratio(problem, "best-fit"));
  problem.capacity = kCapacity;
  const std::clock_t start = std::clock();
  const ripc::Placement placement = ripc::place(problem, "exact");
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const std::string fault = ripc::validate_placement(problem, placement);
  fmt::print(" {:11} {:8} {:>8} {:7} {:8.3f}  {}\n", placement.lower_bound, placement.peak,
             placement.proof == ripc::Proof::optimal ? "least" : "fits", placement.nodes, seconds,
             fault.empty() ? "valid" : fault);
  return fault.empty();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_minimalloc DIRECTORY\n");
    return 2;
  }
  try {
    fmt::print("   buffers  first-fit greedy-by-size best-fit lower bound     peak    proof   nodes    CPU s\n");
    std::size_t placed = 0;
    for (const char instance : kInstances) placed += run(instance, argv[1]) ? 1 : 0;
    fmt::print("minimalloc: {} of {} within {} bytes\n", placed, kInstances.size(), kCapacity);
    return placed == kInstances.size() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
