// One inverted bottleneck, stepped by hand: expand, depthwise and project in lockstep, with rings of rows between them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "kernels/cases.h"
#include "lower/lower.h"
#include "support/graphs.h"

namespace ripc::test {
namespace {

struct Block {
  Graph graph;
  std::array<TensorId, 4> tensors{};  ///< input, expanded, filtered, projected
};

Block inverted_bottleneck(std::int64_t stride) {
  GraphBuilder builder(3);
  const Window one{}, three{.kernel = 3, .stride = stride, .pad_before = 1, .pad_after = 1};
  Block block;
  block.tensors[0] = builder.input({9, 7, 6});
  block.tensors[1] = builder.conv(block.tensors[0], 22, one, one, Activation::relu6);
  block.tensors[2] = builder.depthwise(block.tensors[1], three, three, 1, Activation::relu6);
  block.tensors[3] = builder.conv(block.tensors[2], 6, one, one);
  block.graph = builder.finish({block.tensors[3]});
  return block;
}

/// The three operators over one arena, each tensor with as many slots as the test gives it.
class Machine {
 public:
  Machine(const Block& block, std::array<std::int32_t, 4> slots, bool reverse) {
    std::array<rip_view, 4> views{};
    std::int32_t end = 0;
    for (std::size_t i = 0; i < views.size(); ++i) {
      const ImageShape image = image_shape(block.graph.tensors[static_cast<std::size_t>(block.tensors[i])]);
      const auto pitch = static_cast<std::int32_t>(image.channels);
      const auto row = static_cast<std::int32_t>(image.width) * pitch;
      views[i] = {.offset = end,
                  .row_bytes = row,
                  .slots = slots[i],
                  .first_slot = 0,
                  .pitch = pitch,
                  .pixel = pitch,
                  .slot_step = 1,
                  .space = 0};
      end += row * slots[i];
    }
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      const Op& op = block.graph.ops[i];
      ops_[i] = lower(block.graph, op, kernel_options(block.graph, op)[0].contract->kernel, false);
      ops_[i].view_inputs({views[i]});
      rip_node& node = ops_[i].node;
      node.out = views[i + 1];
      node.step = reverse ? -1 : 1;
      node.scratch = {.offset = -1, .bytes = 0};
      node.kept = node.state = -1;
    }
    arena_.assign(static_cast<std::size_t>(end), std::byte{0x5a});
    output_ = views[3];
  }

  void set_input(const Bytes& input) { std::ranges::copy(input, arena_.begin()); }

  void make_row(std::size_t op, std::int32_t index) {
    const rip_memory memory{
        .arena = reinterpret_cast<std::int8_t*>(arena_.data()), .external = nullptr, .state = nullptr};
    std::array<const std::int8_t*, 3> rows{};
    rip_row_call call{};
    rip_place_row(&ops_[op].node, &memory, index, rows.data(), &call);
    call_kernel(ops_[op], call);
  }

  std::int32_t rows(std::size_t op) const { return ops_[op].node.out_height; }

  Bytes output() const {
    return {arena_.begin() + output_.offset, arena_.begin() + output_.offset + output_.row_bytes * output_.slots};
  }

 private:
  std::array<LoweredOp, 3> ops_;
  Bytes arena_;
  rip_view output_{};
};

class Stage : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(Stage, InLockstepMakesTheBytesOfThePlainRun) {
  const auto [stride, reverse] = GetParam();
  const Block block = inverted_bottleneck(stride);
  const std::int32_t out_rows = stride == 1 ? 9 : 5;
  Random random(4);
  Bytes input(9 * 7 * 6);
  for (std::byte& byte : input) byte = static_cast<std::byte>(random.number(0, 255));

  Machine plain(block, {9, 9, out_rows, out_rows}, reverse);
  plain.set_input(input);
  for (std::size_t op = 0; op < 3; ++op) {
    for (std::int32_t index = 0; index < plain.rows(op); ++index) plain.make_row(op, index);
  }

  Machine fused(block, {9, 3, 1, out_rows}, reverse);
  fused.set_input(input);
  ASSERT_EQ(fused.rows(1), out_rows);
  std::int32_t expanded = 0;
  for (std::int32_t index = 0; index < out_rows; ++index) {
    // The rows of the window's far side must exist first; from the bottom, the window of the last row may end in
    // padding.
    const std::int32_t needed = std::min(9, index * stride + 2);
    for (; expanded < needed; ++expanded) fused.make_row(0, expanded);
    fused.make_row(1, index);
    fused.make_row(2, index);
  }
  EXPECT_EQ(fused.output(), plain.output());
  const Bytes output = plain.output();
  EXPECT_TRUE(std::ranges::any_of(output, [&](std::byte byte) { return byte != output[0]; }));
}

INSTANTIATE_TEST_SUITE_P(All, Stage, testing::Combine(testing::Values(1, 2), testing::Bool()));

}  // namespace
}  // namespace ripc::test
