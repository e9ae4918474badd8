// The steps of stages, against a second derivation from what each row needs.
#include "schedule/stage_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "graph/steps.h"
#include "schedule/stage_rings.h"
#include "stages/random_networks.h"

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// The longest run of operators from the first on that work by rows.
std::vector<OpId> joined_ops(const Graph& graph) {
  std::vector<OpId> ops;
  for (const Op& op : graph.ops) {
    if (!works_by_rows(graph, op)) break;
    ops.push_back(static_cast<OpId>(ops.size()));
  }
  return ops;
}

/// Every tensor that something after the stage reads.
std::vector<bool> stored_after(const Graph& graph, const std::vector<OpId>& ops) {
  std::vector<bool> stored(graph.tensors.size(), false);
  for (std::size_t op = ops.size(); op < graph.ops.size(); ++op) {
    for (const TensorId input : graph.ops[op].inputs) stored[index(input)] = true;
  }
  for (const TensorId output : graph.outputs) stored[index(output)] = true;
  return stored;
}

/// The operators that sum up their input row by row; for every other seed none do.
std::vector<bool> sums_of(const Graph& graph, std::uint32_t seed) {
  std::vector<bool> sums;
  for (const Op& op : graph.ops) sums.push_back(seed % 2 == 0 && sums_rows(graph, op));
  return sums;
}

/// Rows of an operator's output after so many steps.
std::int64_t rows_after(const FlowOp& op, std::int64_t steps) {
  return op.steps == op.rows ? steps : steps / op.steps * op.rows;
}

/// How many steps each operator needs to have taken when the last one has taken `steps`: for what is read of it, and
/// all of them once a reader is done.
std::vector<std::int64_t> needed(const StageFlow& flow, std::int64_t steps) {
  std::vector<std::int64_t> made(flow.ops.size() + 1, 0);
  made[flow.ops.size() - 1] = steps;
  for (std::size_t op = flow.ops.size(); op-- > 0;) {
    for (const FlowRead& read : flow.ops[op].reads) {
      if (read.producer == kOutside) continue;
      const bool source = read.producer == kSourceRows;
      auto& of = made[source ? flow.ops.size() : index(read.producer)];
      const std::int64_t all = source ? flow.source_rows : flow.ops[index(read.producer)].steps;
      const bool sums = !source && all != flow.ops[index(read.producer)].rows;
      for (std::int64_t row = 0; row < made[op]; ++row) {
        if (!(*read.taps)[index(row)].empty()) of = std::max(of, sums ? all : (*read.taps)[index(row)].last + 1);
      }
      if (made[op] == flow.ops[op].steps) of = all;
    }
  }
  return made;
}

TEST(StageSteps, MakeEveryRowOnceAndNoneBeforeItsTaps) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Graph graph = test::random_shapes(seed);
    const std::vector<OpId> ops = joined_ops(graph);
    if (ops.empty()) continue;
    const FlowTables tables(graph, sums_of(graph, seed));
    for (const bool reverse : {false, true}) {
      const StageFlow flow = tables.flow(ops, stored_after(graph, ops), reverse);
      std::vector<std::int64_t> made(flow.ops.size(), 0);
      for (const RowStep& step : stage_steps(flow)) {
        ASSERT_EQ(step.row, made[index(step.op)]++) << seed;
        for (const FlowRead& read : flow.ops[index(step.op)].reads) {
          if (read.producer != kOutside) {
            const auto producer = index(read.producer);
            ASSERT_LT((*read.taps)[index(step.row)].last, rows_after(flow.ops[producer], made[producer])) << seed;
          }
        }
      }
      for (std::size_t op = 0; op < flow.ops.size(); ++op) EXPECT_EQ(made[op], flow.ops[op].steps) << seed;
    }
  }
}

TEST(StageSteps, MakeNothingThatIsNotAskedForYet) {
  int stages = 0;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    const Graph graph = test::random_shapes(seed);
    const std::vector<OpId> ops = joined_ops(graph);
    if (ops.size() < 2) continue;
    const FlowTables tables(graph, sums_of(graph, seed));
    const StageFlow flow = tables.flow(ops, stored_after(graph, ops), false, graph.inputs.front());
    if (std::ranges::any_of(flow.ops, &FlowOp::eager)) continue;
    ++stages;
    std::vector<std::int64_t> made(flow.ops.size() + 1, 0);
    for (const RowStep& step : stage_steps(flow)) {
      const bool last = step.op == static_cast<int>(flow.ops.size()) - 1;
      // What the row that is being made needs, and what the row before it, when it was the last, left to finish.
      if (!last) {
        const std::int64_t next = std::min(made[flow.ops.size() - 1] + 1, flow.ops.back().steps);
        ASSERT_LT(step.row, needed(flow, next)[step.op == kSourceRows ? flow.ops.size() : index(step.op)]) << seed;
      } else {
        const std::vector<std::int64_t> before = needed(flow, step.row);
        for (std::size_t op = 0; op + 1 < flow.ops.size(); ++op) ASSERT_GE(made[op], before[op]) << seed;
      }
      ++made[step.op == kSourceRows ? flow.ops.size() : index(step.op)];
    }
  }
  EXPECT_GT(stages, 60);
}

