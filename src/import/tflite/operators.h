// Operators of TensorFlow Lite, one by one.
#pragma once

#include <cstddef>
#include <limits>

#include "import/tflite/reader.h"

namespace ripc {

/// An operator whose tensors have been read.
struct TfliteOp {
  TfliteReader& reader;
  const tflite::Operator& op;
  std::vector<int> inputs;  ///< indices in the file
  const Tensor& input;      ///< the first operand
  const Tensor& output;
  const Tensor* weights = nullptr;  ///< of a weighted operator
  std::size_t output_index = 0;     ///< which of the operator's outputs
  std::size_t outputs = 1;          ///< how many it has
};

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

/// How to read one kind of operator.
struct TfliteKind {
  tflite::BuiltinOperator code;
  bool weighted;  ///< weights and bias come after the activation; other inputs are parameters, read with the operator
  std::size_t least_inputs, most_inputs;
  std::size_t activations;  ///< the first inputs; kAnyNumber: all of them
  Complaint (*read)(const TfliteOp& op, OpKind& kind);
  bool constant_operand = false;  ///< one of two activations may be a constant of the file
  /// Puts the inputs into the order above; null for operators that have them so.
  std::vector<int> (*arrange)(const std::vector<int>& inputs) = nullptr;

  std::vector<int> arranged(const std::vector<int>& inputs) const {
    return arrange == nullptr ? inputs : arrange(inputs);
  }
  bool many_outputs = false;  ///< read once for each output
};

/// Null for an operator that ripc has no kernel for.
const TfliteKind* tflite_kind(tflite::BuiltinOperator code);

}  // namespace ripc
