// Reading files, with faults that name them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ripc::cli {

using Bytes = std::vector<std::byte>;

/// Throws ripc::Error (usage) if `path` is no readable file.
Bytes read_bytes(const std::string& path);
std::string read_text(const std::string& path);

/// All of the standard input. Throws ripc::Error (usage).
std::string read_standard_input();

/// Writes one file: beside it first, then renamed, so that a fault leaves what was there. Throws ripc::Error (usage).
void write_bytes(const std::string& path, const Bytes& bytes);
void write_text(const std::string& path, const std::string& text);

}  // namespace ripc::cli
