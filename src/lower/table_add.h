// Parameters of rip_add_table_row.
#pragma once

#include "lower/builder.h"

namespace ripc {

/// Whether rip_add_table_row makes the same bytes as the portable kernel for this operator.
bool table_add_fits(const Graph& graph, const Op& op);
rip_add_table table_add(LowerBuilder& b);

}  // namespace ripc
