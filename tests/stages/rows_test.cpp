// Stages by hand in which rows share their places: a 1x1 layer over its own input row, a depthwise one over the oldest
// row of its ring, a sum over one of its operands; forward, and reverse as the mirror image. The bytes are those of the
// plain run, and plans with one number bent are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "check/check.h"
#include "execute/execute.h"
#include "execute/input_stream.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "plan/stream.h"
#include "ripc/error.h"
#include "support/graphs.h"

namespace ripc::test {
namespace {

constexpr std::int64_t kHeight = 9, kWidth = 7, kChannels = 6, kExpanded = 38;
constexpr Window kOne{};

/// A plan of one stage, as it is laid out forward.
struct StagedPlan {
  Graph graph;
  Plan plan;
  bool reverse = false;

  StagedPlan(Graph network, bool in_reverse) : graph(std::move(network)), reverse(in_reverse) {
    plan.model = graph.name;
    plan.graph_hash = graph_hash(graph);
    plan.schedule.stages = {{.ops = {}, .reverse = reverse, .steps = {}}};
  }

  void op(const std::string& kernel, std::int64_t scratch_offset = 0, std::int64_t kept_offset = 0) {
    const auto id = static_cast<OpId>(plan.ops.size());
    for (const KernelOption& option :
         stage_kernel_options(graph, graph.ops[static_cast<std::size_t>(id)], kEveryKernel)) {
      if (kernel != option.contract->kernel) continue;
      plan.ops.push_back({.op = id,
                          .kernel = kernel,
                          .scratch = {scratch_offset, option.scratch_bytes},
                          .kept = {kept_offset, option.kept_bytes}});
      break;
    }
    plan.schedule.stages[0].ops.push_back(id);
  }

  void run(int op, std::int64_t rows) { plan.schedule.stages[0].steps.push_back({1, {{op, rows}}}); }

  ImageShape image(TensorId tensor) const { return image_shape(graph.tensors[static_cast<std::size_t>(tensor)]); }

  /// The plan as it runs: in reverse the mirror image.
  Plan made() const {
    if (!reverse) return plan;
    Plan mirror = plan;
    for (Storage& storage : mirror.storages) {
      const ImageShape shape = image(storage.tensor);
      storage = mirrored(storage, shape.height, shape.width * shape.channels, plan.arena_bytes);
    }
    for (PlannedOp& op : mirror.ops) {
      for (Region* region : {&op.scratch, &op.kept}) region->offset = plan.arena_bytes - region->offset - region->bytes;
    }
    return mirror;
  }

