#include "execute/execute.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "execute/input_stream.h"
#include "execute/naive.h"
#include "execute/networks.h"
#include "execute/plans.h"
#include "graph/fnv.h"
#include "ripc/error.h"

namespace ripc {
namespace {

using test::chain;
using test::classifier;

std::vector<std::int8_t> as_int8(std::span<const std::byte> bytes) {
  std::vector<std::int8_t> values;
  for (const std::byte byte : bytes) values.push_back(static_cast<std::int8_t>(byte));
  return values;
}

/// What every operator makes, by OpId.
std::vector<Bytes> tensors_of(const Program& program, const std::vector<Bytes>& inputs) {
  std::vector<Bytes> tensors(program.ops.size());
  execute(program, inputs, [&](OpId op, std::span<const std::byte> bytes) {
    EXPECT_TRUE(tensors[static_cast<std::size_t>(op)].empty()) << "operator " << op << " reported twice";
    tensors[static_cast<std::size_t>(op)].assign(bytes.begin(), bytes.end());
  });
  return tensors;
}

TEST(Execute, MatchesTheReferenceArithmeticOperatorByOperator) {
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    const Graph graph = classifier(seed);
    const Program program = link(graph, test::disjoint_plan(graph));
    const std::vector<Bytes> inputs = random_inputs(graph, seed);
    const auto expected = test::evaluate(graph, {as_int8(inputs.front())});
    const std::vector<Bytes> tensors = tensors_of(program, inputs);
    for (std::size_t op = 0; op + 1 < graph.ops.size(); ++op) {
      EXPECT_EQ(as_int8(tensors[op]), expected[static_cast<std::size_t>(graph.ops[op].output)])
          << kind_name(graph.ops[op]) << " " << op << " of seed " << seed;
    }
    EXPECT_EQ(execute(program, inputs).outputs.front(), tensors.back());
  }
}

TEST(Execute, InPlaceAndStagedRunsGiveTheBytesOfTheDisjointRun) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    for (const std::int64_t extent : {9, 16, 21}) {
      const Graph graph = chain(seed, extent);
      const std::vector<Bytes> inputs = random_inputs(graph, seed);
      const std::vector<Bytes> expected = tensors_of(link(graph, test::disjoint_plan(graph)), inputs);
      EXPECT_EQ(tensors_of(link(graph, test::chain_in_place(graph, false)), inputs), expected) << "forward " << extent;
      EXPECT_EQ(tensors_of(link(graph, test::chain_in_place(graph, true)), inputs), expected) << "reverse " << extent;
      EXPECT_EQ(tensors_of(link(graph, test::chain_as_stage(graph)), inputs), expected) << "stage " << extent;
    }
  }
}

TEST(Execute, InPlaceTakesLessAndTooLittleIsSeen) {
  const Graph graph = chain(7);
  const std::vector<Bytes> inputs = random_inputs(graph, 7);
  Plan plan = test::chain_in_place(graph, false);
  EXPECT_LT(plan.arena_bytes, test::disjoint_plan(graph).arena_bytes);

  const std::vector<Bytes> expected = tensors_of(link(graph, plan), inputs);
  // The first convolution eats its input 32 bytes too early.
  for (Storage& storage : plan.storages) {
    if (storage.tensor != graph.inputs.front()) storage.offset += 32;
  }
  plan.arena_bytes += 32;
  EXPECT_NE(tensors_of(link(graph, plan), inputs).front(), expected.front());
}

TEST(Execute, LeavesTheCallersInputAlone) {
  const Graph graph = chain(2);
  const std::vector<Bytes> inputs = random_inputs(graph, 2);
  const Program program = link(graph, test::disjoint_plan(graph, true));
  EXPECT_EQ(program.external, 1);
  EXPECT_LT(program.arena_bytes, test::disjoint_plan(graph).arena_bytes);
  EXPECT_EQ(execute(program, inputs).outputs, execute(link(graph, test::disjoint_plan(graph)), inputs).outputs);
}

TEST(Execute, SeesAKernelThatLeavesTheArena) {
  const Graph graph = chain(3);
  Plan plan = test::disjoint_plan(graph);
  Storage& last = plan.storages.back();
  last.offset = plan.arena_bytes - byte_count(graph.tensors[static_cast<std::size_t>(last.tensor)]) + 1;
  EXPECT_THROW(execute(link(graph, plan), random_inputs(graph, 3)), std::logic_error);
}

