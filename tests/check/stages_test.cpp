// A stage of three operators with rings, stepped by a record of prologue, steady state and epilogue.
#include "network.h"

namespace ripc::test {
namespace {

/// 6x6x2 -> 1x1 expand -> 6x6x4 -> 3x3 depthwise -> 6x6x4 -> 1x1 project -> 6x6x2. Output row r is written when input
/// row r + 1 has been eaten, so the output may start one row of 12 bytes past the start of the input, and no more.
struct Bottleneck : Network {
  TensorId in, expanded, filtered, out;

  explicit Bottleneck(bool reverse = false) {
    in = tensor("in", {6, 6, 2}, reverse ? 12 : 0);
    out = tensor("out", {6, 6, 2}, reverse ? 0 : 12);
    expanded = tensor("expanded", {6, 6, 4}, 84, 3);
    filtered = tensor("filtered", {6, 6, 4}, 156, 1);
    graph.inputs = {in};
    graph.outputs = {out};
    const OpId expand = op(conv(1), {in}, expanded, "row_direct");
    const OpId filter = op(depthwise(3), {expanded}, filtered, "row_direct");
    const OpId project = op(conv(1), {filtered}, out, "row_direct");
    plan.schedule.stages = {{.ops = {expand, filter, project},
                             .reverse = reverse,
                             .steps = {{1, {{0, 1}}}, {5, {{0, 1}, {1, 1}, {2, 1}}}, {1, {{1, 1}, {2, 1}}}}}};
    plan.arena_bytes = 180;
  }
};

class Directions : public ::testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Stages, Directions, ::testing::Bool(),
                         [](const auto& instance) { return instance.param ? "reverse" : "forward"; });

TEST_P(Directions, a_stage_passes_with_its_rings) {
  const Bottleneck network(GetParam());
  expect_right(network);
  EXPECT_EQ(network.check(),
            (CheckReport{.steps = 18, .bytes_read = 72 + 16 * 16 * 4 + 144, .bytes_written = 144 + 144 + 72}));
}

TEST_P(Directions, a_ring_of_one_slot_less_fails) {
  Bottleneck network(GetParam());
  network.storage(network.expanded).slots = 2;
  expect_fault(network, "op 1: DEPTHWISE_CONV_2D: tensor 'expanded'");
}

TEST_P(Directions, one_byte_less_of_separation_fails) {
  Bottleneck network(GetParam());
  ++network.storage(GetParam() ? network.in : network.out).offset;
  expect_fault(network, "op 0: CONV_2D: tensor 'in'");
}

TEST_P(Directions, a_ring_over_a_live_tensor_fails) {
  Bottleneck network(GetParam());
  network.storage(network.expanded).offset = 12;
  expect_fault(network, "op 0: CONV_2D: tensor 'in'");
}

TEST_P(Directions, rings_that_touch_fail) {
  Bottleneck network(GetParam());
  --network.storage(network.filtered).offset;
  EXPECT_NE(fault_of(network), "");
}

TEST_P(Directions, a_step_too_early_fails) {
  Bottleneck network(GetParam());
  network.plan.schedule.stages[0].steps = {{5, {{0, 1}, {1, 1}, {2, 1}}}, {1, {{0, 1}, {1, 1}, {2, 1}}}};
  expect_fault(network, "op 1: DEPTHWISE_CONV_2D: tensor 'expanded'");
}

TEST_P(Directions, a_step_too_late_fails) {
  Bottleneck network(GetParam());
  network.plan.schedule.stages[0].steps = {{1, {{0, 2}}}, {4, {{0, 1}, {1, 1}, {2, 1}}}, {2, {{1, 1}, {2, 1}}}};
  expect_fault(network, "op 1: DEPTHWISE_CONV_2D: tensor 'expanded'");
}

TEST_P(Directions, an_epilogue_left_out_fails) {
  Bottleneck network(GetParam());
  network.plan.schedule.stages[0].steps.pop_back();
  expect_fault(network, "the stage ends before all rows are made; expected 6, found 5");
}

TEST_P(Directions, a_kernel_of_whole_tensors_finds_no_rings) {
  Bottleneck network(GetParam());
  network.plan.ops[2].kernel = "whole";
  expect_fault(network, "kernel whole makes the whole tensor in one call");
}

TEST(Stages, a_ring_may_lie_where_the_last_output_rows_will) {
  Bottleneck network;
  network.storage(network.expanded).offset =
      72;  // over the last row of `out`, written when the ring's first slot is done with
  expect_right(network);
  --network.storage(network.expanded).offset;
  expect_fault(network, "op 0: CONV_2D: tensor 'in'");
}

TEST(Stages, slots_may_be_longer_than_a_row) {
  Bottleneck network;
  network.storage(network.expanded).row_bytes = 28;
  network.storage(network.filtered).offset = 84 + 3 * 28;
  network.plan.arena_bytes = 84 + 3 * 28 + 24;
  expect_right(network);
  network.storage(network.filtered).offset -= 4;
  expect_right(network);  // the last slot's hole is free
  --network.storage(network.filtered).offset;
  EXPECT_NE(fault_of(network), "");
}

TEST(Stages, an_elementwise_operator_shares_a_ring) {
  Network network;
  const TensorId in = network.tensor("in", {4, 3, 2}, 0);
  const TensorId branch = network.tensor("branch", {4, 3, 2}, 24, 1);
  const TensorId sum = network.tensor("sum", {4, 3, 2}, 24, 1);
  const TensorId out = network.tensor("out", {4, 3, 2}, 30);
  network.graph.inputs = {in};
  network.graph.outputs = {out};
  const OpId first = network.op(conv(1), {in}, branch, "row_direct");
  const OpId add = network.op(Binary{}, {in, branch}, sum, "elementwise");
  const OpId last = network.op(conv(1), {sum}, out, "row_direct");
  network.plan.schedule.stages = {
      {.ops = {first, add, last}, .reverse = false, .steps = {{4, {{0, 1}, {1, 1}, {2, 1}}}}}};
  network.plan.arena_bytes = 54;
  expect_right(network);
  ++network.storage(sum).offset;
  expect_fault(network, "op 1: ADD: tensor 'branch'");
  --network.storage(sum).offset;
  network.plan.ops[1].kernel = "row_direct";
  expect_fault(network, "found a byte that op 1 (ADD) may be writing");
}

}  // namespace
}  // namespace ripc::test
