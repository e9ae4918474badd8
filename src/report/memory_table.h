// The account of a network as text and as JSON: what it needs, and what each operator does to the arena.
#pragma once

#include <string>

#include "graph/graph.h"
#include "plan/plan.h"
#include "report/account.h"

namespace ripc {

/// One line an accounting: exact bytes, the same for people, and the ratio to the dual buffer.
std::string memory_table(const Graph& graph, const Account& account);

/// One line an operator: index in the model file, kind, output shape, kernel, direction, gap, bytes in use, high water.
std::string op_table(const Account& account);

/// Both tables, the plan's hash and the blocks of the arena as JSON, indented by two spaces, with a line feed at the
/// end.
std::string account_json(const Graph& graph, const Plan& plan, const Account& account);

/// Which order the operators run in, what it saves, and whether another could need less.
std::string order_text(const Account& account);

/// "proven: nothing smaller exists" or what is known instead.
std::string proof_text(const Accounting& accounting);

}  // namespace ripc
