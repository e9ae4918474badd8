// Networks for the picture of a plan.
#pragma once

#include "graph/graph.h"
#include "passes/passes.h"
#include "plan/plan.h"
#include "report/account.h"
#include "support/graphs.h"

namespace ripc::test {

struct Reported {
  Graph graph;
  Plan plan;
  Account account;
};

inline Reported reported(const Graph& made) {
  Graph graph = canonicalize(made);
  const PlanOptions options;
  Plan plan = make_plan(graph, options);
  Account account = account_of(graph, plan, options);
  return {std::move(graph), std::move(plan), std::move(account)};
}

/// Blocks of expand, depthwise, project and sum: four tensors each.
inline Graph long_graph(int blocks) {
  GraphBuilder builder(7);
  const Window one{}, three{.kernel = 3, .pad_before = 1, .pad_after = 1};
  TensorId last = builder.input({8, 8, 4});
  for (int i = 0; i < blocks; ++i) {
    const TensorId expand = builder.conv(last, 4 * (2 + i % 3), one, one);
    const TensorId project = builder.conv(builder.depthwise(expand, three, three), 4, one, one);
    last = builder.add(last, project);
  }
  return builder.finish({last});
}

/// Expand, depthwise and project as one stage by hand, and a pooling after it: two rings, and the output written over
/// the input. [output over input][ring of three expanded rows][one depthwise row][scratch of project].
inline Reported staged() {
  GraphBuilder builder(3);
  const Window one{}, three{.kernel = 3, .pad_before = 1, .pad_after = 1}, two{.kernel = 2, .stride = 2};
  const TensorId image = builder.input({10, 6, 4});
  const TensorId expand = builder.conv(image, 12, one, one);
  const TensorId depthwise = builder.depthwise(expand, three, three);
  const TensorId project = builder.conv(depthwise, 4, one, one);
  Reported made = reported(builder.finish({builder.pool(PoolKind::max, project, two, two)}));
  Plan& plan = made.plan;
  const StepRun step[] = {{.op = 0, .rows = 1}, {.op = 1, .rows = 1}, {.op = 2, .rows = 1}};
  const Stage stage{.ops = {0, 1, 2},
                    .steps = {{.times = 1, .runs = {step[0]}},
                              {.times = 9, .runs = {step[0], step[1], step[2]}},
                              {.times = 1, .runs = {step[1], step[2]}}}};
  plan.schedule.stages = {stage, plan.schedule.stages.back()};
  for (PlannedOp& op : plan.ops) op.scratch = op.kept = {};
  plan.ops[2].scratch = {.offset = 240 + 4 * 72, .bytes = 32};
  plan.storages = {{.tensor = image, .offset = 0, .row_bytes = 24, .slots = 10},
                   {.tensor = expand, .offset = 240, .row_bytes = 72, .slots = 3},
                   {.tensor = depthwise, .offset = 240 + 3 * 72, .row_bytes = 72, .slots = 1},
                   {.tensor = project, .offset = 0, .row_bytes = 24, .slots = 10},
                   {.tensor = made.graph.ops.back().output, .offset = 0, .row_bytes = 12, .slots = 5}};
  plan.arena_bytes = 240 + 4 * 72 + 32;
  made.account.blocks = blocks_of(made.graph, plan, {});
  made.account.rows = op_rows(made.graph, plan, made.account.blocks);
  made.account.fills = stage_fills(made.graph, plan, made.account.blocks);
  made.account.in_place.bytes = plan.arena_bytes;
  return made;
}

}  // namespace ripc::test
