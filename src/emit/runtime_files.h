// The C runtime, carried inside the compiler.
#pragma once

#include <string>
#include <vector>

#include "emit/emit.h"

namespace ripc::emit {

/// All headers, and the sources that define these kernels, rip_place_row and what they in turn call. Throws
/// std::logic_error if a kernel is defined nowhere.
std::vector<EmittedFile> needed_runtime(const std::vector<std::string>& kernels);

}  // namespace ripc::emit
