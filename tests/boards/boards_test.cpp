// What is emitted for a board builds, runs under the board's emulator, and makes the host's bytes; faults end the run.
#include "report/boards.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "boards/project.h"
#include "execute/input_stream.h"
#include "execute/networks.h"
#include "graph/fnv.h"
#include "import/import.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "source_dir.h"

namespace ripc {
namespace {

using test::BoardFirmware;
using test::BoardTools;

#ifdef RIPC_BOARDS_REQUIRED
constexpr bool kRequired = true;
#else
constexpr bool kRequired = false;
#endif

class Boards : public testing::TestWithParam<BoardTools> {
 protected:
  void SetUp() override {
    const std::string missing = test::missing_tools(GetParam());
    if (missing.empty()) return;
    if (kRequired) FAIL() << missing;
    GTEST_SKIP() << missing;
  }
};

Plan plan_of(const Graph& graph, bool in_place) {
  PlanOptions options;
  options.memory.in_place = in_place;
  return make_plan(graph, options);
}

/// FNV-1a of what every operator makes on the host.
std::map<OpId, std::uint32_t> host_sums(const Graph& graph) {
  std::map<OpId, std::uint32_t> sums;
  execute(link(graph, plan_of(graph, false)), random_inputs(graph, EmitOptions{}.selftest_seed),
          [&](OpId op, std::span<const std::byte> tensor) { sums[op] = fnv1a32(tensor); });
  return sums;
}

/// Runs the network on the board, in place and not. Both make the host's bytes, operator by operator. Gives how much
/// longer it takes in place: 1 is as long.
///
/// Where the dual buffer does not fit the board, `variables` name a larger chip.
void run_both_ways(const Graph& graph, const BoardTools& tools, const std::string& variables, double& slowdown) {
  const auto expected = host_sums(graph);
  std::int64_t instructions[2] = {};
  for (const bool in_place : {false, true}) {
    const Plan plan = plan_of(graph, in_place);
    const auto result = BoardFirmware(graph, plan, tools.name).run("TRACE=1 " + variables);
    ASSERT_EQ(result.status, 0) << result.output;
    EXPECT_NE(result.output.find("equal to the host's"), std::string::npos) << result.output;
    EXPECT_NE(result.output.find("selftest passed"), std::string::npos) << result.output;
    EXPECT_EQ(test::traced_sums(result.output), expected) << result.output;
    EXPECT_EQ(test::number_after(result.output, "arena"), plan.arena_bytes) << result.output;
    const std::int64_t stack = test::number_after(result.output, "stack");
    EXPECT_GT(stack, 0) << result.output;
    EXPECT_LE(stack, find_board(tools.name)->stack_bytes) << result.output;
    instructions[in_place ? 1 : 0] = test::number_after(result.output, "invoke");
  }
  ASSERT_GT(instructions[0], 0);
  slowdown = static_cast<double>(instructions[1]) / static_cast<double>(instructions[0]);
}

Graph digits() { return canonicalize(import_network(RIPC_SOURCE_DIR "/models/digits/digits.tflite"), {}); }

std::string larger_chip(const BoardTools& board) {
  return board.name == "uno" ? "MCU=atmega1284p RAM_BYTES=16384 FLASH_BYTES=131072" : "";
}

/// On the smallest board it fits in place alone; examples/arduino-digits compares the two ways on a larger chip.
TEST_P(Boards, RunDigits) {
  const Graph graph = digits();
  if (!larger_chip(GetParam()).empty()) {
    const auto result = BoardFirmware(graph, plan_of(graph, true), GetParam().name).run();
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_LE(test::number_after(result.output, "stack"), find_board(GetParam().name)->stack_bytes);
    return;
  }
  double slowdown = 0;
  run_both_ways(graph, GetParam(), "", slowdown);
  EXPECT_NEAR(slowdown, 1.0, 0.002);
}

/// In place, the depthwise kernel of such a small image goes plane by plane, which takes longer.
TEST_P(Boards, RunDepthwiseAndResidual) {
  double slowdown = 0;
  run_both_ways(test::classifier(1, 5), GetParam(), larger_chip(GetParam()), slowdown);
}

/// A model that does nothing but `invoke`.
std::string model_text(const std::string& invoke) {
  return fmt::format(R"(#include <stdint.h>
#define MODEL_NAME "fault"
#define MODEL_ARENA_BYTES 64u
#define MODEL_STATE_BYTES 0u
#define MODEL_OPS 1
typedef struct {{ int8_t bytes[64]; }} model_arena_t;
#define MODEL_OUTPUTS(arena, visit)
static int model_fill(model_arena_t *arena) {{ arena->bytes[0] = 0; return 0; }}
static int model_selftest(model_arena_t *arena) {{ return arena->bytes[0]; }}
static volatile uint8_t zero;
static volatile uintptr_t somewhere;
{}
)",
                     invoke);
}

TEST_P(Boards, FaultsEndTheRun) {
  const std::string board = GetParam().name;
  const Graph graph = test::chain(1, 4);
  const BoardFirmware firmware(graph, plan_of(graph, true), board);
  const auto run = [&](const std::string& invoke) {
    firmware.replace("board/model.h", model_text(invoke));
    return firmware.run();
  };
  const auto faults = [&](const std::string& invoke, const std::string& message) {
    const auto result = run(invoke);
    EXPECT_NE(result.status, 0) << invoke << result.output;
    EXPECT_NE(result.output.find(message), std::string::npos) << invoke << result.output;
  };

  const auto harmless = run("static int model_invoke(model_arena_t *a) { return a->bytes[0]; }");
  EXPECT_EQ(harmless.status, 0) << harmless.output;

  for (const char* beside : {"64 + zero", "-1 - zero"}) {
    faults(fmt::format("static int model_invoke(model_arena_t *a) {{ a->bytes[{}] = 1; return 0; }}", beside),
           "fault: the model has written outside");
  }

  faults(R"(static int deeper(int depth) {
  volatile uint8_t bytes[100];
  bytes[zero] = (uint8_t)depth;
  return depth == 0 ? 0 : deeper(depth - 1) + bytes[zero];
}
static int model_invoke(model_arena_t *a) { return deeper(1000) + a->bytes[0]; })",
         "fault: ");

  const std::string first_beyond_the_ram = board == "uno" ? "0x900" : "(uintptr_t)ram_end";
  faults(fmt::format(R"(extern char ram_end[];
static int model_invoke(model_arena_t *a) {{
  somewhere = {};
  *(volatile uint8_t *)somewhere = 1;
  return a->bytes[0];
}})",
                     first_beyond_the_ram),
         "fault: ");

  const auto too_large = firmware.run(fmt::format("RAM_BYTES={} BUILD=build/small", board == "uno" ? 900 : 1024));
  EXPECT_NE(too_large.status, 0);
  EXPECT_NE(too_large.output.find("region"), std::string::npos) << too_large.output;
}

INSTANTIATE_TEST_SUITE_P(All, Boards, testing::ValuesIn(test::all_boards()),
                         [](const auto& board) { return board.param.name; });

TEST(BoardTable, EveryFirmwareHasARowAndEveryRowAFirmware) {
  std::vector<std::string> rows;
  for (const Board& board : common_boards()) {
    if (board.id[0] != '\0') rows.emplace_back(board.id);
  }
  EXPECT_EQ(rows, board_names());
}

}  // namespace
}  // namespace ripc
