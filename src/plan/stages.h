// The staged plan: which operators run row by row together, so that most of their tensors never exist as a whole.
#pragma once

#include <optional>
#include <span>

#include "plan/pipeline.h"
#include "plan/stage_draft.h"

namespace ripc {

/// Plans the graph's operators in `order`, with stages of several operators wherever they lower the peak; with
/// options.stream_input, the input arrives row by row in the first stage. Nothing if that is not possible, or if no
/// arena of less than `below` bytes is found. Throws as plan_in_order.
std::optional<Plan> plan_stages(const Graph& graph, std::span<const OpId> order, const PlanOptions& options,
                                std::int64_t below = INT64_MAX);

}  // namespace ripc
