#include <utility>

#include "passes/passes.h"

namespace ripc {

Graph canonicalize(Graph graph, const PassOptions& options) {
  graph = drop_dead(std::move(graph));
  if (options.fold_pads) graph = fold_pads(std::move(graph));
  graph = alias_reshapes(std::move(graph));
  if (options.io_int8) graph = quantize_edges(std::move(graph));
  if (options.fuse_clamps) graph = fuse_clamps(std::move(graph));
  graph = place_states(drop_dead(std::move(graph)));
  return drop_dead(std::move(graph));
}

}  // namespace ripc
