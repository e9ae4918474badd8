// Real expand -> depthwise -> project blocks, each run as a stage of three operators by steps made by hand: rings
// instead of the expanded tensors, the block's output written over its input, the same bytes.
#include <gtest/gtest.h>

#include <filesystem>

#include "check/check.h"
#include "execute/execute.h"
#include "execute/input_stream.h"
#include "import/import.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "ripc/error.h"
#include "source_dir.h"

namespace ripc {
namespace {

const std::filesystem::path kModel = RIPC_SOURCE_DIR "/../shared/models/mcunet-5fps_vww.tflite";

const Op& op_at(const Graph& graph, OpId id) { return graph.ops[static_cast<std::size_t>(id)]; }

/// Whether operators id, id + 1, id + 2 are a 1x1 convolution, a depthwise one of stride 1 and a 1x1 one that gives
/// back as many channels as the block takes, in a chain, on an image at least twice as high as the window.
bool is_block(const Graph& graph, OpId id) {
  if (id + 2 >= static_cast<OpId>(graph.ops.size())) return false;
  const Op &expand = op_at(graph, id), &depthwise = op_at(graph, id + 1), &project = op_at(graph, id + 2);
  const auto* window = std::get_if<DepthwiseConv2d>(&depthwise.kind);
  const auto pointwise = [](const Op& op) {
    const auto* conv = std::get_if<Conv2d>(&op.kind);
    return conv != nullptr && conv->rows.kernel == 1 && conv->rows.stride == 1;
  };
  const auto bytes = [&](TensorId tensor) { return byte_count(graph.tensors[static_cast<std::size_t>(tensor)]); };
  return pointwise(expand) && window != nullptr && window->rows.stride == 1 && pointwise(project) &&
         depthwise.inputs[0] == expand.output && project.inputs[0] == depthwise.output &&
         bytes(project.output) == bytes(expand.inputs[0]) &&
         image_shape(graph.tensors[static_cast<std::size_t>(expand.output)]).height >= 2 * window->rows.kernel;
}

/// The three operators as a network of their own.
Graph block_at(const Graph& graph, OpId id) {
  Graph block;
  block.name = "block";
  block.tensors = graph.tensors;
  block.inputs = op_at(graph, id).inputs;
  for (OpId i = id; i < id + 3; ++i) block.ops.push_back(op_at(graph, i));
  block.outputs = {block.ops.back().output};
  return block;
}

/// A depthwise row needs `ahead` expanded rows beyond its own. Until they exist only expand runs; then the three take
/// turns; at the end depthwise and project finish on what the ring holds.
Stage lockstep(std::int64_t height, std::int64_t ahead) {
  const StepRun expand{.op = 0, .rows = 1}, depthwise{.op = 1, .rows = 1}, project{.op = 2, .rows = 1};
  return {.ops = {0, 1, 2},
          .reverse = false,
          .steps = {{.times = 1, .runs = {{.op = 0, .rows = ahead}}},
                    {.times = height - ahead, .runs = {expand, depthwise, project}},
                    {.times = ahead, .runs = {depthwise, project}}}};
}

/// [output over input][ring of expanded rows][one depthwise row]. Expand is `ahead` rows further than project when both
/// have the same row size, so project may write from the very start of the input.
Plan staged_plan(const Graph& block, std::int64_t ring_slots) {
  const auto& window = std::get<DepthwiseConv2d>(block.ops[1].kind).rows;
  Plan plan = make_plan(block, {});
  plan.ops.clear();
  for (OpId id = 0; id < 3; ++id) {
    plan.ops.push_back({.op = id,
                        .kernel = kernel_options(block, op_at(block, id)).front().contract->kernel,
                        .scratch = {},
                        .kept = {}});
  }
  const ImageShape in = image_shape(block.tensors[static_cast<std::size_t>(block.inputs[0])]);
  const std::int64_t expanded = image_shape(block.tensors[static_cast<std::size_t>(block.ops[0].output)]).channels;
  const std::int64_t whole = in.height * in.width * in.channels, ring_row = in.width * expanded;
  plan.schedule.stages = {lockstep(in.height, window.kernel / 2)};
  plan.storages = {
      {.tensor = block.inputs[0], .offset = 0, .row_bytes = in.width * in.channels, .slots = in.height},
      {.tensor = block.ops[0].output, .offset = whole, .row_bytes = ring_row, .slots = ring_slots},
      {.tensor = block.ops[1].output, .offset = whole + ring_slots * ring_row, .row_bytes = ring_row, .slots = 1},
      {.tensor = block.ops[2].output, .offset = 0, .row_bytes = in.width * in.channels, .slots = in.height}};
  plan.arena_bytes = whole + (ring_slots + 1) * ring_row;
  return plan;
}

class RealBlocks : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kModel)) GTEST_SKIP() << "no model at ../shared/models/mcunet-5fps_vww.tflite";
    const Graph graph = canonicalize(import_network(kModel));
    for (OpId id = 0; id < static_cast<OpId>(graph.ops.size()); ++id) {
      if (is_block(graph, id)) blocks_.push_back(block_at(graph, id));
    }
    ASSERT_GE(blocks_.size(), 3U);
  }

  std::vector<Graph> blocks_;
};

std::int64_t kernel_rows(const Graph& block) { return std::get<DepthwiseConv2d>(block.ops[1].kind).rows.kernel; }

TEST_F(RealBlocks, GiveTheBytesOfThePlainRun) {
  for (const Graph& block : blocks_) {
    const Plan plain = make_plan(block, {}), staged = staged_plan(block, kernel_rows(block));
    check_plan(block, staged);
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      const auto inputs = random_inputs(block, seed);
      EXPECT_EQ(execute(link(block, staged), inputs).outputs, execute(link(block, plain), inputs).outputs);
    }
  }
}

TEST_F(RealBlocks, TakeLessMemoryAsAStage) {
  for (const Graph& block : blocks_) {
    EXPECT_LT(staged_plan(block, kernel_rows(block)).arena_bytes, make_plan(block, {}).arena_bytes);
  }
}

TEST_F(RealBlocks, NeedEverySlotOfTheRing) {
  for (const Graph& block : blocks_) {
    EXPECT_THROW(check_plan(block, staged_plan(block, kernel_rows(block) - 1)), Error);
  }
}

}  // namespace
}  // namespace ripc
