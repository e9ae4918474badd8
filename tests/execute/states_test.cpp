// What survives from run to run: order of reads and writes, in the graph, in the plan and in the run.
#include <gtest/gtest.h>

#include <algorithm>

#include "check/check.h"
#include "execute/execute.h"
#include "execute/input_stream.h"
#include "execute/networks.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "ripc/error.h"

namespace ripc {
namespace {

using test::running_sum;

std::size_t copies(const Graph& graph) {
  return static_cast<std::size_t>(
      std::ranges::count_if(graph.ops, [](const Op& op) { return std::holds_alternative<Copy>(op.kind); }));
}

std::string fault(const Graph& graph) {
  try {
    validate(graph);
  } catch (const Error& error) {
    return error.what();
  }
  return "sound";
}

/// Outputs of four runs, the state kept.
std::vector<Bytes> four_runs(const Graph& graph, bool in_place = true) {
  PlanOptions options;
  options.memory.in_place = in_place;
  const Plan plan = make_plan(graph, options);
  check_plan(graph, plan);
  const Program program = link(graph, plan);
  Bytes state = program.initial_state;
  std::vector<Bytes> outputs;
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    for (Bytes& output : execute(program, random_inputs(graph, seed), {}, &state).outputs) {
      outputs.push_back(std::move(output));
    }
  }
  return outputs;
}

TEST(States, TheNextValueIsWrittenAtOnceIfNobodyReadsTheOldOneLater) {
  const Graph graph = running_sum(1), canonical = canonicalize(graph);
  EXPECT_NO_THROW(validate(canonical));
  EXPECT_EQ(copies(graph), 1U);
  EXPECT_EQ(copies(canonical), 0U);
  EXPECT_EQ(four_runs(canonical), four_runs(graph));
  EXPECT_EQ(four_runs(canonical), four_runs(graph, false));
}

TEST(States, AReaderOfTheOldValueKeepsTheCopy) {
  const Graph graph = running_sum(2, true), canonical = canonicalize(graph);
  EXPECT_EQ(copies(canonical), 1U);
  EXPECT_EQ(four_runs(canonical), four_runs(graph, false));
}

TEST(States, EachRunBeginsWhereTheLastOneEnded) {
  const Graph graph = canonicalize(running_sum(3, true));
  const std::vector<Bytes> outputs = four_runs(graph);
  // The second output is pooled from the old value: at first from the initial one, then from others.
  EXPECT_TRUE(std::ranges::any_of(outputs[1], [](std::byte byte) { return byte == std::byte{7}; }));
  EXPECT_NE(outputs[3], outputs[1]);
  const Plan plan = make_plan(graph, {});
  EXPECT_EQ(plan.state_bytes, 60);
  const Program program = link(graph, plan);
  EXPECT_EQ(program.initial_state, graph.states[0].initial);
  const std::vector<Bytes> inputs = random_inputs(graph, 1);
  EXPECT_EQ(execute(program, inputs).outputs, execute(program, inputs).outputs) << "without a state, after a reset";
  Bytes wrong(59);
  EXPECT_THROW(execute(program, inputs, {}, &wrong), Error);
}

TEST(States, AValueReadAfterItIsOverwrittenIsRefused) {
  Graph graph = running_sum(4, true);
  std::swap(graph.ops[graph.ops.size() - 2], graph.ops.back());
  EXPECT_NE(fault(graph).find("state read after it has been overwritten"), std::string::npos) << fault(graph);
}

TEST(States, APlanThatOverwritesTooEarlyIsFound) {
  const Graph graph = canonicalize(running_sum(5, true));
  Plan plan = make_plan(graph, {});
  ASSERT_NO_THROW(check_plan(graph, plan));
  std::swap(plan.schedule.stages[plan.schedule.stages.size() - 2], plan.schedule.stages.back());
  EXPECT_THROW(check_plan(graph, plan), Error);
}

TEST(States, StatesThatShareAByteAreFound) {
  const Graph graph = canonicalize(running_sum(6));
  Plan plan = make_plan(graph, {});
  for (Storage& storage : plan.storages) {
    if (storage.state) storage.offset += 1;
  }
  EXPECT_THROW(check_plan(graph, plan), Error) << "outside of its array";
  plan = make_plan(graph, {});
  for (Storage& storage : plan.storages) storage.state = false;
  EXPECT_THROW(check_plan(graph, plan), Error) << "in the arena";
}

TEST(States, WhatIsWrongWithOneIsSaid) {
  Graph twice = running_sum(7);
  twice.tensors.push_back(twice.tensors.back());
  twice.ops.push_back(twice.ops.back());
  twice.ops.back().output = static_cast<TensorId>(twice.tensors.size()) - 1;
  EXPECT_NE(fault(twice).find("state written more than once"), std::string::npos) << fault(twice);
  Graph small = running_sum(7);
  small.states[0].initial.pop_back();
  EXPECT_NE(fault(small).find("state of another size"), std::string::npos) << fault(small);
  Graph output = running_sum(7);
  output.outputs.push_back(output.ops.back().output);
  EXPECT_NE(fault(output).find("a state is an output"), std::string::npos) << fault(output);
}

TEST(States, PlansKeepThemInJson) {
  const Plan plan = make_plan(canonicalize(running_sum(8, true)), {});
  EXPECT_EQ(to_json(plan_from_json(to_json(plan))), to_json(plan));
  EXPECT_EQ(plan_from_json(to_json(plan)).state_bytes, 60);
}

TEST(States, AStateThatOnlyFeedsItselfIsDead) {
  Graph graph = running_sum(9);
  graph.outputs = {graph.inputs[0]};
  const Graph dropped = drop_dead(graph);
  EXPECT_TRUE(dropped.ops.empty());
  EXPECT_TRUE(dropped.states.empty());
}

}  // namespace
}  // namespace ripc
