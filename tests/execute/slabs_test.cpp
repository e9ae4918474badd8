// Concatenation without a copy: random graphs of branches and skips, run apart, in place, and with every tensor that
// can be stored in its concatenation's output.
#include "plan/slabs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "check/check.h"
#include "execute/execute.h"
#include "execute/input_stream.h"
#include "execute/program.h"
#include "plan/pipeline.h"
#include "schedule/schedule.h"
#include "support/graphs.h"

namespace ripc {
namespace {

using test::GraphBuilder;

const Window kThree{.kernel = 3, .pad_before = 1, .pad_after = 1};

/// Layers over all of what came before, at one resolution or, after a pooling, at the next. Most tensors have one
/// quantisation, as a converter gives the inputs of a concatenation; some have their own, and are rescaled.
Graph random_branches(std::uint32_t seed) {
  GraphBuilder b(seed);
  const ImageShape image{b.number(2, 6), b.number(1, 6), b.number(1, 5)};
  const Quantization common{{0.05F}, {3}, 0};
  std::vector<TensorId> tensors{b.input(image)};
  std::vector<TensorId> concats;
  const auto any = [&] {
    return tensors[static_cast<std::size_t>(b.number(0, static_cast<std::int32_t>(tensors.size()) - 1))];
  };
  const auto keep = [&](TensorId id) {
    if (b.number(1, 100) <= 90) b.tensor(id).quantization = common;
    tensors.push_back(id);
  };
  for (std::int32_t step = b.number(4, 14); step > 0; --step) {
    const TensorId in = any();
    switch (b.number(0, 9)) {
      case 0:
        keep(b.conv(in, b.number(1, 6), kThree, kThree, Activation::relu));
        break;
      case 1:
        keep(b.conv(in, b.number(1, 6), {}, {}));
        break;
      case 2:
        keep(b.depthwise(in, kThree, kThree));
        break;
      case 3:
        tensors.push_back(b.pool(PoolKind::max, in, kThree, kThree));
        break;
      case 4:
        tensors.push_back(b.clamp(in, Activation::relu));
        break;
      case 9: {
        const auto channels = static_cast<std::int32_t>(image_shape(b.tensor(in)).channels);
        const std::int32_t begin = b.number(0, channels - 1);
        tensors.push_back(b.slice(in, begin, b.number(1, channels - begin)));
        break;
      }
      case 5: {
        // The same number of channels from somewhere else, if there is one.
        const TensorId other = any();
        if (image_shape(b.tensor(other)) == image_shape(b.tensor(in))) keep(b.add(in, other));
        break;
      }
      default: {
        std::vector<TensorId> parts;
        for (std::int32_t count = b.number(1, 4); count > 0; --count) parts.push_back(any());
        tensors.push_back(b.concat(parts));
        concats.push_back(tensors.back());
        break;
      }
    }
  }
  std::vector<TensorId> outputs{tensors.back()};
  if (!concats.empty() && concats.back() != tensors.back()) outputs.push_back(concats.back());
  if (b.number(0, 1) == 0) {
    const TensorId other = any();
    if (std::ranges::find(outputs, other) == outputs.end() && other != tensors.front()) outputs.push_back(other);
  }
  return b.finish(outputs);
}

/// With those slabs, whether they save memory or not.
Plan plan_with(const Graph& graph, const Slabs& slabs, bool in_place) {
  const Schedule schedule = plain_schedule(graph);
  std::vector<KernelOption> kernels;
  for (const Op& op : graph.ops) kernels.push_back(kernel_options(graph, op).front());
  const MemoryOptions memory{.in_place = in_place};
  const NetworkProblem network = problem_of(graph, schedule, kernels, memory, slabs);
  const Placement placement = place(network.problem, "greedy-by-size", {});
  EXPECT_EQ(validate_placement(network.problem, placement), "");
  return plan_of(graph, schedule, kernels, network, placement, memory, slabs);
}

Slabs every_slab(const Graph& graph) {
  const std::vector<SlabGroup> groups = slab_groups(graph);
  return slabs_of(graph, groups, std::vector<bool>(groups.size(), true));
}

struct Outcome {
  std::map<OpId, Bytes> tensors;
  std::vector<Bytes> outputs;

