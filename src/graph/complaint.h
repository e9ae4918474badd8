// How the checks of a graph say what is wrong.
#pragma once

#include <optional>
#include <string>

#include "graph/graph.h"

namespace ripc {

/// Nothing, or what is wrong.
using Complaint = std::optional<ErrorContext>;

inline Complaint complain(std::string problem, std::string expected = {}, std::string found = {},
                          std::string tensor = {}) {
  ErrorContext context;
  context.problem = std::move(problem);
  context.expected = std::move(expected);
  context.found = std::move(found);
  context.tensor = std::move(tensor);
  return context;
}

/// What is wrong with one tensor by itself: its shape, byte count, data, or quantisation.
Complaint fault_of(const Tensor& tensor);

/// What validate() throws, or nothing.
Complaint fault_of(const Graph& graph);

}  // namespace ripc
