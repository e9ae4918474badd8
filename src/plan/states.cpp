#include "plan/states.h"

#include <algorithm>
#include <numeric>

namespace ripc {

StateLayout layout_states(const Graph& graph) {
  StateLayout layout{.offsets = std::vector<std::int64_t>(graph.states.size())};
  std::vector<std::size_t> order(graph.states.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t id) { return graph.states[id].alignment; });
  for (const std::size_t id : order) {
    const State& state = graph.states[id];
    layout.bytes = (layout.bytes + state.alignment - 1) / state.alignment * state.alignment;
    layout.offsets[id] = layout.bytes;
    layout.bytes += std::ssize(state.initial);
    layout.alignment = std::max(layout.alignment, state.alignment);
  }
  return layout;
}

}  // namespace ripc
