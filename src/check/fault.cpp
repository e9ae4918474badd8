#include "check/fault.h"

#include <fmt/format.h>

#include "ripc/error.h"

namespace ripc::check {

std::string op_name(const Graph& graph, OpId op) {
  const Op& named = graph.ops[static_cast<std::size_t>(op)];
  return fmt::format("op {} ({})", named.source, kind_name(named));
}

void fail(const Graph& graph, const PlanFault& fault) {
  ErrorContext context;
  if (fault.op >= 0) {
    const Op& op = graph.ops[static_cast<std::size_t>(fault.op)];
    context.op_index = op.source;
    context.op_kind = kind_name(op);
  }
  if (fault.tensor != kNoTensor) context.tensor = graph.tensors[static_cast<std::size_t>(fault.tensor)].name;
  context.problem = "wrong plan: " + fault.problem;
  context.expected = fault.expected;
  context.found = fault.found;
  throw Error(std::move(context));
}

}  // namespace ripc::check
