// What a wrong plan can get wrong, one fault a test.
#include "network.h"

namespace ripc::test {
namespace {

/// in -> conv 3x3 -> middle -> conv 3x3 -> out, forward, each 6x6x2: gaps of 14 bytes.
struct Chain : Network {
  TensorId in, middle, out;

  Chain() {
    in = tensor("in", {6, 6, 2}, 28);
    middle = tensor("middle", {6, 6, 2}, 14);
    out = tensor("out", {6, 6, 2}, 0);
    graph.inputs = {in};
    graph.outputs = {out};
    stage(conv(3), {in}, middle, "gathered");
    stage(conv(3), {middle}, out, "gathered");
    plan.arena_bytes = 100;
  }
};

/// in -> conv 3x3 -> branch; out = in + branch.
struct Residual : Network {
  TensorId in, branch, out;

  Residual() {
    in = tensor("in", {6, 6, 2}, 0);
    branch = tensor("branch", {6, 6, 2}, 72);
    out = tensor("out", {6, 6, 2}, 0);
    graph.inputs = {in};
    graph.outputs = {out};
    stage(conv(3), {in}, branch, "gathered");
    stage(Binary{}, {in, branch}, out, "elementwise");
    plan.arena_bytes = 144;
  }
};

TEST(Check, counts_what_it_replays) {
  const CheckReport report = one_op(conv(3), {6, 6, 2}, {6, 6, 3}, "gathered", 49).check();
  EXPECT_EQ(report, (CheckReport{.steps = 6, .bytes_read = 16 * 16 * 2, .bytes_written = 108}));
}

TEST(Check, names_the_fault) {
  expect_fault(
      one_op(conv(3), {6, 6, 2}, {6, 6, 3}, "gathered", 48),
      "op 0: CONV_2D: tensor 'in': wrong plan: output row 5, column 5, channel 0 reads a byte that is not there; "
      "expected byte 56 of 'in' at address 104, found byte 104 of 'out'");
}

TEST(Check, passes_a_chain_and_a_residual) {
  expect_right(Chain());
  expect_right(Residual());
}

TEST(Check, follows_scratch_that_moves) {
  Network network = one_op(conv(3), {6, 6, 2}, {6, 6, 2}, "with_scratch", 72);
  const std::int64_t bytes = 18;
  network.plan.arena_bytes += bytes;
  std::vector<Region>& steps = network.plan.ops[0].scratch_steps;
  steps.assign(6, {.offset = 144, .bytes = bytes});
  steps[3].offset = 72;  // rows 0 and 1 of the input: row 3 reads from row 2 on
  expect_right(network);
  steps[2].offset = 78;  // row 2 reads from row 1 on, which begins at byte 84
  expect_fault(network, "of 'in' at address 84, found scratch");
  steps[2] = {.offset = 144, .bytes = 17};
  expect_fault(network, "scratch is too small");
  network.plan.ops[0].kernel = "any_scratch";
  expect_right(network);
  steps[2] = {};
  expect_right(network);
  steps.pop_back();
  expect_fault(network, "the scratch that moves from step to step");
}

TEST(Check, finds_swapped_offsets) {
  Chain network;
  std::swap(network.storage(network.in).offset, network.storage(network.middle).offset);
  expect_fault(network, "found byte");
}

TEST(Check, finds_a_tensor_over_a_live_skip) {
  Residual network;
  network.storage(network.branch).offset = 20;  // as if `in` died at the convolution, with more than its gap
  expect_fault(network, "of 'in' at address");
}

TEST(Check, finds_an_addition_between_its_inputs) {
  Residual network;  // out lies above `in` and below `branch`: no direction is right for both
  network.storage(network.out).offset = 36;
  expect_fault(network, "op 1: ADD");
  network.plan.schedule.stages[1].reverse = true;
  expect_fault(network, "op 1: ADD");
}

TEST(Check, finds_the_wrong_direction) {
  Chain network;
  network.plan.schedule.stages[1].reverse = true;
  expect_fault(network, "op 1: CONV_2D: tensor 'middle'");
}

TEST(Check, finds_an_output_that_is_overwritten) {
  Chain network;
  const TensorId late = network.tensor("late", {1, 1, 2}, 70);
  network.stage(Mean{}, {network.out}, late, "gathered");
  expect_fault(network,
               "tensor 'out': wrong plan: an output of the network is not whole at the end; expected byte 70 of "
               "'out' at address 70, found byte 0 of 'late'");
  network.storage(late).offset = 72;
  expect_right(network);
}

TEST(Check, finds_a_missing_producer) {
  Chain network;
  std::swap(network.plan.schedule.stages[0], network.plan.schedule.stages[1]);
  expect_fault(network, "op 1: CONV_2D: tensor 'middle'");
}

TEST(Check, bounds_the_arena) {
  Chain network;
  network.plan.arena_bytes = 99;
  expect_fault(network, "tensor 'in': wrong plan: the storage lies outside the arena");
  network.plan.arena_bytes = 100;
  network.storage(network.out).offset = -1;
  expect_fault(network, "outside the arena");
  network.plan.arena_bytes = -1;
  expect_fault(network, "no arena is like that");
  network.plan.arena_bytes = std::int64_t{1} << 40;
  expect_fault(network, "no arena is like that");
}

TEST(Check, wants_every_row_once) {
  Chain left_out;
  left_out.plan.schedule.stages[0].steps = {{1, {{0, 5}}}};
  expect_fault(left_out, "op 0: CONV_2D: wrong plan: the stage ends before all rows are made; expected 6, found 5");

  Chain twice;
  twice.plan.schedule.stages[0].steps = {{7, {{0, 1}}}};
  expect_fault(twice, "1 rows are made after 6");

  Chain backwards;
  backwards.plan.schedule.stages[0].steps = {{1, {{0, 6}, {0, -1}, {0, 1}}}};
  expect_fault(backwards, "-1 rows are made after 6");

  Chain none;
  none.plan.schedule.stages[1].steps.clear();
  expect_fault(none, "op 1: CONV_2D: wrong plan: the stage ends before all rows are made; expected 6, found 0");

  Chain unknown;
  unknown.plan.schedule.stages[1].steps = {{1, {{1, 6}}}};
  expect_fault(unknown, "a step is of an operator that its stage does not have");

  Chain pieces;
  pieces.plan.schedule.stages[0].steps = {{1, {{0, 2}}}, {2, {{0, 1}}}, {1, {{0, 2}}}};
  expect_right(pieces);
}

TEST(Check, wants_every_operator_in_one_stage) {
  Chain missing;
  missing.plan.schedule.stages.pop_back();
  expect_fault(missing, "op 1: CONV_2D: wrong plan: the operator is not in one stage; expected 1, found 0");

  Chain twice;
  twice.plan.schedule.stages.push_back(twice.plan.schedule.stages.back());
  expect_fault(twice, "expected 1, found 2");

  Chain unknown;
  unknown.plan.schedule.stages[0].ops = {7};
  expect_fault(unknown, "an operator that the graph does not have");
}

TEST(Check, wants_every_operator_planned) {
  Chain missing;
  missing.plan.ops.pop_back();
  expect_fault(missing, "op 1: CONV_2D: wrong plan: the operator is not planned");

  Chain too_many;
  too_many.plan.ops.push_back(too_many.plan.ops.back());
  expect_fault(too_many, "more operators are planned");

  Chain unknown;
  unknown.plan.ops[0].kernel = "no_such_kernel";
  expect_fault(unknown, "no kernel of that name exists; found no_such_kernel");

  Chain shipped;
  EXPECT_THROW(check_plan(shipped.graph, shipped.plan), Error) << "test kernels do not ship";
}

TEST(Check, wants_every_activation_stored_once) {
  Chain missing;
  std::erase_if(missing.plan.storages, [&](const Storage& stored) { return stored.tensor == missing.middle; });
  expect_fault(missing, "op 0: CONV_2D: tensor 'middle': wrong plan: an activation has no storage");

  Chain twice;
  twice.plan.storages.push_back(twice.plan.storages.front());
  expect_fault(twice, "tensor 'in': wrong plan: it is stored twice");

  Chain unknown;
  unknown.plan.storages.front().tensor = 99;
  expect_fault(unknown, "a storage is of no tensor");

  Chain too_short;
  --too_short.storage(too_short.middle).row_bytes;
  expect_fault(too_short, "a stored row is too short; expected 12 bytes, found 11");

  Chain no_rows;
  no_rows.storage(no_rows.middle).slots = 0;
  expect_fault(no_rows, "a wrong number of rows");
}

TEST(Check, wants_the_network_outputs_whole) {
  Chain network;
  network.storage(network.out).slots = 5;
  expect_fault(network, "tensor 'out': wrong plan: the stored rows cannot be seen in the shape that is asked for");
}

TEST(Check, wants_scalars_aligned) {
  const auto quantize = [](std::int64_t gap) {
    return one_op(Quantize{}, {1, 3, 2}, {1, 3, 2}, "elementwise", gap, false, DataType::float32, DataType::int8);
  };
  expect_right(quantize(4));
  expect_fault(quantize(2), "tensor 'in': wrong plan: the storage is misaligned; expected multiples of 4 bytes");
  Network network = quantize(4);
  network.plan.alignment = 2;
  expect_fault(network, "of an arena aligned to 2");
}

TEST(Check, wants_the_alignment_of_the_kernel) {
  const auto pointwise = [](std::int64_t channels, std::int64_t gap) {
    return one_op(conv(1), {2, 2, channels}, {2, 2, 4}, "aligned", gap);
  };
  expect_right(pointwise(4, 0));
  expect_right(pointwise(4, 4));
  expect_fault(pointwise(4, 2), "tensor 'in': wrong plan: a row of kernel aligned is misaligned");
  expect_fault(pointwise(6, 0), "pixels of 6 bytes");
}

TEST(Check, protects_tensors_from_scratch) {
  Chain network;
  network.plan.ops[0].kernel = "with_scratch";
  network.plan.ops[0].scratch = {100, 18};
  network.plan.arena_bytes = 118;
  expect_right(network);
  network.plan.ops[0].scratch.offset = 98;
  expect_fault(network, "found scratch of op 0 (CONV_2D)");
  network.plan.ops[0].scratch.offset =
      2;  // below the output of op 0: nothing lives there yet but the first rows of `middle`
  expect_fault(network, "the operator writes over its own side buffer");
  network.plan.ops[0].scratch = {101, 18};
  expect_fault(network, "scratch lies outside the arena");
  network.plan.ops[0].scratch = {100, 17};
  expect_fault(network, "scratch is too small; expected 18 bytes, found 17");
  network.plan.ops[0].scratch = {};
  expect_fault(network, "scratch is too small; expected 18 bytes, found 0");
  network.plan.outside_scratch = 18;
  expect_right(network);
}

TEST(Check, protects_a_skip_from_scratch) {
  Residual network;
  network.plan.ops[0].kernel = "with_scratch";
  network.plan.ops[0].scratch = {144, 18};
  network.plan.arena_bytes = 162;
  expect_right(network);
  network.plan.ops[1].scratch = {160, 2};
  expect_right(network);
  network.plan.ops[1].scratch = {143, 2};
  expect_fault(network, "op 1: ADD: tensor 'branch'");
}

TEST(Check, protects_what_a_kernel_keeps) {
  Chain network;
  network.plan.ops[0].kernel = "with_kept";
  network.plan.ops[0].kept = {0, 8};
  expect_right(network);
  network.plan.ops[0].kept = {10, 8};
  expect_fault(network, "the operator writes over its own side buffer; expected kept byte 4 of op 0 (CONV_2D)");

  network.plan.ops[0].kept = {0, 8};
  network.plan.schedule.stages = {
      {.ops = {0, 1}, .reverse = false, .steps = {{1, {{0, 2}}}, {4, {{1, 1}, {0, 1}}}, {1, {{1, 2}}}}}};
  network.storage(network.in).offset = 40;
  network.plan.arena_bytes = 112;
  expect_fault(network, "op 0: CONV_2D: wrong plan: what the kernel keeps between its calls is gone");
  network.plan.ops[0].kept.offset = 112;
  network.plan.arena_bytes = 120;
  expect_right(network);
}

TEST(Check, never_writes_the_callers_buffer) {
  Chain network;
  network.storage(network.in) = {.tensor = network.in, .offset = 0, .row_bytes = 12, .slots = 6, .external = true};
  network.plan.arena_bytes = 86;
  expect_right(network);
  network.storage(network.middle).external = true;
  expect_fault(network, "tensor 'middle': wrong plan: the storage is the caller's");
  network.storage(network.middle).external = false;
  network.graph.inputs.push_back(network.middle);
  network.storage(network.middle).external = true;
  expect_fault(network, "the operator writes the caller's buffer");
}

}  // namespace
}  // namespace ripc::test
