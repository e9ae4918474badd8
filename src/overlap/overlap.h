// The one table of who may share addresses: for an operator, a kernel and a direction, how far its inputs must lie from
// its output.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "lower/lower.h"

namespace ripc {

/// What one input of an operator may share with the output.
struct InputOverlap {
  enum class Kind : std::uint8_t { disjoint, gap, tied };
  Kind kind = Kind::disjoint;
  /// Kind::gap: least (input start - output start) forward, least (output end - input end) in reverse; may be negative.
  std::int64_t bytes = 0;

  bool operator==(const InputOverlap&) const = default;
};

/// One way of running an operator: a direction, and what holds for all of its inputs together.
struct OverlapRule {
  bool reverse = false;
  std::vector<InputOverlap> inputs;  ///< as Op::inputs
};

/// The ways in which `op` may run in place with a kernel of that contract; the first is forward. Source: debt for
/// windows, section by section as each kernel's contract says.
std::vector<OverlapRule> overlap_rules(const Graph& graph, const Op& op, const rip_contract& contract);

/// The same by what is stored: where several inputs of `op` are the same bytes, the strictest of their rules holds.
std::map<TensorId, InputOverlap> overlaps_by_storage(const Graph& graph, const Op& op, const OverlapRule& rule);

}  // namespace ripc
