// The accounting of the publication's tables: convolutions gather their taps first, a depthwise layer works channel by
// channel at equal starts, and the buffers of both lie outside the arena. For comparison only: no such plan is emitted
// or run.
#pragma once

#include "plan/pipeline.h"

namespace ripc {

/// The baseline of the tables: only depthwise layers with multiplier 1 run in place.
std::vector<KernelOption> published_base_kernels(const Graph& graph, const Op& op);

/// Right In-Place: convolutions with their gathered gap, elementwise operators and pooling in place as well.
std::vector<KernelOption> published_rip_kernels(const Graph& graph, const Op& op);

}  // namespace ripc
