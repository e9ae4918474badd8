// Operators that keep something from run to run: SVDF and UNIDIRECTIONAL_SEQUENCE_LSTM.
#pragma once

#include <functional>

#include "import/tflite/reader.h"

namespace ripc {

/// What their import needs of the importer.
struct RecurrentContext {
  TfliteReader& reader;
  Graph& graph;
  /// Makes tensor `index` of the file one of the graph, with its values if it is constant, and gives its id.
  std::function<Complaint(int index, bool constant, TensorId& id)> tensor;
};

bool is_recurrent(tflite::BuiltinOperator code);

/// Fills `op`, of which the source is set.
Complaint read_recurrent(const RecurrentContext& context, const tflite::Operator& source, Op& op);

}  // namespace ripc