TEST(StageSteps, LoopsAreTheSameSteps) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Graph graph = test::random_shapes(seed);
    const std::vector<OpId> ops = joined_ops(graph);
    if (ops.empty()) continue;
    const FlowTables tables(graph, sums_of(graph, seed));
    const std::vector<RowStep> steps = stage_steps(tables.flow(ops, stored_after(graph, ops), false));
    std::vector<RowStep> unrolled;
    std::map<int, std::int64_t> made;
    for (const StepLoop& loop : step_loops(steps)) {
      for (std::int64_t time = 0; time < loop.times; ++time) {
        for (const StepRun& run : loop.runs) {
          for (std::int64_t row = 0; row < run.rows; ++row) unrolled.push_back({.op = run.op, .row = made[run.op]++});
        }
      }
    }
    EXPECT_EQ(unrolled, steps) << seed;
  }
}

/// Of a window of k rows, dilation d: (k-1)d+1 rows; of stride 2: k; of a residual source: as far as the branch is
/// ahead, and one.
TEST(StageRings, HaveTheHeightThatWindowsAskFor) {
  const auto height = [](std::int64_t kernel, std::int64_t stride, std::int64_t dilation) {
    Graph graph;
    Conv2d windowed;
    windowed.rows = {.kernel = kernel, .stride = stride, .dilation = dilation};
    const std::int64_t rows = 40, out = (rows - (kernel - 1) * dilation - 1) / stride + 1;
    for (const std::int64_t extent : {rows, rows, out}) {
      Tensor tensor;
      tensor.shape = {1, extent, 1, 1};
      graph.tensors.push_back(tensor);
    }
    graph.ops = {{.kind = Conv2d{}, .inputs = {0}, .output = 1}, {.kind = windowed, .inputs = {1}, .output = 2}};
    graph.inputs = {0};
    graph.outputs = {2};
    const FlowTables tables(graph);
    const std::vector<OpId> ops{0, 1};
    const StageFlow flow = tables.flow(ops, {false, false, true}, false);
    return ring_height(stage_times(flow, stage_steps(flow)).ops[0]);
  };
  EXPECT_EQ(height(3, 1, 1), 3);
  EXPECT_EQ(height(5, 1, 1), 5);
  EXPECT_EQ(height(3, 1, 2), 5);
  EXPECT_EQ(height(3, 2, 1), 3);
  EXPECT_EQ(height(5, 2, 1), 5);
  EXPECT_EQ(height(2, 3, 1), 2);
}

TEST(StageRings, KeepEveryRowInASlotOfItsOwnWhileItIsAlive) {
  int shared = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Graph graph = test::random_shapes(seed);
    const std::vector<OpId> ops = joined_ops(graph);
    if (ops.empty()) continue;
    const FlowTables tables(graph, sums_of(graph, seed));
    const StageFlow flow = tables.flow(ops, stored_after(graph, ops), false);
    for (const AskOrder asks : {AskOrder::listed, AskOrder::longest_chain}) {
      const StageTimes times = stage_times(flow, stage_steps(flow, asks));
      const StageRings rings = stage_rings(flow, times, std::vector<RowSharing>(flow.ops.size()), false);
      std::int64_t bytes = 0;
      for (const Ring& ring : rings.rings) bytes += ring.slots * ring.slot_bytes;
      EXPECT_LE(waiting_bytes(flow, times), bytes) << seed;
      std::map<std::pair<int, std::int64_t>, std::map<std::int64_t, std::int64_t>> lives;  // by slot, from when to when
      std::map<int, int> tensors;
      for (std::size_t op = 0; op < flow.ops.size(); ++op) {
        const RowPlace& place = rings.places[op];
        if (place.ring < 0) continue;
        const Ring& ring = rings.rings[index(place.ring)];
        EXPECT_LE(flow.ops[op].row_bytes, ring.slot_bytes);
        shared += tensors[place.ring]++ > 0 ? 1 : 0;
        for (std::int64_t row = 0; row < flow.ops[op].rows; ++row) {
          auto& spans = lives[std::pair(place.ring, (place.first_slot + row * place.slot_step) % ring.slots)];
          spans[times.ops[op].written[index(row)]] = times.ops[op].last[index(row)];
        }
      }
      for (const auto& [slot, spans] : lives) {
        std::int64_t busy_until = -1;
        for (const auto& [from, to] : spans) {
          EXPECT_GT(from, busy_until) << seed;
          busy_until = to;
        }
      }
    }
  }
  EXPECT_GT(shared, 50);
}

}  // namespace
}  // namespace ripc
