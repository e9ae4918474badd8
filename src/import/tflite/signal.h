// The operators of TensorFlow Lite Micro's audio front end, which are custom ones.
#pragma once

#include <vector>

#include "import/tflite/recurrent.h"

namespace ripc {

/// Whether the file's name for an operator (TfliteReader::kind) is that of one of them.
bool is_signal(const std::string& kind);

/// Fills `ops` with what the operator amounts to: one for each of its outputs, in an order that can be executed.
Complaint read_signal(const RecurrentContext& context, const tflite::Operator& source, std::vector<Op>& ops);

}  // namespace ripc
