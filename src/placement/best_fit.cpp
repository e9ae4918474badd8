#include "placement/insert.h"
#include "placement/orders.h"
#include "placement/placers.h"

namespace ripc {

Placement place_best_fit(const Problem& problem) { return place_in_order(problem, by_size(problem), Fit::tightest); }

}  // namespace ripc
