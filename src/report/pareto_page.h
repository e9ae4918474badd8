// The ways of running a network as one HTML file that needs nothing else: the scatter above its table.
#pragma once

#include <string>
#include <vector>

#include "report/pareto.h"

namespace ripc {

/// The same bytes for the same model and options: no date, no path.
std::string pareto_page(const Graph& graph, const std::vector<ParetoPoint>& points);

}  // namespace ripc
