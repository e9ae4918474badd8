// A few boards that people have on their desks, so that "how much memory" gets an answer in hardware.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ripc {

struct Board {
  const char* name;
  std::int64_t ram, flash;       ///< bytes that one chip has, before anything is used
  const char* id = "";           ///< as --board names it; empty: no firmware can be made for it
  const char* target = "";       ///< its processor, as --target names it
  std::int64_t stack_bytes = 0;  ///< the most that a run of a model was measured to need on it; see bench/stack.sh
};

/// In the order of their RAM.
const std::vector<Board>& common_boards();

/// The board that --board names. Null if there is none.
const Board* find_board(std::string_view id);

/// The board on which the stack of such code was measured: the one of that name, or the first with that processor.
/// Null if neither is known.
const Board* stack_board(std::string_view id, std::string_view target);

}  // namespace ripc
