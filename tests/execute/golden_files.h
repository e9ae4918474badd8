// Models and the outputs that the reference interpreter gave for them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "execute/execute.h"
#include "graph/graph.h"

namespace ripc::test {

/// Inputs of one run, and all outputs concatenated in the order of the model.
struct GoldenRun {
  std::vector<Bytes> inputs;
  Bytes outputs;
};

/// Names of the models that must run - the first ones, and those of models.txt - or none where the vectors are not at
/// hand.
std::vector<std::string> golden_models();

/// The model as its file has it.
Graph golden_graph(const std::string& model);

/// Every run that was recorded, with inputs split as `graph` takes them.
std::vector<GoldenRun> golden_runs(const std::string& model, const Graph& graph);

/// FNV-1a 64 of the output of each operator in the first run, by its index in the model file. None for models of one
/// operator.
std::map<int, std::uint64_t> golden_hashes(const std::string& model);

}  // namespace ripc::test