  bool operator==(const Outcome&) const = default;
};

Outcome run(const Graph& graph, const Plan& plan, std::uint32_t seed) {
  Outcome result;
  const Program program = link(graph, plan);
  result.outputs = execute(program, random_inputs(graph, seed), [&](OpId op, std::span<const std::byte> bytes) {
                     result.tensors[op] = Bytes(bytes.begin(), bytes.end());
                   }).outputs;
  return result;
}

std::string complaint(const Graph& graph, const Plan& plan) {
  try {
    check_plan(graph, plan);
  } catch (const Error& error) {
    return error.what();
  }
  return "passed";
}

std::size_t joined(const Plan& plan) {
  return static_cast<std::size_t>(
      std::ranges::count_if(plan.storages, [](const Storage& storage) { return storage.within != kNoTensor; }));
}

TEST(Slabs, RandomBranchesGiveTheSameBytesApartInPlaceAndJoined) {
  std::size_t tensors = 0, pitched = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_branches(seed);
    ASSERT_NO_THROW(validate(graph));
    const Plan apart = plan_with(graph, {}, false), in_place = plan_with(graph, {}, true);
    const Outcome expected = run(graph, apart, seed);
    ASSERT_EQ(complaint(graph, in_place), "passed");
    ASSERT_EQ(run(graph, in_place, seed), expected);
    for (const bool also_in_place : {false, true}) {
      const Plan plan = plan_with(graph, every_slab(graph), also_in_place);
      ASSERT_EQ(complaint(graph, plan), "passed");
      ASSERT_EQ(run(graph, plan, seed), expected);
      ASSERT_EQ(to_json(plan_from_json(to_json(plan))), to_json(plan));
      tensors += joined(plan);
      for (const Storage& storage : plan.storages) pitched += storage.pitch != 0 ? 1 : 0;
    }
  }
  EXPECT_GE(tensors, 400U);
  EXPECT_GE(pitched, 300U);
}

TEST(Slabs, ThePlannerNeverDoesWorseThanWithCopies) {
  std::size_t smaller = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const Graph graph = random_branches(seed);
    PlanOptions copying;
    copying.memory.join_slabs = false;
    const Plan with = make_plan(graph, {}), without = make_plan(graph, copying);
    EXPECT_EQ(joined(without), 0U);
    EXPECT_EQ(complaint(graph, with), "passed") << seed;
    EXPECT_LE(with.arena_bytes, without.arena_bytes) << seed;
    smaller += with.arena_bytes < without.arena_bytes ? 1 : 0;
  }
  EXPECT_GE(smaller, 5U);
}

/// Every layer reads all that came before: the concatenations nest into one slab.
Graph dense_block(std::int64_t layers) {
  GraphBuilder b(5);
  const Quantization common{{0.05F}, {3}, 0};
  TensorId all = b.conv(b.input({8, 8, 3}), 16, kThree, kThree);
  b.tensor(all).quantization = common;
  for (std::int64_t i = 0; i < layers; ++i) {
    const TensorId squeezed = b.conv(all, 8, {}, {}, Activation::relu);
    const TensorId fresh = b.conv(squeezed, 4, kThree, kThree);
    b.tensor(fresh).quantization = common;
    all = b.concat({all, fresh});
  }
  return b.finish({b.conv(all, 8, {}, {})});
}

TEST(Slabs, ADenseBlockIsWrittenIntoOneSlab) {
  const Graph graph = dense_block(6);
  const Plan plan = plan_with(graph, every_slab(graph), true);
  EXPECT_EQ(joined(plan), 12U);  // the stem, 6 new tensors, and 5 inner concatenations
  const std::int64_t slab = 8 * 8 * (16 + 6 * 4), squeezed = 8 * 8 * 8;
  // At its last layer: the slab, the squeezed tensor, which is read from beside it.
  EXPECT_EQ(plan.arena_bytes, slab + squeezed);
  EXPECT_LE(make_plan(graph, {}).arena_bytes, plan.arena_bytes);
  EXPECT_EQ(complaint(graph, plan), "passed");
  EXPECT_EQ(run(graph, plan, 1), run(graph, plan_with(graph, {}, false), 1));
}

TEST(Slabs, ATensorOfTwoConcatenationsLiesInOneAndIsCopiedToTheOther) {
  GraphBuilder b;
  const TensorId in = b.input({4, 4, 3});
  const TensorId a = b.conv(in, 4, {}, {}), other = b.conv(in, 5, {}, {});
  b.tensor(other).quantization = b.tensor(a).quantization;
  const TensorId first = b.concat({a, other}), second = b.concat({a, a, first});
  const Graph graph = b.finish({b.conv(second, 2, kThree, kThree), first});
  const Plan plan = plan_with(graph, every_slab(graph), true);
  // Not `first`: it is an output of the network.
  EXPECT_EQ(joined(plan), 2U);
  EXPECT_EQ(complaint(graph, plan), "passed");
  EXPECT_EQ(run(graph, plan, 2), run(graph, plan_with(graph, {}, false), 2));
}

