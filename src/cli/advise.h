// Measures what the advice on a network says: every alternative is planned.
#pragma once

#include "cli/load.h"
#include "cli/options.h"
#include "report/advice.h"

namespace ripc::cli {

/// All of it, for `ripc plan`.
Advice advise(const NetworkOptions& options, const PlannedNetwork& network, const Account& account);

/// What there is to say of a network that is all float32, and no more: one plan at most.
Advice advise_on_float(const NetworkOptions& options, const Graph& graph);

}  // namespace ripc::cli
