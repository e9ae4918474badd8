// A few boards that people have on their desks, so that "how much memory" gets an answer in hardware.
#pragma once

#include <cstdint>
#include <vector>

namespace ripc {

struct Board {
  const char* name;
  std::int64_t ram, flash;  ///< bytes that one chip has, before anything is used
};

/// In the order of their RAM.
const std::vector<Board>& common_boards();

}  // namespace ripc
