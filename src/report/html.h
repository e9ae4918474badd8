// The report of a plan as one HTML file that needs nothing else: figures, memory map, tables. Light and dark.
#pragma once

#include <string>

#include "graph/graph.h"
#include "plan/plan.h"
#include "report/account.h"

namespace ripc {

/// The same bytes for the same model and options: no date, no path.
std::string html_report(const Graph& graph, const Plan& plan, const Account& account);

}  // namespace ripc
