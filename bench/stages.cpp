// The arenas of published networks when operators run row by row together: the input resident in the arena, or arriving
// row by row. Every plan is replayed by check/ before it is printed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/check.h"
#include "import/import.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "plan/stage_bound.h"
#include "ripc/error.h"

namespace {

using namespace ripc;

using Fields = std::vector<std::string>;

std::vector<Fields> read_table(const std::filesystem::path& path) {
  std::vector<Fields> rows;
  std::ifstream file(path);
  std::string line, field;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    Fields& row = rows.emplace_back();
    while (fields >> field) row.push_back(field);
  }
  return rows;
}

struct Staged {
  Plan plan;
  double seconds = 0;
  std::size_t fused = 0;  ///< stages of several operators
};

Staged plan_staged(const Graph& graph, bool streamed, std::int64_t alignment = 1,
                   std::vector<std::int64_t> blocks = {}) {
  PlanOptions options;
  options.order = OperatorOrder::file;
  options.stages = true;
  options.stream_input = streamed;
  options.stage_blocks = std::move(blocks);
  options.memory.alignment = alignment;
  const std::clock_t start = std::clock();
  Staged staged{.plan = make_plan(graph, options)};
  staged.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  check_plan(graph, staged.plan);
  for (const Stage& stage : staged.plan.schedule.stages) staged.fused += stage.ops.size() > 1 ? 1 : 0;
  return staged;
}

std::int64_t plain_bytes(const Graph& graph) {
  PlanOptions options;
  options.order = OperatorOrder::file;
  return make_plan(graph, options).arena_bytes;
}

/// A figure beside the one asked for.
std::string beside(std::int64_t bytes, std::int64_t asked) {
  return fmt::format("{:>8} {:>8}{}", bytes, asked, bytes <= asked ? ' ' : '!');
}

/// Tiles that compute their borders again: published for these networks, with their multiply-accumulates over the plain
/// network's.
struct Tiled {
  const char* network;
  std::int64_t bytes;
  double macs;
};
constexpr Tiled kTiled[] = {{"mcunet-vww1", 38576, 1.023}, {"mcunet-vww1", 13376, 1.345}, {"mcunet-in3", 94184, 1.455}};

/// Rows made in blocks, beside whole rows and the figure of 16 blocks a row asked for. Returns how many reach it.
int print_blocks(const std::filesystem::path& source, const std::map<std::string, std::pair<Staged, Staged>>& rows) {
  fmt::print(
      "\nRows made in up to 16 blocks, where that takes less, beside a figure of 16 blocks a row (! above it).\n\n");
  fmt::print("{:<20} | {:>8} {:>8} {:>8}  | {:>8} {:>8} {:>8}  | {:>6}\n", "network", "resident", "blocks", "asked",
             "streamed", "blocks", "asked", "s");
  int reached = 0;
  for (const Fields& row : read_table(source / "bench/published/stage_blocks.tsv")) {
    const Graph graph = canonicalize(import_network(source / "networks/mcunet" / (row[0] + ".json")), {});
    const auto& [resident_rows, streamed_rows] = rows.at(row[0]);
    const Staged resident = plan_staged(graph, false, 1, {16}), streamed = plan_staged(graph, true, 1, {16});
    const std::int64_t resident_asked = std::stoll(row[1]), streamed_asked = std::stoll(row[2]);
    reached += resident.plan.arena_bytes <= resident_asked && streamed.plan.arena_bytes <= streamed_asked ? 1 : 0;
    fmt::print("{:<20} | {:>8} {} | {:>8} {} | {:>6.2f}\n", row[0], resident_rows.plan.arena_bytes,
               beside(resident.plan.arena_bytes, resident_asked), streamed_rows.plan.arena_bytes,
               beside(streamed.plan.arena_bytes, streamed_asked), resident.seconds + streamed.seconds);
    for (const Tiled& tiled : kTiled) {
      if (row[0] != tiled.network) continue;
      fmt::print(
          "  published tiles take {} bytes at {:.3f} of the multiply-accumulates; ours at 1.000: {} resident, {} "
          "streamed\n",
          tiled.bytes, tiled.macs, resident.plan.arena_bytes, streamed.plan.arena_bytes);
    }
  }
  return reached;
}

