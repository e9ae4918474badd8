#include "import/tflite/variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ripc {
namespace {

using tflite::BuiltinOperator;

Tensor& tensor_of(Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

TensorId add_tensor(Graph& graph, Tensor tensor) {
  graph.tensors.push_back(std::move(tensor));
  return static_cast<TensorId>(graph.tensors.size()) - 1;
}

/// What an uninitialised variable holds: real zeros.
std::vector<std::byte> zeros(const Tensor& tensor) {
  const bool byte = tensor.type == DataType::int8 && !tensor.quantization.zero_point.empty();
  const auto value = static_cast<std::byte>(byte ? tensor.quantization.zero_point[0] : 0);
  return std::vector<std::byte>(static_cast<std::size_t>(byte_count(tensor)), value);
}

/// A tensor like `like` that is copied from `from` by an operator at the end of the graph.
TensorId add_copy(Graph& graph, TensorId from, Tensor like, int source) {
  const TensorId to = add_tensor(graph, std::move(like));
  graph.ops.push_back({.kind = Copy{}, .inputs = {from}, .output = to, .source = source});
  return to;
}

[[noreturn]] void refuse(ErrorContext context, const TfliteReader& reader, int op) {
  context.file = reader.file();
  context.op_index = op;
  context.op_kind = reader.kind(reader.op(op));
  throw Error(std::move(context));
}

}  // namespace

Variables::Variables(TfliteReader& reader) : reader_(reader) {
  for (int i = 0; i < reader.op_count(); ++i) {
    const tflite::Operator& op = reader.op(i);
    if (const auto name = reader.variable(op)) {
      if (Complaint complaint = reader.spend(name->size(), {})) refuse(std::move(*complaint), reader, i);
      const std::vector<int> outputs = TfliteReader::indices(op.outputs());
      if (outputs.size() == 1) handles_[outputs[0]] = *name;
    }
    if (reader.code(op) != BuiltinOperator::CALL_ONCE) continue;
    std::map<std::string, std::vector<std::byte>> values;
    if (Complaint complaint = reader.initial_values(op, values)) refuse(std::move(*complaint), reader, i);
    for (auto& [name, bytes] : values) variables_[name].initial = std::move(bytes);
  }
}

bool Variables::handles(BuiltinOperator code) {
  return code == BuiltinOperator::CALL_ONCE || code == BuiltinOperator::VAR_HANDLE ||
         code == BuiltinOperator::READ_VARIABLE || code == BuiltinOperator::ASSIGN_VARIABLE;
}

std::string Variables::name_of(const tflite::Operator& op) const {
  const std::vector<int> inputs = TfliteReader::indices(op.inputs());
  const auto found = inputs.empty() ? handles_.end() : handles_.find(inputs[0]);
  return found == handles_.end() ? std::string() : found->second;
}

Complaint Variables::read(Graph& graph, const std::string& name, Tensor made, TensorId& out) {
  Variable& variable = variables_[name];
  const std::string label = made.name;
  if (variable.value == kNoTensor) {
    if (Complaint complaint = reader_.spend_state(made)) return complaint;
    if (variable.initial.empty()) variable.initial = zeros(made);
    if (std::ssize(variable.initial) != byte_count(made)) {
      return complain("variable of another size than its first value", fmt::format("{} bytes", byte_count(made)),
                      fmt::format("{}", variable.initial.size()), label);
    }
    variable.state = static_cast<StateId>(graph.states.size());
    graph.states.push_back(
        {.name = name, .alignment = static_cast<std::int64_t>(scalar_bytes(made.type)), .initial = variable.initial});
    made.state = variable.state;
    out = variable.before = variable.value = add_tensor(graph, std::move(made));
    return {};
  }
  const Tensor& value = tensor_of(graph, variable.value);
  if (value.type != made.type || byte_count(value) != byte_count(made)) {
    return complain("variable read as another size or type than it has", shape_text(value.shape),
                    shape_text(made.shape), label);
  }
  if (value.shape == made.shape) {
    out = variable.value;
    return {};
  }
  out = add_tensor(graph, std::move(made));
  graph.ops.push_back({.kind = Reshape{}, .inputs = {variable.value}, .output = out, .source = -1});
  return {};
}

Complaint Variables::assign(const std::string& name, TensorId value, int source) {
  Variable& variable = variables_[name];
  variable.value = value;
  variable.source = source;
  return {};
}

Complaint Variables::finish(Graph& graph) {
  // Old values that others are to hold must be saved before the first state is written, and so must outputs.
  const auto is_state = [&](TensorId id) { return tensor_of(graph, id).state != kNoState; };
  const auto saved = [&](TensorId id, int source) {
    Tensor like = tensor_of(graph, id);
    like.state = kNoState;
    like.name += " (copy)";
    return add_copy(graph, id, std::move(like), source);
  };
  for (TensorId& output : graph.outputs) {
    if (is_state(output)) output = saved(output, -1);
  }
  for (auto& [name, variable] : variables_) {
    const bool assigned = variable.state != kNoState && variable.value != variable.before;
    if (assigned && is_state(variable.value)) variable.value = saved(variable.value, variable.source);
  }
  for (const auto& [name, variable] : variables_) {
    // Nobody reads a variable that is no state: what is assigned to it is lost.
    if (variable.state == kNoState || variable.value == variable.before) continue;
    Tensor after = tensor_of(graph, variable.before);
    const Tensor& value = tensor_of(graph, variable.value);
    if (value.constant) return complain("constant assigned to a variable", "an activation", {}, value.name);
    if (value.type != after.type || byte_count(value) != byte_count(after)) {
      return complain("variable given another size or type than it has", shape_text(after.shape),
                      shape_text(value.shape), value.name);
    }
    after.name += " (assigned)";
    after.source = value.source;
    add_copy(graph, variable.value, std::move(after), variable.source);
  }
  return {};
}

}  // namespace ripc
