// The memory map: time across, address up, a rectangle for each block of the arena; the best dual buffer below it on
// the same scale, and the bytes in use at each operator.
#pragma once

#include <string>

#include "graph/graph.h"
#include "report/account.h"

namespace ripc {

/// An <svg> element with its own style, light and dark, text of one size, and a <title> on everything that has more to
/// say. Columns have a least width, so that a long network is a wide picture.
std::string memory_map_svg(const Graph& graph, const Account& account);

/// The same as a file of its own, with the sentences of account_sentences above it.
std::string memory_map_file(const Graph& graph, const Account& account);

}  // namespace ripc