TEST(Slabs, SlicesAreReadWhereTheyLie) {
  GraphBuilder b;
  const TensorId in = b.conv(b.input({4, 5, 3}), 8, {}, {});
  const TensorId left = b.slice(in, 0, 3), right = b.slice(in, 3, 5);
  const TensorId a = b.conv(left, 4, kThree, kThree), c = b.depthwise(right, kThree, kThree);
  const Graph graph = b.finish({a, c});
  const Plan plan = plan_with(graph, every_slab(graph), true);
  EXPECT_EQ(joined(plan), 2U);
  EXPECT_EQ(complaint(graph, plan), "passed");
  EXPECT_EQ(run(graph, plan, 4), run(graph, plan_with(graph, {}, false), 4));
  Plan wrong = plan;
  for (Storage& storage : wrong.storages) {
    if (storage.tensor == right) storage.offset -= 1;
  }
  EXPECT_NE(complaint(graph, wrong).find("where its input has it"), std::string::npos);
}

TEST(Slabs, InputsOutputsAndOtherScalesStayApart) {
  GraphBuilder b;
  const TensorId in = b.input({4, 4, 3});
  const TensorId rescaled = b.conv(in, 4, {}, {});
  const TensorId out = b.conv(in, 2, {}, {});
  b.tensor(out).quantization = b.tensor(in).quantization;
  const Graph graph = b.finish({b.concat({in, rescaled, out}), out});
  EXPECT_TRUE(slab_groups(graph).empty());
}

TEST(Slabs, PiecesOneAfterAnotherKeepTheirShape) {
  // Two heads of a detector, flattened: each is stored dense at its own place.
  GraphBuilder b;
  const TensorId in = b.input({4, 4, 3});
  const TensorId head = b.conv(in, 6, kThree, kThree), far = b.conv(in, 6, {}, {});
  b.tensor(far).quantization = b.tensor(head).quantization;
  const TensorId flat = b.reshape(head, {1, 32, 3}), flat_far = b.reshape(far, {1, 32, 3});
  const TensorId both = b.concat({flat, flat_far});
  Graph graph = b.finish({both});
  std::get<Concat>(graph.ops.back().kind).axis = 1;
  graph.tensors[static_cast<std::size_t>(both)].shape = {1, 64, 3};
  for (std::size_t i = 0; i < graph.ops.size(); ++i) {
    const Op op = graph.ops[i];
    if (std::holds_alternative<Reshape>(op.kind))
      graph.tensors[static_cast<std::size_t>(op.output)].alias_of = op.inputs[0];
  }
  std::erase_if(graph.ops, [](const Op& op) { return std::holds_alternative<Reshape>(op.kind); });
  ASSERT_NO_THROW(validate(graph));
  const Plan plan = plan_with(graph, every_slab(graph), true);
  EXPECT_EQ(joined(plan), 2U);
  EXPECT_EQ(complaint(graph, plan), "passed");
  EXPECT_EQ(run(graph, plan, 3), run(graph, plan_with(graph, {}, false), 3));
  EXPECT_LE(make_plan(graph, {}).arena_bytes, plan.arena_bytes);
}

TEST(Slabs, TheCheckSeesAPartThatIsNotWhereItBelongs) {
  const Graph graph = dense_block(3);
  const Plan right = plan_with(graph, every_slab(graph), true);
  ASSERT_EQ(complaint(graph, right), "passed");
  const auto part =
      std::ranges::find_if(right.storages, [](const Storage& s) { return s.within != kNoTensor && s.pitch != 0; });
  ASSERT_NE(part, right.storages.end());
  const auto at = static_cast<std::size_t>(part - right.storages.begin());
  const auto changed = [&](auto change) {
    Plan plan = right;
    change(plan.storages[at]);
    return complaint(graph, plan);
  };
  EXPECT_NE(changed([](Storage& s) { s.offset += 1; }).find("does not lie where"), std::string::npos);
  EXPECT_NE(changed([](Storage& s) { s.pitch += 1; }), "passed");
  EXPECT_NE(changed([](Storage& s) { s.row_bytes += 1; }), "passed");
  EXPECT_NE(changed([](Storage& s) { s.pitch = 0; }), "passed");
  EXPECT_NE(changed([](Storage& s) { s.within = kNoTensor; }), "passed");
  EXPECT_NE(changed([&](Storage& s) { s.within = graph.inputs[0]; }).find("no concatenation makes"), std::string::npos);
}

TEST(Slabs, TheCheckSeesASlabThatIsOverwrittenBeforeItIsRead) {
  const Graph graph = dense_block(3);
  Plan plan = plan_with(graph, every_slab(graph), true);
  // The squeezed tensor of the last layer goes onto the slab that is alive all the while.
  const auto root = std::ranges::find_if(
      plan.storages, [&](const Storage& s) { return s.tensor == graph.ops[graph.ops.size() - 2].output; });
  const TensorId squeezed = graph.ops[graph.ops.size() - 4].output;
  for (Storage& storage : plan.storages) {
    if (storage.tensor == squeezed) storage.offset = root->offset;
  }
  EXPECT_NE(complaint(graph, plan).find("not there"), std::string::npos);
}

}  // namespace
}  // namespace ripc
