#include "plan/stream.h"

#include <algorithm>
#include <string>

#include "rip/steps.h"
#include "ripc/error.h"

namespace ripc {

Plan with_progress(Plan plan) {
  plan.progress = {.offset = plan.arena_bytes, .bytes = sizeof(rip_position)};
  plan.arena_bytes += plan.progress.bytes;
  // It shares no byte with anything, whatever the placement and the order.
  plan.lower_bound += plan.progress.bytes;
  if (plan.order_lower_bound > 0) plan.order_lower_bound += plan.progress.bytes;
  return plan;
}

Plan await_input(const Graph& graph, Plan plan) {
  if (graph.inputs.size() != 1) {
    throw Error({.problem = "only a network with one input can have it arrive row by row",
                 .expected = "1",
                 .found = std::to_string(graph.inputs.size()),
                 .remedy = "Compile it without --stream-input."});
  }
  const TensorId input = storage_of(graph, graph.inputs[0]);
  const auto storage = std::ranges::find(plan.storages, input, &Storage::tensor);
  if (storage == plan.storages.end() || storage->external) {
    throw Error({.problem = "an input that arrives row by row must have its place in the arena",
                 .remedy = "Leave out --input extern, or --stream-input."});
  }
  const std::int64_t rows = image_shape(graph.tensors[static_cast<std::size_t>(input)]).height;
  plan.schedule.stages.insert(
      plan.schedule.stages.begin(),
      {.ops = {}, .reverse = false, .steps = {{.times = 1, .runs = {{.op = kSourceRows, .rows = rows}}}}});
  plan.streamed_input = true;
  return plan;
}

}  // namespace ripc
