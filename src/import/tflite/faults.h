// The operators of a model that cannot be compiled, all in one message.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ripc/error.h"

namespace ripc {

/// What is wrong with one operator.
struct OpFault {
  int op = 0;  ///< index in the model file
  std::string kind;
  ErrorContext context;
};

/// One fault as it is; several as a list in which operators of one kind with one problem are one entry. `ops` is the
/// number of operators that are needed in all.
ErrorContext all_faults(const std::vector<OpFault>& faults, std::size_t ops);

}  // namespace ripc
