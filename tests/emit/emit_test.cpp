// What the emitted files say and how they behave, on small networks.
#include "emit/emit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "emit/harness.h"
#include "execute/input_stream.h"
#include "execute/networks.h"
#include "execute/plans.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "ripc/error.h"
#include "schedule/schedule.h"
#include "stages/random_networks.h"

namespace ripc {
namespace {

using test::BuiltModel;
using test::replace_in;
using test::text_of;

struct Emitted {
  Graph graph;
  Program program;
  std::vector<EmittedFile> files;
};

Emitted emitted(Graph graph, const Plan& plan, const std::string& prefix = "net") {
  Emitted result{.graph = std::move(graph), .program = {}, .files = {}};
  result.program = link(result.graph, plan);
  result.files =
      emit_c(result.graph, plan, result.program, {.prefix = prefix, .flags = "--placer exact", .selftest_seed = 1});
  return result;
}

std::vector<std::vector<Bytes>> input_sets(const Graph& graph, std::uint32_t count) {
  std::vector<std::vector<Bytes>> sets;
  for (std::uint32_t seed = 1; seed <= count; ++seed) sets.push_back(random_inputs(graph, seed));
  return sets;
}

/// Outputs of each run by execute, concatenated as the built model gives them.
std::vector<Bytes> executed(const Program& program, const std::vector<std::vector<Bytes>>& sets) {
  std::vector<Bytes> outputs;
  for (const auto& inputs : sets) {
    Bytes all;
    for (const Bytes& output : execute(program, inputs).outputs) all.insert(all.end(), output.begin(), output.end());
    outputs.push_back(std::move(all));
  }
  return outputs;
}

void expect_same_bytes(Graph graph, const Plan& plan, const std::string& compiler = {}) {
  const Emitted model = emitted(std::move(graph), plan);
  const BuiltModel built(model.program, model.files, "net", compiler);
  const auto sets = input_sets(model.graph, 3);
  EXPECT_EQ(built.run(sets), executed(model.program, sets));
  EXPECT_EQ(built.selftest(), 0);
}

TEST(Emit, RunsAsExecuteDoes) {
  const Graph classifier = test::classifier(1);
  expect_same_bytes(classifier, test::disjoint_plan(classifier));
  const Graph chain = test::chain(1);
  expect_same_bytes(chain, test::chain_in_place(chain, false));
  expect_same_bytes(chain, test::chain_in_place(chain, true));
  expect_same_bytes(chain, test::chain_as_stage(chain));
}

TEST(Emit, MakesRowsInBlocksAsExecuteDoes) {
  int built = 0;
  for (std::uint32_t seed = 0; seed < 20 && built < 3; ++seed) {
    const Graph graph = test::random_weighted(seed, 20);
    PlanOptions options;
    options.stages = true;
    options.stage_blocks = {8};
    options.placer_options.node_limit = 2000;
    const Plan plan = make_plan(graph, options);
    if (std::ranges::none_of(plan.schedule.stages, [](const Stage& stage) { return stage.blocks > 1; })) continue;
    expect_same_bytes(graph, plan);
    ++built;
  }
  EXPECT_EQ(built, 3);
}

TEST(Emit, RunsTheOperatorsInThePlansOrder) {
  const Graph graph = test::layer_by_layer(1);
  const Plan plan = make_plan(graph, {});
  ASSERT_FALSE(in_graph_order(plan.schedule));
  expect_same_bytes(graph, plan);
}

TEST(Emit, KeepsTheStateFromRunToRun) {
  for (const bool late_reader : {false, true}) {
    const Graph graph = canonicalize(test::running_sum(1, late_reader));
    const Emitted model = emitted(graph, make_plan(graph, {}));
    const BuiltModel built(model.program, model.files, "net");
    const auto sets = input_sets(graph, 4);
    Bytes state = model.program.initial_state;
    std::vector<Bytes> expected;
    for (const auto& inputs : sets) {
      Bytes& all = expected.emplace_back();
      for (const Bytes& output : execute(model.program, inputs, {}, &state).outputs) {
        all.insert(all.end(), output.begin(), output.end());
      }
    }
    EXPECT_EQ(built.run(sets), expected);
    EXPECT_EQ(built.selftest(), 0);
    const std::string& header = text_of(model.files, "net.h");
    EXPECT_NE(header.find("#define NET_STATE_BYTES 60u"), std::string::npos) << header;
    EXPECT_NE(header.find("int net_invoke(void *arena, void *state);"), std::string::npos) << header;
    EXPECT_NE(header.find("void net_reset(void *state);"), std::string::npos) << header;
  }
}

TEST(Emit, TypesAndIndexesSeveralInputsAndOutputs) {
  const Graph graph = test::two_in_two_out(1);
  const Plan plan = test::disjoint_plan(graph);
  expect_same_bytes(graph, plan);
  const Emitted model = emitted(graph, plan);
  const std::string& header = text_of(model.files, "net.h");
  EXPECT_NE(header.find("float *net_input0(void *arena);"), std::string::npos) << header;
  EXPECT_NE(header.find("float *net_input1(void *arena);"), std::string::npos);
  EXPECT_NE(header.find("const int8_t *net_output0(const void *arena);"), std::string::npos);
  EXPECT_NE(header.find("const float *net_output1(const void *arena);"), std::string::npos);
  EXPECT_NE(header.find("#define NET_INPUT1_BYTES 420u"), std::string::npos);
}

TEST(Emit, ReadsTheCallersInputAndLeavesItAlone) {
  const Graph graph = test::chain(2);
  expect_same_bytes(graph, test::disjoint_plan(graph, true));
  const Emitted model = emitted(graph, test::disjoint_plan(graph, true));
  EXPECT_NE(text_of(model.files, "net.h").find("int net_invoke(void *arena, const int8_t *input);"), std::string::npos);
  const Graph two = test::two_in_two_out(2);
  expect_same_bytes(two, test::disjoint_plan(two, true));
}

TEST(Emit, GivesTheSameFilesEveryTime) {
  const Graph graph = test::classifier(3);
  const Plan plan = test::disjoint_plan(graph);
  EXPECT_EQ(emitted(graph, plan).files, emitted(test::classifier(3), test::disjoint_plan(graph)).files);
}

TEST(Emit, DescribesTheModelInItsHeader) {
  const Graph graph = test::classifier(1);
  const Plan plan = test::disjoint_plan(graph);
  const Emitted model = emitted(graph, plan);
  const std::string& header = text_of(model.files, "net.h");
  for (const std::string& part :
       {std::string("SPDX-License-Identifier: MIT-0"), plan.graph_hash, plan_hash(plan), std::string("--placer exact"),
        fmt::format("#define NET_ARENA_BYTES {}u", plan.arena_bytes), std::string("#define NET_ARENA_ALIGN 4u"),
        std::string("#define NET_INPUT_HEIGHT 13"), std::string("#define NET_INPUT_WIDTH 15"),
        std::string("#define NET_INPUT_CHANNELS 3"), std::string("#define NET_INPUT_DIM2 15"),
        std::string("#define NET_INPUT_SCALE 0.0199999996f"), std::string("#define NET_OUTPUT_ZERO_POINT (-128)"),
        std::string("#define NET_OUTPUT_RANK 2")}) {
    EXPECT_NE(header.find(part), std::string::npos) << part << " is not in\n" << header;
  }
  EXPECT_EQ(plan_from_json(text_of(model.files, "net_plan.json")).arena_bytes, plan.arena_bytes);
}

TEST(Emit, TakesOnlyTheRuntimeThatIsNeeded) {
  const Graph graph = test::chain(1);
  const Emitted model = emitted(graph, test::disjoint_plan(graph));
  const auto has = [&](const std::string& path) {
    return std::ranges::any_of(model.files, [&](const EmittedFile& file) { return file.path == path; });
  };
  EXPECT_TRUE(has("src/place_row.c"));
  EXPECT_TRUE(has("src/conv2d_s8.c"));
  EXPECT_TRUE(has("rip/kernels.h"));
  EXPECT_FALSE(has("src/softmax_s8.c"));
  EXPECT_FALSE(has("src/contracts.c"));
  EXPECT_FALSE(has("rip/contracts.h"));
}

TEST(Emit, WritesHarmlessNames) {
  Graph graph = test::chain(1);
  graph.name = "a */ int evil; /* \\\n\"?\?/ name";
  for (Tensor& tensor : graph.tensors) tensor.name = "*/ \"quoted\" %s \\ ?\?/ \n#error " + tensor.name;
  const Plan plan = test::disjoint_plan(graph);
  expect_same_bytes(graph, plan);
  EXPECT_EQ(c_identifier(graph.name), "a_int_evil_name");
  EXPECT_EQ(c_identifier("7 segments"), "model_7_segments");
  EXPECT_EQ(c_identifier(""), "model_");
}

TEST(Emit, RefusesAPrefixThatIsNoIdentifier) {
  const Graph graph = test::chain(1);
  const Plan plan = test::disjoint_plan(graph);
  const Program program = link(graph, plan);
  for (const char* prefix : {"7seg", "a-b", "rip", "rip_x", "_x", "a b"}) {
    EXPECT_THROW(emit_c(graph, plan, program, {.prefix = prefix, .flags = {}, .selftest_seed = 1}), Error) << prefix;
  }
}

TEST(Selftest, NamesTheOperatorWhoseWeightChanged) {
  const Graph graph = test::classifier(1);
  for (const bool staged : {false, true}) {
    const Graph network = staged ? test::chain(1) : graph;
    Emitted model = emitted(network, staged ? test::chain_as_stage(network) : test::disjoint_plan(network));
    const std::string array = "net_weights_2[";
    const std::string& weights = text_of(model.files, "net_weights.c");
    const std::size_t start = weights.find("{\n", weights.find("const int8_t " + array)) + 2;
    const std::size_t end = weights.find(',', start);
    const std::string first = weights.substr(start, end - start);
    const int value = std::stoi(first);
    std::string changed = weights;
    changed.replace(start, end - start, fmt::format("  {}", value < 0 ? value + 127 : value - 127));
    for (EmittedFile& file : model.files) {
      if (file.path == "net_weights.c") file.text = changed;
    }
    EXPECT_EQ(BuiltModel(model.program, model.files, "net").selftest(), 3);
  }
}

TEST(Emit, RefusesAnArenaThatIsNullOrMisaligned) {
  const Graph graph = test::chain(1);
  const Emitted model = emitted(graph, test::disjoint_plan(graph));
  const test::TemporaryFolder folder;
  std::vector<EmittedFile> files = model.files;
  files.push_back({"main.c", R"(#include <stddef.h>
#include <string.h>
#include "net.h"
static union { net_arena_t arena; char bytes[sizeof(net_arena_t) + NET_ARENA_ALIGN]; } memory, before;
int main(void) {
  unsigned i;
  memset(&memory, 0x5a, sizeof memory);
  before = memory;
  if (net_invoke(NULL) >= 0 || net_selftest(NULL) >= 0) return 1;
  for (i = 1; i < NET_ARENA_ALIGN; i++) {
    if (net_invoke(memory.bytes + i) >= 0 || net_selftest(memory.bytes + i) >= 0) return 2;
  }
  if (memcmp(&memory, &before, sizeof memory) != 0) return 3;
  if (sizeof(net_arena_t) < NET_ARENA_BYTES || sizeof(net_arena_t) >= NET_ARENA_BYTES + NET_ARENA_ALIGN) return 4;
  return net_invoke(&memory.arena) == 0 && net_selftest(&memory.arena) == 0 ? 0 : 5;
}
)"});
  std::string link = "gcc -o " + (folder.path() / "main").string();
  for (const auto& object : test::compile(files, folder.path(), "gcc -O1 " + test::kStrictC))
    link += " " + object.string();
  ASSERT_EQ(test::run_command(link).status, 0);
  EXPECT_EQ(test::run_command((folder.path() / "main").string()).status, 0);
}

TEST(Emit, TwoModelsShareOneProgramAndOneRuntime) {
  const Graph a = test::classifier(1), b = test::chain(2);
  std::vector<EmittedFile> files = emitted(a, test::disjoint_plan(a), "first").files;
  for (const EmittedFile& file : emitted(b, test::chain_in_place(b, true), "second").files) {
    if (std::ranges::none_of(files, [&](const EmittedFile& other) { return other.path == file.path; }))
      files.push_back(file);
  }
  files.push_back({"main.c", R"(#include "first.h"
#include "second.h"
static first_arena_t first;
static second_arena_t second;
int main(void) {
  if (first_selftest(&first) != 0 || second_selftest(&second) != 0) return 1;
  return first_selftest(&first);
}
)"});
  const test::TemporaryFolder folder;
  std::string link = "gcc -o " + (folder.path() / "main").string();
  for (const auto& object : test::compile(files, folder.path(), "gcc -O1 " + test::kStrictC))
    link += " " + object.string();
  ASSERT_EQ(test::run_command(link).status, 0);
  EXPECT_EQ(test::run_command((folder.path() / "main").string()).status, 0);
}

TEST(Emit, TracesEveryOperatorOnce) {
  const Graph graph = test::chain(1);
  for (const Plan& plan : {test::disjoint_plan(graph), test::chain_as_stage(graph)}) {
    Emitted model = emitted(graph, plan);
    replace_in(model.files, "net.c", "#include <stddef.h>\n",
               "#include <stddef.h>\n#include <stdio.h>\n#define RIP_TRACE(op, name) printf(\"%d %s\\n\", op, name)\n");
    model.files.push_back(
        {"main.c", "#include \"net.h\"\nstatic net_arena_t arena;\nint main(void) { return net_invoke(&arena); }\n"});
    const test::TemporaryFolder folder;
    std::string link = "gcc -o " + (folder.path() / "main").string();
    for (const auto& object : test::compile(model.files, folder.path(), "gcc -O1 " + test::kStrictC))
      link += " " + object.string();
    ASSERT_EQ(test::run_command(link).status, 0);
    std::string output = test::run_command((folder.path() / "main").string()).output;
    std::vector<std::string> lines;
    for (std::size_t end = 0; (end = output.find('\n')) != std::string::npos; output.erase(0, end + 1))
      lines.push_back(output.substr(0, end));
    ASSERT_EQ(lines.size(), graph.ops.size());
    std::ranges::sort(lines);
    EXPECT_TRUE(lines[0].starts_with("0 CONV_2D t")) << lines[0];
    EXPECT_TRUE(lines[1].starts_with("1 DEPTHWISE_CONV_2D t")) << lines[1];
  }
}

TEST(Emit, RefusesAPlanThatDoesNotAlignAFloat) {
  const Graph graph = test::two_in_two_out(1);
  Plan plan = test::disjoint_plan(graph);
  plan.alignment = 2;
  EXPECT_THROW(emitted(graph, plan), Error);
  plan = test::disjoint_plan(graph);
  plan.storages.back().offset += 2;
  plan.arena_bytes += 2;
  EXPECT_THROW(emitted(graph, plan), Error);
}

TEST(Emit, BringsACMakeProject) {
  const Graph graph = test::chain(1);
  const Emitted model = emitted(graph, test::disjoint_plan(graph));
  const test::TemporaryFolder folder;
  write_files(folder.path() / "net", model.files);
  const std::string build = (folder.path() / "build").string();
  const auto outcome = test::run_command(
      fmt::format("cmake -S {} -B {} && cmake --build {}", (folder.path() / "net").string(), build, build));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "build/libnet.a"));
}

TEST(Emit, RefusesAnotherRuntime) {
  const Graph graph = test::chain(1);
  Emitted model = emitted(graph, test::disjoint_plan(graph));
  const test::TemporaryFolder folder;
  replace_in(model.files, "rip/version.h", "#define RIP_VERSION ", "#define RIP_VERSION 9");
  write_files(folder.path(), model.files);
  const auto outcome = test::run_command(fmt::format("gcc -I {0} -c {0}/net.c -o {0}/net.o", folder.path().string()));
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("net needs version"), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace ripc