  std::vector<Bytes> output(std::uint32_t seed) const {
    return execute(link(graph, made()), random_inputs(graph, seed)).outputs;
  }
};

std::vector<Bytes> plain_output(const Graph& graph, std::uint32_t seed) {
  return execute(link(graph, make_plan(graph, {})), random_inputs(graph, seed)).outputs;
}

void expect_the_plain_bytes(const StagedPlan& staged) {
  ASSERT_NO_THROW(check_plan(staged.graph, staged.made()));
  EXPECT_EQ(plan_from_json(to_json(staged.made())).storages, staged.made().storages);
  for (std::uint32_t seed = 1; seed <= 3; ++seed) EXPECT_EQ(staged.output(seed), plain_output(staged.graph, seed));
}

void expect_refused(StagedPlan staged, const std::function<void(Plan&)>& bend) {
  bend(staged.plan);
  EXPECT_THROW(check_plan(staged.graph, staged.made()), Error);
}

/// Expand, a depthwise layer, project, and then the sum with the input, or at a stride of 2 another 1x1 layer.
Graph block(std::int64_t stride, std::int64_t kernel) {
  GraphBuilder builder(5);
  const Window window{.kernel = kernel, .stride = stride, .pad_before = kernel / 2, .pad_after = kernel / 2};
  const TensorId in = builder.input({kHeight, kWidth, kChannels});
  const TensorId expanded = builder.conv(in, kExpanded, kOne, kOne, Activation::relu6);
  const TensorId filtered = builder.depthwise(expanded, window, window, 1, Activation::relu6);
  const TensorId projected = builder.conv(filtered, kChannels, kOne, kOne);
  return builder.finish({stride == 1 ? builder.add(in, projected) : builder.conv(projected, kChannels, kOne, kOne)});
}

/// [output over input][as many rows as the window has, in which expanded, filtered and projected ones take
/// turns][scratch].
StagedPlan block_plan(std::int64_t stride, bool reverse, const char* depthwise = "rip_depthwise_s8_late_row",
                      std::int64_t kernel = 3) {
  StagedPlan staged(block(stride, kernel), reverse);
  const std::int64_t row = kWidth * kChannels, slot = kWidth * kExpanded, ring = kHeight * row,
                     scratch = ring + kernel * slot;
  const Graph& graph = staged.graph;
  staged.op("rip_pointwise_s8_row");
  staged.op(depthwise, scratch);
  staged.op("rip_pointwise_s8_own_row", scratch);
  staged.op(stride == 1 ? "rip_add_s8_row" : "rip_pointwise_s8_row");
  const ImageShape out = staged.image(graph.outputs[0]);
  const auto shared = [&](std::size_t op, std::int64_t first, std::int64_t step) {
    return Storage{.tensor = graph.ops[op].output,
                   .offset = ring,
                   .row_bytes = slot,
                   .slots = kernel,
                   .first_slot = first,
                   .slot_step = step};
  };
  staged.plan.storages = {
      {.tensor = graph.inputs[0], .offset = 0, .row_bytes = row, .slots = kHeight},
      shared(0, 0, 1),
      shared(1, kernel - kernel / 2, stride),  // row r lies where row r * stride - kernel / 2 of its input did
      shared(2, kernel - kernel / 2, stride),
      {.tensor = graph.outputs[0], .offset = 0, .row_bytes = out.width * out.channels, .slots = out.height}};
  staged.plan.arena_bytes = scratch + std::max(staged.plan.ops[1].scratch.bytes, staged.plan.ops[2].scratch.bytes);
  std::int64_t expanded = 0;
  for (std::int64_t r = 0; r < out.height; ++r) {
    const std::int64_t needed = std::min(kHeight, r * stride + kernel / 2 + 1);
    if (needed > expanded) staged.run(0, needed - expanded);
    expanded = needed;
    for (const int op : {1, 2, 3}) staged.run(op, 1);
  }
  return staged;
}

class Blocks : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  StagedPlan staged(const char* depthwise = "rip_depthwise_s8_late_row") const {
    return block_plan(std::get<0>(GetParam()), std::get<1>(GetParam()), depthwise);
  }
};

TEST_P(Blocks, GiveTheBytesOfThePlainRun) {
  expect_the_plain_bytes(staged());
  expect_the_plain_bytes(staged("rip_depthwise3_dsp_row"));
  if (std::get<0>(GetParam()) == 1) {
    StagedPlan keeping = staged("rip_depthwise3_dsp_kept_row");
    EXPECT_GT(keeping.plan.ops[1].kept.bytes, 0);
    keeping.plan.ops[1].kept.offset = keeping.plan.arena_bytes;
    keeping.plan.arena_bytes += keeping.plan.ops[1].kept.bytes;
    expect_the_plain_bytes(keeping);
    expect_refused(keeping, [](Plan& plan) { plan.ops[1].kept.offset -= 1; });
  }
}

TEST_P(Blocks, TakeWhatScratchThereIs) {
  const StagedPlan most = staged("rip_depthwise3_dsp_row");
  for (const std::int64_t bytes : {0, 1, 191, 200, 320}) {
    StagedPlan less = most;
    if (bytes >= less.plan.ops[1].scratch.bytes) continue;
    less.plan.ops[1].scratch.bytes = bytes;
    expect_the_plain_bytes(less);
  }
}

/// A pixel of the row may be written when only those of its number and before it have been read.
TEST_P(Blocks, LieOnThePixelsThatAreRead) {
  if (std::get<0>(GetParam()) == 1) return;  // a row that fills its slot
  expect_refused(staged("rip_depthwise3_dsp_row"), [](Plan& plan) { plan.storages[2].offset += kExpanded; });
}

TEST_P(Blocks, TakeLessThanTheirLargestTensor) {
  EXPECT_LT(staged().plan.arena_bytes, kHeight * kWidth * kExpanded);
  EXPECT_LT(staged().plan.arena_bytes, make_plan(staged().graph, {}).arena_bytes);
}

TEST_P(Blocks, WithOneNumberBentAreRefused) {
  expect_refused(staged(), [](Plan& plan) {  // two slots
    for (const std::size_t i : {1U, 2U, 3U}) {
      plan.storages[i].slots = 2;
      plan.storages[i].first_slot %= 2;
    }
  });
  expect_refused(staged(), [](Plan& plan) { plan.storages[2].first_slot = 1; });
  expect_refused(staged(), [](Plan& plan) { plan.storages[3].first_slot = 1; });
  expect_refused(staged(), [](Plan& plan) { plan.storages[2].slot_step += 1; });
  expect_refused(staged(), [](Plan& plan) { --plan.storages[1].row_bytes; });
  expect_refused(staged(), [](Plan& plan) { plan.ops[2].kernel = "rip_pointwise_s8_row"; });
  expect_refused(staged(), [](Plan& plan) { plan.ops[2].scratch.offset = plan.storages[1].offset; });
  expect_refused(staged(), [](Plan& plan) { --plan.ops[2].scratch.bytes; });
  expect_refused(staged(), [](Plan& plan) { --plan.arena_bytes; });
  expect_refused(staged(), [](Plan& plan) { plan.schedule.stages[0].steps.pop_back(); });
  expect_refused(staged(),
                 [](Plan& plan) { std::swap(plan.schedule.stages[0].steps[0], plan.schedule.stages[0].steps[1]); });
}

INSTANTIATE_TEST_SUITE_P(All, Blocks, testing::Combine(testing::Values(1, 2), testing::Bool()));

/// A pixel of a 3x3 depthwise layer is read by the next one at a stride of 1, and by no later one at a stride of 2.
TEST(OwnRow, NeedsNoBufferWherePixelsDieInTime) {
  for (const bool reverse : {false, true}) {
    const auto by_pixel = [](Plan& plan) {
      plan.ops[1] = {.op = 1, .kernel = "rip_depthwise_s8_row", .scratch = {}, .kept = {}};
    };
    expect_refused(block_plan(1, reverse), by_pixel);
    StagedPlan staged = block_plan(2, reverse);
    by_pixel(staged.plan);
    expect_the_plain_bytes(staged);
  }
}

TEST(LateRow, TakesTheOldestRowOfTheWidestWindowThatItsWaitingPixelsAllow) {
  for (const bool reverse : {false, true}) {
    for (const std::int64_t kernel : {2 * RIP_LATE_PIXELS - 1, 2 * RIP_LATE_PIXELS + 1}) {
      expect_the_plain_bytes(block_plan(1, reverse, "rip_depthwise_s8_late_row", kernel));
    }
  }
}

class Means : public testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  /// A 1x1 layer whose rows are summed up one by one; the mean is written over the last of them.
  static StagedPlan staged() {
    const auto [pools, reverse] = GetParam();
    GraphBuilder builder(6);
    const TensorId made = builder.conv(builder.input({6, 5, 4}), 8, kOne, kOne);
    const TensorId out =
        pools ? builder.pool(PoolKind::average, made, {.kernel = 6}, {.kernel = 5}) : builder.mean(made);
    StagedPlan staged(builder.finish({out}), reverse);
    staged.op("rip_pointwise_s8_row");
    staged.op(pools ? "rip_avgpool_s8_rows" : "rip_mean_s8_rows", 0, 160);
    staged.plan.storages = {{.tensor = staged.graph.inputs[0], .offset = 0, .row_bytes = 20, .slots = 6},
                            {.tensor = made, .offset = 120, .row_bytes = 40, .slots = 1},
                            {.tensor = out, .offset = 120, .row_bytes = 8, .slots = 1}};
    staged.plan.arena_bytes = 192;
    staged.plan.schedule.stages[0].steps = {{6, {{0, 1}, {1, 1}}}};
    return staged;
  }
};

