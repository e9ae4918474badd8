#include "placement/insert.h"
#include "placement/orders.h"
#include "placement/placers.h"

namespace ripc {

// The planner of TensorFlow Lite Micro (and of TVM), which knows disjoint buffers only, is this one without choices.
Placement place_greedy_by_size(const Problem& problem) {
  return place_in_order(problem, by_size(problem), Fit::lowest);
}

}  // namespace ripc
