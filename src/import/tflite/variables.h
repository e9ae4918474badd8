// The resource variables of a model: READ_VARIABLE, ASSIGN_VARIABLE, and what CALL_ONCE puts into them first.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "import/tflite/reader.h"

namespace ripc {

/// Follows the variables through the operators in their order. A variable that is read becomes a state; what is
/// assigned to it last is copied there after all other operators.
class Variables {
 public:
  /// Collects handles and initial values. Throws ripc::Error at an initialisation that is no assignment of constants.
  explicit Variables(TfliteReader& reader);

  /// Whether the operator handles variables and computes nothing.
  static bool handles(tflite::BuiltinOperator code);

  /// The variable of a READ_VARIABLE or ASSIGN_VARIABLE, or an empty name.
  std::string name_of(const tflite::Operator& op) const;

  /// A variable is read into `tensor` (an index in the file, already described in `made`): gives the tensor that holds
  /// its value, which is `made` itself put at the end of the graph's tensors, or another with the same bytes.
  Complaint read(Graph& graph, const std::string& variable, Tensor made, TensorId& out);

  /// A variable is given the value of a tensor.
  Complaint assign(const std::string& variable, TensorId value, int source);

  /// Appends the copies to the states.
  Complaint finish(Graph& graph);

 private:
  struct Variable {
    std::vector<std::byte> initial;  ///< empty: the zero point
    StateId state = kNoState;
    TensorId before = kNoTensor;  ///< its value when the run begins
    TensorId value = kNoTensor;   ///< its value at this point
    int source = -1;              ///< of the last assignment
  };

  TfliteReader& reader_;
  std::map<int, std::string> handles_;  ///< by the index of the tensor
  std::map<std::string, Variable> variables_;
};

}  // namespace ripc