TEST(Execute, RefusesInputsOfTheWrongSize) {
  const Graph graph = chain(1);
  const Program program = link(graph, test::disjoint_plan(graph));
  EXPECT_THROW(execute(program, {}), Error);
  EXPECT_THROW(execute(program, {Bytes(3)}), Error);
}

TEST(Link, RunsAPointwiseOperatorOnWholeTensorsAsOneRow) {
  const Graph graph = chain(1, 16);
  const Program program = link(graph, test::disjoint_plan(graph));
  const rip_node& pointwise = program.ops[2].node;
  EXPECT_EQ(pointwise.out_height, 1);
  EXPECT_EQ(pointwise.out_width, 64);
  EXPECT_EQ(pointwise.in->row_bytes, 64 * 6);
  EXPECT_EQ(program.ops[0].node.out_height, 16);
  const Program staged = link(graph, test::chain_as_stage(graph));
  EXPECT_EQ(staged.ops[2].node.out_height, 8);
}

TEST(Link, KeepsTheLoopsOfAStage) {
  const Graph graph = chain(1, 16);
  const Program program = link(graph, test::chain_as_stage(graph));
  std::int64_t most = 0, calls = 0;
  for (const ProgramLoop& loop : program.loops) most = std::max(most, loop.times);
  EXPECT_GT(most, 1);
  std::vector<std::int32_t> next(graph.ops.size(), 0);
  for_each_call(program, [&](OpId op, std::int32_t index) {
    EXPECT_EQ(index, next[static_cast<std::size_t>(op)]++);
    ++calls;
  });
  EXPECT_EQ(calls, 16 + 8 + 8 + 4);
}

TEST(Link, ListsEveryKernelOnce) {
  const Graph graph = chain(1);
  const Program program = link(graph, test::disjoint_plan(graph));
  EXPECT_EQ(std::set(program.kernels.begin(), program.kernels.end()).size(), program.kernels.size());
  for (const LoweredOp& op : program.ops)
    EXPECT_EQ(program.kernels.at(static_cast<std::size_t>(op.node.kernel)), op.kernel);
  EXPECT_EQ(program.row_pointers, 5);
}

TEST(Link, RefusesAPlanThatDoesNotFitTheGraph) {
  const Graph graph = chain(1);
  const auto refused = [&](auto change) {
    Plan plan = test::disjoint_plan(graph);
    change(plan);
    EXPECT_THROW(link(graph, plan), Error);
  };
  refused([](Plan& plan) { plan.ops.pop_back(); });
  refused([](Plan& plan) { plan.storages.pop_back(); });
  refused([](Plan& plan) { plan.schedule.stages.pop_back(); });
  refused([](Plan& plan) { plan.schedule.stages[1].steps[0].runs[0].rows -= 1; });
  refused([](Plan& plan) { plan.schedule.stages[1].steps[0].runs[0].op = 1; });
  refused([](Plan& plan) { plan.schedule.stages[0].ops[0] = 9; });
  refused([](Plan& plan) { plan.ops[0].kernel = "rip_add_s8_row"; });
  refused([](Plan& plan) { plan.storages.front().slots = 3; });
  refused([](Plan& plan) { plan.storages.front().slot_step = 0; });
  refused([](Plan& plan) { plan.storages.front().slot_step = 40000; });
  refused([](Plan& plan) { plan.storages.front().first_slot = plan.storages.front().slots; });
  refused([](Plan& plan) { plan.streamed_input = true; });
  refused([](Plan& plan) { plan.storages.back().offset = std::int64_t{1} << 40; });
}

TEST(InputStream, IsXorshift32) {
  InputStream stream(1);
  std::vector<int> first;
  for (int i = 0; i < 4; ++i) first.push_back(stream.next());
  // 270369, 67634689, 2647435461, 307599695.
  EXPECT_EQ(first, (std::vector<int>{0x21, 0x01, 0xc5, 0x4f}));
}

TEST(InputStream, GivesEachTypeItsBytes) {
  EXPECT_EQ(InputStream(1).tensor(DataType::boolean, 4),
            (Bytes{std::byte{1}, std::byte{1}, std::byte{1}, std::byte{1}}));
  EXPECT_EQ(InputStream(1).tensor(DataType::int16, 2).size(), 4U);
  const Bytes real = InputStream(1).tensor(DataType::float32, 1);
  float value = 0;
  std::memcpy(&value, real.data(), sizeof value);
  EXPECT_EQ(value, (0x21 - 128) / 64.0F);
}

}  // namespace
}  // namespace ripc
