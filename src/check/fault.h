// How a plan's fault is told: which operator, which tensor, what was expected and what was found.
#pragma once

#include <string>

#include "graph/graph.h"

namespace ripc::check {

/// What to tell; empty fields are left out.
struct PlanFault {
  OpId op = -1;                 ///< the operator at fault, or -1
  TensorId tensor = kNoTensor;  ///< the tensor that suffers, or kNoTensor
  std::string problem, expected, found;
};

/// E.g. "op 5 (CONV_2D)", by its index in the model file.
std::string op_name(const Graph& graph, OpId op);

/// Throws ripc::Error. Every message says that it is the plan that is wrong.
[[noreturn]] void fail(const Graph& graph, const PlanFault& fault);

}  // namespace ripc::check
