// Bytes as people write them.
#pragma once

#include <cstdint>
#include <string>

namespace ripc {

/// 163840 -> "163,840".
std::string grouped(std::int64_t number);

/// 163840 -> "160.0 KiB"; below 1 KiB "640 B"; from 1 MiB "1.50 MiB".
std::string human_bytes(std::int64_t bytes);

/// 163840 -> "163,840 bytes (160.0 KiB)"; below 1 KiB "640 bytes".
std::string exact_and_human(std::int64_t bytes);

/// "256K" -> 262144, "1M" -> 1048576, "163840" -> 163840. K and M are binary, either case, with or without "B" or "iB";
/// "1.5M" is allowed where it is a whole number of bytes. Throws ripc::Error (usage) that names `option`.
std::int64_t parse_bytes(const std::string& text, const std::string& option);

}  // namespace ripc
