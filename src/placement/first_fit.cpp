#include "placement/insert.h"
#include "placement/orders.h"
#include "placement/placers.h"

namespace ripc {

Placement place_first_fit(const Problem& problem) { return place_in_order(problem, by_birth(problem), Fit::lowest); }

}  // namespace ripc