TEST_P(Means, GiveTheBytesOfThePlainRun) { expect_the_plain_bytes(staged()); }

TEST_P(Means, WithOneNumberBentAreRefused) {
  expect_refused(staged(), [](Plan& plan) { plan.schedule.stages[0].steps[0].runs[1].rows = 2; });
  expect_refused(staged(), [](Plan& plan) { plan.schedule.stages[0].steps = {{1, {{0, 6}, {1, 6}}}}; });
  expect_refused(staged(), [](Plan& plan) { plan.schedule.stages[0].steps[0].times = 5; });
  expect_refused(staged(), [](Plan& plan) { plan.ops[1].kept.bytes -= 1; });
  expect_refused(staged(), [](Plan& plan) { plan.ops[1].kept.offset = 130; });
}

INSTANTIATE_TEST_SUITE_P(All, Means, testing::Combine(testing::Bool(), testing::Bool()));

/// A 3x3 layer over three rows of an input that arrives row by row.
StagedPlan streamed_plan() {
  GraphBuilder builder(7);
  const Window three{.kernel = 3, .pad_before = 1, .pad_after = 1};
  StagedPlan staged(builder.finish({builder.conv(builder.input({kHeight, kWidth, 3}), 4, three, three)}), false);
  staged.op("rip_conv2d_s8_row");
  staged.plan.streamed_input = true;
  const std::int64_t whole = kHeight * kWidth * 4;
  staged.plan.storages = {{.tensor = staged.graph.inputs[0], .offset = whole, .row_bytes = kWidth * 3, .slots = 3},
                          {.tensor = staged.graph.outputs[0], .offset = 0, .row_bytes = kWidth * 4, .slots = kHeight}};
  staged.plan.arena_bytes = whole + 3 * kWidth * 3;
  staged.plan.schedule.stages[0].steps = {
      {1, {{kSourceRows, 1}}}, {kHeight - 1, {{kSourceRows, 1}, {0, 1}}}, {1, {{0, 1}}}};
  return staged;
}

