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
/// The bottleneck with the rows of its input arriving one by one, each just before it is expanded, in a ring of one.
struct Streamed : Bottleneck {
  Streamed() {
    storage(in) = {.tensor = in, .offset = 168, .row_bytes = 12, .slots = 1};
    storage(out).offset = 0;
    storage(expanded).offset = 72;
    storage(filtered).offset = 144;
    const StepRun row{kSourceRows, 1}, expand{0, 1}, filter{1, 1}, project{2, 1};
    plan.schedule.stages[0].steps = {{1, {row, expand}}, {5, {row, expand, filter, project}}, {1, {filter, project}}};
    plan.streamed_input = true;
  }
};

TEST(StreamedInput, takes_a_row_before_it_is_read) {
  Streamed network;
  expect_right(network);
  network.plan.schedule.stages[0].steps[1].runs = {{0, 1}, {kSourceRows, 1}, {1, 1}, {2, 1}};
  expect_fault(network, "op 0: CONV_2D: tensor 'in'");
}

TEST(StreamedInput, that_is_stored_whole_is_one_too) {
  Bottleneck network;
  network.plan.streamed_input = true;
  network.plan.schedule.stages.insert(network.plan.schedule.stages.begin(),
                                      {.ops = {}, .reverse = false, .steps = {{1, {{kSourceRows, 6}}}}});
  expect_right(network);
  network.plan.schedule.stages[0].steps[0].runs[0].rows = 5;
  expect_fault(network, "op 0: CONV_2D: tensor 'in'");
}

TEST(StreamedInput, arrives_once_and_whole) {
  Streamed network;
  network.plan.schedule.stages[0].steps.push_back({1, {{kSourceRows, 1}}});
  expect_fault(network, "1 rows of the input are awaited after 6; expected 6 rows in all");
  Bottleneck plain;
  plain.plan.schedule.stages[0].steps.push_back({1, {{kSourceRows, 1}}});
  expect_fault(plain, "1 rows of the input are awaited after 0; expected 0 rows in all");
  plain.plan.streamed_input = true;
  plain.graph.inputs = {};
  expect_fault(plain, "the input is streamed; expected one input, found 0");
}

TEST(StreamedInput, is_awaited_to_its_last_row) {
  Streamed dry;  // nobody reads a row that does not come
  dry.plan.schedule.stages[0].ops.clear();
  dry.plan.schedule.stages[0].steps = {{1, {{kSourceRows, 5}}}};
  dry.graph.ops.clear();
  dry.graph.outputs.clear();
  dry.plan.ops.clear();
  expect_fault(dry, "not all rows of the input are awaited; expected 6, found 5");
}

TEST(Stages, rows_may_lie_in_another_order_of_slots) {
  Bottleneck network;
  network.storage(network.expanded).first_slot = 2;
  expect_right(network);
  network.storage(network.expanded).slot_step = 2;
  expect_right(network);
  network.storage(network.expanded).slot_step = 3;
  EXPECT_NE(fault_of(network), "");
  network.storage(network.expanded).slot_step = 1;
  network.storage(network.expanded).first_slot = 3;
  expect_fault(network, "its rows lie in slots that cannot be; expected the first in slot 0 to 2");
}

TEST(Stages, what_is_stored_in_another_order_is_not_whole) {
  Bottleneck network;
  network.storage(network.out).offset = 180;
  network.plan.arena_bytes = 252;
  expect_right(network);
  network.storage(network.out).first_slot = 1;
  expect_fault(network, "the stored rows cannot be seen in the shape that is asked for");
}

/// The mirror image of every storage makes the reverse stage.
TEST(Stages, of_a_plan_in_a_mirror_run_in_reverse) {
  Bottleneck network;
  for (const TensorId tensor : {network.in, network.expanded, network.filtered, network.out}) {
    Storage& storage = network.storage(tensor);
    if (tensor == network.expanded) {
      storage.row_bytes = 28;  // longer than a row of 24 bytes
      storage.first_slot = 1;
    }
    if (tensor == network.filtered) storage.offset = 84 + 3 * 28;
    const ImageShape image = image_shape(network.graph.tensors[static_cast<std::size_t>(tensor)]);
    storage = mirrored(storage, image.height, image.width * image.channels, 84 + 3 * 28 + 24);
  }
  network.plan.arena_bytes = 84 + 3 * 28 + 24;
  network.plan.schedule.stages[0].reverse = true;
  expect_right(network);
  const Storage& ring = network.storage(network.expanded);
  EXPECT_EQ(ring.offset, 24 + 4);  // the row's 24 bytes at the high end of the lowest slot
  EXPECT_EQ(ring.first_slot, 2);   // row 5, the first to be made, in the second slot from the high end
  ++network.storage(network.in).offset;
  EXPECT_NE(fault_of(network), "");
}

}  // namespace ripc::test
