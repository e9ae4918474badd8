// What a user can do about a large arena, in plain words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "report/account.h"

namespace ripc {

/// Another way of asking that needs less RAM.
struct Change {
  std::string how;         ///< "--io int8", "leaving --keep-input out"
  std::int64_t saves = 0;  ///< bytes of arena, by actually planning it
  std::string price;       ///< what the caller has to do for it
};

/// What has been measured for the advice.
struct Advice {
  std::optional<std::int64_t> peak_alone;  ///< arena of a network of the peak operator only; empty: not known
  std::vector<Change> changes;             ///< those that save bytes
  bool is_float = false;                   ///< all that the network computes is float32
  std::optional<std::int64_t> as_int8;     ///< its arena as int8; empty: some operator has no int8 kernel
};

/// Which operator the arena is due to, what of it is its own and what lies beside, and what would help.
std::string advice_text(const Graph& graph, const Account& account, const Advice& advice);

/// For a network that is all float32: the arena as int8, and the lines of the converter that make it so. Empty for
/// others.
std::string float_text(const Account& account, const Advice& advice);

}  // namespace ripc
