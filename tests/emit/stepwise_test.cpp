// Emitted code run in pieces: step by step, and with an input that arrives row by row. Always the bytes of one run.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "check/check.h"
#include "emit/harness.h"
#include "execute/input_stream.h"
#include "import/import.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "plan/stream.h"
#include "source_dir.h"
#include "support/graphs.h"

namespace ripc {
namespace {

/// Each input goes through every way of running the network.
constexpr const char* kStreamMain = R"(#include <stdio.h>
#include "net.h"

static net_arena_t arena;
static int8_t input[NET_INPUT_BYTES];

static void print(void) { fwrite(net_output(&arena), 1, NET_OUTPUT_BYTES, stdout); }

static int push(int rows_at_once) {
  int row = 0;
  if (net_begin(&arena) != 0) return 1;
  while (row < NET_ROWS) {
    const int taken = net_push_rows(&arena, input + (size_t)row * NET_ROW_BYTES, rows_at_once);
    if (net_finish(&arena) == 0 && row + taken != NET_ROWS) return 2;
    if (taken != (NET_ROWS - row < rows_at_once ? NET_ROWS - row : rows_at_once)) return 3;
    row += taken;
  }
  if (net_push_rows(&arena, input, 1) != 0 || net_take_row(&arena, input) != 0 || net_finish(&arena) != 0) return 4;
  print();
  return 0;
}

static int in_pieces(void) {
  int row = 0, steps = 0, made;
  if (net_begin(&arena) != 0) return 5;
  for (; row < NET_ROWS; row++) {
    while ((made = net_step(&arena)) > 0) steps++;
    if (made < 0 || net_take_row(&arena, input + (size_t)row * NET_ROW_BYTES) != 1) return 6;
  }
  while (net_step(&arena) > 0) steps++;
  if (net_step(&arena) != 0 || net_finish(&arena) != 0 || steps < NET_OPS) return 7;
  print();
  return 0;
}

int main(void) {
  int i, fault;
  uint32_t most = 0;
  for (i = 0; i < NET_ROWS; i++) most = net_row_macs[i] > most ? net_row_macs[i] : most;
  if (most != NET_MAX_ROW_MACS) return 8;
  if (net_push_rows(NULL, input, 1) >= 0 || net_begin(NULL) >= 0 || net_push_rows(&arena, input, -1) >= 0 || net_push_rows(&arena, NULL, 0) != 0) return 9;
  while (fread(input, 1, NET_INPUT_BYTES, stdin) == NET_INPUT_BYTES) {
    if (net_invoke(&arena, input) != 0) return 10;
    print();
    if ((fault = push(1)) != 0 || (fault = push(3)) != 0 || (fault = in_pieces()) != 0) return fault;
  }
  return net_selftest(&arena, input) == 0 ? 0 : 11;
}
)";

constexpr const char* kStepMain = R"(#include <stdio.h>
#include "net.h"

static net_arena_t arena;

static void print(void) { fwrite(net_output(&arena), 1, NET_OUTPUT_BYTES, stdout); }

int main(void) {
  int steps = 0;
  while (fread(net_input(&arena), 1, NET_INPUT_BYTES, stdin) == NET_INPUT_BYTES) {
    if (net_begin(&arena) != 0) return 1;
    while (net_step(&arena) > 0) steps++;
    if (net_step(&arena) != 0) return 2;
    print();
  }
  return steps < NET_OPS || net_step(NULL) >= 0 ? 3 : 0;
}
)";

/// Whatever the program prints for three inputs is the output of the plain run, `times` times.
void expect_plain_bytes(const Graph& graph, const Plan& plan, const char* main, int times,
                        const std::string& compiler = {}) {
  check_plan(graph, plan);
  const Program program = link(graph, plan), plain = link(graph, make_plan(graph, {}));
  const auto files = emit_c(graph, plan, program, {.prefix = "net", .flags = {}, .selftest_seed = 1});
  const test::BuiltModel model(program, files, "net", compiler, main);
  std::vector<std::vector<Bytes>> inputs;
  std::vector<Bytes> expected;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    inputs.push_back(random_inputs(graph, seed));
    for (int i = 0; i < times; ++i) expected.push_back(execute(plain, inputs.back()).outputs.at(0));
  }
  EXPECT_EQ(model.run(inputs), expected);
}

constexpr const char* kSanitized = "gcc -std=c99 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all";

