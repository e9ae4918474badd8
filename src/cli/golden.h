// Golden files of a network: what a reference made of the same inputs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/files.h"
#include "graph/graph.h"

namespace ripc::cli {

/// What a reference says of one tensor.
struct GoldenTensor {
  std::int64_t bytes = 0;
  std::uint64_t hash = 0;  ///< FNV-1a 64
};

struct GoldenRun {
  std::string name;                     ///< "seed1"
  std::string input_path, output_path;  ///< NAME.in.bin and NAME.out.bin: raw bytes of all inputs, of all outputs
  Bytes input, output;
  std::map<int, GoldenTensor>
      tensors;  ///< from NAME.ops.jsonl, by index in the model file; empty if there is no such file
};

/// All runs of a folder, by name. Throws ripc::Error (usage) if there are none or a file is broken.
std::vector<GoldenRun> read_golden(const std::string& folder);

/// By TensorId: tensors of which the reference leaves scalars as it found them, so that their hashes say nothing. These
/// are spectra of which SignalEnergy makes some points only, and what is cast from them.
std::vector<bool> partly_unwritten(const Graph& graph);

}  // namespace ripc::cli