int print_mcunet(const std::filesystem::path& source) {
  std::map<std::string, Fields> published;
  for (const Fields& row : read_table(source / "bench/published/table3.tsv")) published[row[1]] = row;
  fmt::print(
      "Bytes of the arena. TinyEngine and RiP as published, their scratch added; ours plain; ours with stages,\n");
  fmt::print(
      "the input whole in the arena or arriving row by row, each beside the figure asked for (! above it), and\n");
  fmt::print(
      "what it adds to align every buffer to 4 bytes. No plan that makes row after row, each once, is below the "
      "bound.\n\n");
  fmt::print("{:<20} {:>10} {:>8} {:>8} | {:>8} {:>8}  {:>8} {:>5} {:>6} | {:>8} {:>8}  {:>8} {:>5} {:>6} | {:>6}\n",
             "network", "TinyEngine", "RiP", "plain", "resident", "asked", "bound", "align", "stages", "streamed",
             "asked", "bound", "align", "stages", "s");
  const auto asked = read_table(source / "bench/published/stages.tsv");
  int reached = 0;
  std::map<std::string, std::pair<Staged, Staged>> rows;
  for (const Fields& row : asked) {
    const Graph graph = canonicalize(import_network(source / "networks/mcunet" / (row[0] + ".json")), {});
    const Staged resident = plan_staged(graph, false), streamed = plan_staged(graph, true);
    const std::int64_t resident_asked = std::stoll(row[1]), streamed_asked = std::stoll(row[2]);
    const auto added = [&](const Staged& staged, bool is_streamed) {
      return plan_staged(graph, is_streamed, 4).plan.arena_bytes - staged.plan.arena_bytes;
    };
    const Fields& theirs = published.at(row[0]);
    const std::int64_t scratch = std::stoll(theirs[2]);
    const bool good = resident.plan.arena_bytes <= resident_asked && streamed.plan.arena_bytes <= streamed_asked;
    reached += good ? 1 : 0;
    fmt::print("{:<20} {:>10} {:>8} {:>8} | {}  {:>8} {:>5} {:>6} | {}  {:>8} {:>5} {:>6} | {:>6.2f}\n", row[0],
               std::stoll(theirs[3]) + scratch, std::stoll(theirs[4]) + scratch, plain_bytes(graph),
               beside(resident.plan.arena_bytes, resident_asked), chain_bound(graph, false), added(resident, false),
               resident.fused, beside(streamed.plan.arena_bytes, streamed_asked), chain_bound(graph, true),
               added(streamed, true), streamed.fused, resident.seconds + streamed.seconds);
    rows.try_emplace(row[0], resident, streamed);
  }
  const int in_blocks = print_blocks(source, rows);
  fmt::print("\nin blocks: {} of {} at or below the figures of 16 blocks a row, resident and streamed\n", in_blocks,
             asked.size());
  fmt::print("stages: {} of {} at or below the bytes asked for, resident and streamed\n", reached, asked.size());
  return reached == static_cast<int>(asked.size()) ? 0 : 1;
}

int print_keras(const std::filesystem::path& source, const std::filesystem::path& models) {
  const auto asked = read_table(source / "bench/published/stages_keras.tsv");
  fmt::print(
      "Bytes of the arena: RiP as published, ours plain, ours with stages and the input whole in the arena or\n");
  fmt::print("arriving row by row, each beside the figure asked for (! above it); of RiP, and seconds.\n\n");
  fmt::print("{:<26} {:>9} {:>9} | {:>8} {:>8}  {:>6} {:>6} | {:>8} {:>8}  | {:>6}\n", "network", "RiP", "plain",
             "resident", "asked", "of RiP", "stages", "streamed", "asked", "s");
  int reached = 0, compared = 0;
  double logarithms = 0;
  for (const Fields& row : asked) {
    const std::filesystem::path keras = source / "networks/keras" / (row[0] + ".json");
    const std::filesystem::path model = models / (row[0] + ".tflite");
    const bool is_keras = std::filesystem::exists(keras);
    if (!is_keras && !std::filesystem::exists(model)) {
      fmt::print("{:<26} not here\n", row[0]);
      continue;
    }
    const Graph graph = canonicalize(import_network(is_keras ? keras : model), {});
    const Staged resident = plan_staged(graph, false), streamed = plan_staged(graph, true);
    const std::int64_t published = std::stoll(row[1]), resident_asked = std::stoll(row[2]),
                       streamed_asked = std::stoll(row[3]);
    reached += resident.plan.arena_bytes <= resident_asked ? 1 : 0;
    const double share =
        published == 0 ? 0 : static_cast<double>(resident.plan.arena_bytes) / static_cast<double>(published);
    if (published != 0) {
      ++compared;
      logarithms += std::log(share);
    }
    fmt::print("{:<26} {:>9} {:>9} | {}  {:>6.3f} {:>6} | {} | {:>6.2f}\n", row[0], published, plain_bytes(graph),
               beside(resident.plan.arena_bytes, resident_asked), share, resident.fused,
               beside(streamed.plan.arena_bytes, streamed_asked), resident.seconds + streamed.seconds);
  }
  fmt::print("\nGeometric mean of the resident arena over RiP's, {} networks: {:.3f}\n", compared,
             std::exp(logarithms / std::max(1, compared)));
  fmt::print("stages-keras: {} of {} at or below the bytes asked for\n", reached, asked.size());
  return reached == static_cast<int>(asked.size()) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // rows take a while
  if (argc == 2) return print_mcunet(argv[1]);
  if (argc == 3) return print_keras(argv[1], argv[2]);
  fmt::print(stderr, "usage: stages SOURCE_DIR [MODELS_DIR]\n");
  return 2;
} catch (const ripc::Error& error) {
  fmt::print(stderr, "stages: {}\n", error.what());
  return 1;
}
