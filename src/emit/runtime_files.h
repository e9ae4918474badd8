// The C runtime, carried inside the compiler.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emit/emit.h"

namespace ripc::emit {

struct RuntimeFile {
  std::string_view path;  ///< as emitted: rip/NAME.h or src/NAME.c
  std::string_view text;
};

/// Every file of runtime/, in the order of their paths. Made at build time by cmake/embed.cmake.
std::span<const RuntimeFile> runtime_files();

/// All headers, and the sources that define these kernels, rip_place_row and what they in turn call. Throws
/// std::logic_error if a kernel is defined nowhere.
std::vector<EmittedFile> needed_runtime(const std::vector<std::string>& kernels);

}  // namespace ripc::emit
