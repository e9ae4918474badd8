// From a file to a graph. Every file is hostile: whatever its bytes, an importer returns a valid graph or throws
// ripc::Error.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace ripc {

struct ImportOptions {
  /// Tensors, by name, to be the outputs instead of the model's own: cuts off what comes after them.
  std::vector<std::string> outputs;
};

/// Reads a network; its content decides the format. Throws ripc::Error if `path` is no readable regular file or holds
/// no network that can be compiled.
Graph import_network(const std::filesystem::path& path, const ImportOptions& options = {});

/// Reads a TensorFlow Lite model with int8 activations and weights, batch 1. `file` is its name in messages. Throws
/// ripc::Error with all operators that cannot be compiled. Operators that no output needs are left out, supported or
/// not.
Graph import_tflite(std::span<const std::byte> bytes, const std::string& file, const ImportOptions& options = {});

/// Reads a network without weights, in the format of networks/README.md.
Graph import_json(std::string_view text, const std::string& file, const ImportOptions& options = {});

}  // namespace ripc