/// Two convolutions as a stage; of the input three rows are kept at a time, of the tensor between them likewise.
struct Streamed {
  Graph graph;
  Plan plan;

  Streamed() {
    test::GraphBuilder builder(7);
    const Window three{.kernel = 3, .pad_before = 1, .pad_after = 1};
    const TensorId image = builder.input({9, 7, 3}), made = builder.conv(image, 4, three, three);
    graph = builder.finish({builder.conv(made, 2, three, three)});
    plan = with_progress(await_input(graph, make_plan(graph, {})));
    for (PlannedOp& op : plan.ops) op.scratch = op.kept = {};
    plan.schedule.stages = {{.ops = {0, 1}, .reverse = false, .steps = {}}};
    const StepRun row{kSourceRows, 1}, first{0, 1}, second{1, 1};
    plan.schedule.stages[0].steps = {
        {1, {row}}, {1, {row, first}}, {7, {row, first, second}}, {1, {first, second}}, {1, {second}}};
    plan.storages = {{.tensor = image, .offset = 0, .row_bytes = 21, .slots = 3},
                     {.tensor = made, .offset = 63, .row_bytes = 28, .slots = 3, .first_slot = 2},
                     {.tensor = graph.outputs[0], .offset = 147, .row_bytes = 14, .slots = 9}};
    plan.progress.offset = 273;
    plan.arena_bytes = 289;
  }
};

TEST(Stepwise, RowsOfARingMakeTheBytesOfOneRun) {
  const Streamed streamed;
  for (const char* compiler : {"", "clang -std=c99 -O2 -pedantic -Wall -Wextra -Wconversion -Werror", kSanitized}) {
    if (std::string(compiler).starts_with("clang") && !test::has_compiler("clang")) continue;
    expect_plain_bytes(streamed.graph, streamed.plan, kStreamMain, 4, compiler);
  }
}

TEST(Stepwise, RowsOfAWholeInputMakeTheBytesOfOneRun) {
  const Graph graph = canonicalize(test::chain_graph(2));
  expect_plain_bytes(graph, with_progress(await_input(graph, make_plan(graph, {}))), kStreamMain, 4);
}

TEST(Stepwise, StepsMakeTheBytesOfOneRun) {
  const Graph graph = canonicalize(test::chain_graph(2));
  expect_plain_bytes(graph, with_progress(make_plan(graph, {})), kStepMain, 1);
}

TEST(Stepwise, SpreadsTheWorkOverTheRows) {
  const Streamed streamed;
  const auto files =
      emit_c(streamed.graph, streamed.plan, link(streamed.graph, streamed.plan), {.prefix = "net", .flags = {}});
  // 7 * 4 * 27 products a row of the first layer, 7 * 2 * 36 of the second.
  const std::string rows = "{\n  0u,\n  756u,\n  1260u,\n  1260u,\n  1260u,\n  1260u,\n  1260u,\n  1260u,\n  3024u,\n}";
  EXPECT_NE(test::text_of(files, "net_row_macs.c").find(rows), std::string::npos)
      << test::text_of(files, "net_row_macs.c");
  EXPECT_NE(test::text_of(files, "net.h").find("#define NET_MAX_ROW_MACS 3024u"), std::string::npos);
}

TEST(Stepwise, RunsTheExample) {
  const std::filesystem::path source = RIPC_SOURCE_DIR;
  const Graph graph = canonicalize(import_network(source / "models/digits/digits.tflite"));
  const Plan plan = with_progress(await_input(graph, make_plan(graph, {})));
  const Program program = link(graph, plan);
  std::ifstream file(source / "examples/stream-rows/main.c");
  const std::string main{std::istreambuf_iterator<char>(file), {}};
  const test::BuiltModel model(program, emit_c(graph, plan, program, {.prefix = "digits", .flags = {}}), "digits", {},
                               main);
  const test::Outcome outcome =
      test::run_command((model.executable().string() + " ").append(source / "models/digits/samples.bin"));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
}

TEST(Stepwise, IsLeftOutUnlessAskedFor) {
  const Graph graph = canonicalize(test::chain_graph(2));
  const Plan plan = make_plan(graph, {});
  for (const EmittedFile& file : emit_c(graph, plan, link(graph, plan), {.prefix = "net", .flags = {}})) {
    EXPECT_EQ(file.text.find("net_step"), std::string::npos) << file.path;
    EXPECT_NE(file.path, "src/steps.c");
  }
}

}  // namespace
}  // namespace ripc
