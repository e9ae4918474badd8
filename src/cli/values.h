// Tensors that come from files and go to files.
#pragma once

#include <string>
#include <vector>

#include "cli/files.h"
#include "graph/graph.h"

namespace ripc::cli {

/// The network's inputs: one .npy or raw file each, in order, or one raw file with all of them one after another.
/// Throws ripc::Error (usage) if a type, a shape or a size is not the model's.
std::vector<Bytes> read_inputs(const Graph& graph, const std::vector<std::string>& paths);

/// The same for one run after another: the files of the first, then those of the second, or one raw file with all runs.
/// Only of a network with a state; others have one run.
std::vector<std::vector<Bytes>> read_runs(const Graph& graph, const std::vector<std::string>& paths);

/// Cuts the concatenated bytes of `tensors`; `path` is for the message.
std::vector<Bytes> split_bytes(const Graph& graph, const std::vector<TensorId>& tensors, const Bytes& bytes,
                               const std::string& path);

/// As .npy if the path ends so, raw otherwise.
void write_tensor(const std::string& path, const Tensor& tensor, const Bytes& bytes);

/// One line: name, type, shape, and the largest entry or the first few.
std::string describe_values(const Tensor& tensor, const Bytes& bytes);

/// Entry `index`, as text.
std::string value_text(DataType type, const Bytes& bytes, std::size_t index);

}  // namespace ripc::cli
