// The model files that the tests read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "source_dir.h"

namespace ripc::test {

inline std::filesystem::path shared_folder() { return RIPC_SOURCE_DIR "/../shared"; }

inline std::filesystem::path model_path(const std::string& name) {
  return shared_folder() / "models" / (name + ".tflite");
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

/// The models that must compile.
inline std::vector<std::string> first_models() {
  std::ifstream stream(shared_folder() / "golden" / "first.txt");
  std::vector<std::string> names;
  for (std::string name; std::getline(stream, name);) {
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

}  // namespace ripc::test
