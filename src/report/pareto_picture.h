// The ways of running a network as a scatter: memory across, work up.
#pragma once

#include <string>
#include <vector>

#include "report/pareto.h"

namespace ripc {

/// An SVG, light and dark, that needs nothing else: bytes of the arena across, kernel calls up (stages of several
/// operators where calls are not known), a labelled point each. A solid line goes along the least calls that an arena
/// allows, a dashed one along the same with the whole input in the arena, where that is another.
std::string pareto_picture(const std::string& name, const std::vector<ParetoPoint>& points);

}  // namespace ripc
