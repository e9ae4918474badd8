// The search over plans: kernel variants, directions, placement, for the least arena.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "placement/placers.h"
#include "plan/plan.h"
#include "plan/problem_of.h"

namespace ripc {

/// The kernels among which the planner may choose for an operator, the fastest first.
using KernelSource = std::function<std::vector<KernelOption>(const Graph&, const Op&)>;

struct PlanOptions {
  MemoryOptions memory;
  std::string placer = "exact";
  PlacerOptions placer_options;
  KernelSource kernels = kernel_options;
};

/// Plans a canonical graph: for each operator the fastest kernel that does not raise the least possible arena, a
/// direction, and offsets. The answer has passed validate_placement. Throws ripc::Error if no placement exists (fixed
/// offsets) or the placer refuses.
Plan make_plan(const Graph& graph, const PlanOptions& options);

}  // namespace ripc
