// A verified TensorFlow Lite file, and tensors read from it one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/complaint.h"
#include "graph/graph.h"
#include "graph/limits.h"
#include "tflite/schema_generated.h"

namespace ripc {

/// Access to the first subgraph of a model, and to those that initialise its variables. Everything that it hands out
/// has been checked against the bounds of the file.
class TfliteReader {
 public:
  /// Throws ripc::Error if the bytes are no sound model. They must stay alive and be aligned to 16
  /// bytes.
  TfliteReader(std::span<const std::byte> bytes, std::string file);

  const std::string& file() const { return file_; }
  int tensor_count() const { return static_cast<int>(subgraph_->tensors()->size()); }
  int op_count() const { return static_cast<int>(subgraph_->operators()->size()); }
  const tflite::Operator& op(int index) const;

  /// Indices as the file has them, unchecked; -1 stands for a tensor left out.
  std::vector<int> inputs() const { return indices(subgraph_->inputs()); }
  std::vector<int> outputs() const { return indices(subgraph_->outputs()); }
  static std::vector<int> indices(const flatbuffers::Vector<std::int32_t>* list);
  bool is_tensor(int index) const { return index >= 0 && index < tensor_count(); }

  /// Operator code, or nothing if the operator refers to none.
  std::optional<tflite::BuiltinOperator> code(const tflite::Operator& op) const;
  /// As the format names it; a custom operator as CUSTOM:name.
  std::string kind(const tflite::Operator& op) const;

  /// Empty for other operators than custom ones.
  static std::span<const std::byte> custom_options(const tflite::Operator& op);

  /// Name without control characters; tensors without a name are called tensor_<index>.
  std::string name(int tensor) const;
  /// Whether its values are known: the file stores them, or they have been set.
  bool has_data(int tensor) const { return known_.contains(tensor) || !data(tensor).empty(); }
  /// Whether it is of int32 or int64.
  bool holds_integers(int tensor) const;

  /// From now on tensor `index` is this constant of int32 or int64, whichever operator makes it.
  void set_known(int index, Tensor constant) { known_[index] = std::move(constant); }
  bool is_known(int index) const { return known_.contains(index); }

  /// Fills `out` with tensor `index`; its values only if `constant`; only if `variable` may it be one that survives
  /// from run to run. Constants of float16 and int4 come as float32 and int8.
  Complaint read(int index, bool constant, Tensor& out, bool variable = false);
  /// The variable that a VAR_HANDLE stands for; nothing for other operators.
  std::optional<std::string> variable(const tflite::Operator& op) const;
  /// What a CALL_ONCE assigns, by variable.
  Complaint initial_values(const tflite::Operator& call, std::map<std::string, std::vector<std::byte>>& out);
  /// A constant of one scalar.
  Complaint scalar(int index, Tensor& out);
  /// The values of an int32 or int64 constant.
  Complaint integers(int index, std::vector<std::int64_t>& out);

  /// Counts `bytes` of work or memory against what a file of this size may cost: parts of it may be shared, but not so
  /// that a small file takes for ever. `name` is the tensor or operator that it is for.
  Complaint spend(std::size_t bytes, const std::string& name);
  /// The same of what survives between runs: see kMaxStateBytes.
  Complaint spend_state(const Tensor& state);

 private:
  const tflite::Tensor& tensor(int index) const;
  std::span<const std::byte> data(int tensor) const;
  void spend_on_lists(const tflite::SubGraph& subgraph);

  std::string file_;
  const tflite::Model* model_ = nullptr;
  const tflite::SubGraph* subgraph_ = nullptr;
  std::map<int, Tensor> known_;
  std::size_t budget_ = 0;  ///< bytes that are left to spend
  std::int64_t state_budget_ = kMaxStateBytes;
};

}  // namespace ripc