TEST(StreamedInput, GivesTheBytesOfThePlainRun) {
  expect_the_plain_bytes(streamed_plan());
  expect_refused(streamed_plan(), [](Plan& plan) { plan.storages[0].slots = 2; });
  expect_refused(streamed_plan(), [](Plan& plan) { plan.schedule.stages[0].steps[1].times -= 1; });
  expect_refused(streamed_plan(), [](Plan& plan) { plan.streamed_input = false; });
}

TEST(StreamedInput, MayBeStoredWhole) {
  const Graph graph = canonicalize(chain_graph(3));
  const Plan plain = make_plan(graph, {}), streamed = with_progress(await_input(graph, plain));
  EXPECT_EQ(streamed.arena_bytes, plain.arena_bytes + 16);
  EXPECT_NO_THROW(check_plan(graph, streamed));
  EXPECT_EQ(to_json(plan_from_json(to_json(streamed))), to_json(streamed));
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    EXPECT_EQ(execute(link(graph, streamed), random_inputs(graph, seed)).outputs, plain_output(graph, seed));
  }
  Plan bent = streamed;
  bent.progress.offset = 0;
  EXPECT_THROW(check_plan(graph, bent), Error);
  bent.progress = {.offset = streamed.arena_bytes - 8, .bytes = 16};
  EXPECT_THROW(check_plan(graph, bent), Error);
}

}  // namespace
}  // namespace ripc::test
