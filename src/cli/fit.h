// Does it fit, and if not, what would help?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/options.h"
#include "graph/graph.h"
#include "report/account.h"
#include "report/advice.h"

namespace ripc::cli {

/// Of keeping no input, int8 at the edges, an external input and the exact placer, those that save bytes: the easiest
/// for the caller first. Plans each.
std::vector<Change> helpful_changes(const NetworkOptions& options, std::int64_t arena_bytes);

/// Throws ripc::Error (does_not_fit) if the account is over the budget: how much is missing, which operator is the
/// peak, and the cheapest change that would help, in bytes.
void require_fit(const Account& account, const Budget& budget, const NetworkOptions& options);

}  // namespace ripc::cli
