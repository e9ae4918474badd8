// The memory map: time across, address up, a rectangle for each block of the arena.
#pragma once

#include <string>

#include "graph/graph.h"
#include "report/account.h"

namespace ripc {

/// An <svg> element that takes its colours from CSS classes: tensor (with hue0 to hue5), scratch, peak, bound, axis.
/// Overlap in place is where two translucent rectangles meet. Every rectangle has a <title>.
std::string memory_map_svg(const Graph& graph, const Account& account);

/// Text for HTML and SVG: the five special characters replaced, control characters dropped.
std::string html_text(const std::string& text);

}  // namespace ripc
