// NumPy's .npy files: versions 1 to 3, C order, the types that a network has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace ripc::cli {

struct NpyArray {
  DataType type = DataType::int8;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;  ///< little endian, C order

  bool operator==(const NpyArray&) const = default;
};

bool is_npy(const std::vector<std::byte>& bytes);

/// Treats the file as hostile: throws ripc::Error (usage) that names `path` for anything but a sound array.
NpyArray parse_npy(const std::vector<std::byte>& bytes, const std::string& path);

/// A version 1 file.
std::vector<std::byte> npy_bytes(const NpyArray& array);

}  // namespace ripc::cli
