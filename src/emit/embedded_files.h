// Files of the project that are carried inside the compiler. Made at build time by cmake/embed.cmake.
#pragma once

#include <span>
#include <string_view>

namespace ripc::emit {

struct EmbeddedFile {
  std::string_view path;
  std::string_view text;
};

/// Every file of runtime/ as emitted, rip/NAME.h or src/NAME.c, in the order of their paths.
std::span<const EmbeddedFile> runtime_files();

/// Every file of boards/, FOLDER/NAME, in the order of their paths.
std::span<const EmbeddedFile> board_files();

}  // namespace ripc::emit
