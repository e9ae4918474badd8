// About how many instructions a kernel takes: what the planner weighs against the flash that its constants take.
#pragma once

#include <cstdint>
#include <string_view>

#include "graph/graph.h"
#include "lower/target.h"

namespace ripc {

/// Instructions of an inference's calls of `kernel` for `op`, from what `make bench-kernels` measured of each kernel:
/// so many a product and an output. Good for comparing kernels of one operator where they are of one target; 0 for an
/// operator without a choice. `scratch`: bytes, of which some kernels make do with less than their best.
std::int64_t estimated_instructions(const Graph& graph, const Op& op, std::string_view kernel, const Target& target,
                                    std::int64_t scratch);

}  // namespace ripc
