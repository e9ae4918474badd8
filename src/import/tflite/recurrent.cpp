#include "import/tflite/recurrent.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace ripc {
namespace {

using tflite::BuiltinOperator;

/// The tensors of one operator.
class Reading {
 public:
  Reading(const RecurrentContext& context, const tflite::Operator& source)
      : context_(context), inputs_(TfliteReader::indices(source.inputs())) {}

  bool has(std::size_t input) const { return input < inputs_.size() && inputs_[input] != -1; }

  Complaint activation(std::size_t input, TensorId& id) const { return tensor(input, false, id); }

  /// Constants, appended to `ids`.
  Complaint constants(std::span<const std::size_t> inputs, std::vector<TensorId>& ids) const {
    for (const std::size_t input : inputs) {
      if (!has(input)) return complain("weights are missing", fmt::format("input {}", input));
      if (!context_.reader.is_tensor(inputs_[input])) return complain("input that is no tensor");
      if (!context_.reader.has_data(inputs_[input])) {
        return complain("computed weights or bias", "a constant", {}, context_.reader.name(inputs_[input]));
      }
      if (Complaint complaint = tensor(input, true, ids.emplace_back())) return complaint;
    }
    return {};
  }

  /// A tensor that survives from run to run, which does not become one of the graph.
  Complaint variable(std::size_t input, Tensor& out) const {
    if (!has(input) || !context_.reader.is_tensor(inputs_[input])) return complain("state is missing");
    if (Complaint complaint = context_.reader.read(inputs_[input], false, out, true)) return complaint;
    return context_.reader.spend_state(out);
  }

 private:
  Complaint tensor(std::size_t input, bool constant, TensorId& id) const {
    if (!has(input) || !context_.reader.is_tensor(inputs_[input])) return complain("input that is no tensor");
    return context_.tensor(inputs_[input], constant, id);
  }

  const RecurrentContext& context_;
  std::vector<int> inputs_;
};

std::int32_t zero_of(const Tensor& tensor) {
  return tensor.quantization.zero_point.size() == 1 ? tensor.quantization.zero_point[0] : 0;
}

/// As many bytes as the tensor has, of real zeros.
void append_zeros(const Tensor& tensor, std::vector<std::byte>& bytes) {
  const auto value = static_cast<std::byte>(tensor.type == DataType::int8 ? zero_of(tensor) : 0);
  bytes.insert(bytes.end(), static_cast<std::size_t>(byte_count(tensor)), value);
}

StateId add_state(Graph& graph, State state) {
  graph.states.push_back(std::move(state));
  return static_cast<StateId>(graph.states.size()) - 1;
}

Complaint read_svdf(const RecurrentContext& context, const tflite::Operator& source, Op& op) {
  const auto* options = source.builtin_options_as_SVDFOptions();
  if (options == nullptr) return complain("options are missing");
  const Reading reading(context, source);
  Svdf svdf{.rank = options->rank(), .constants = {}};
  if (Complaint complaint = reading.activation(0, op.inputs.emplace_back())) return complaint;
  if (Complaint complaint = reading.constants(std::array<std::size_t, 2>{1, 2}, svdf.constants)) return complaint;
  if (reading.has(3)) {
    if (Complaint complaint = reading.constants(std::array<std::size_t, 1>{3}, svdf.constants)) return complaint;
  }
  Tensor memory;
  if (Complaint complaint = reading.variable(4, memory)) return complaint;
  if (memory.quantization.scale.size() != 1) return complain("state without a scale", {}, {}, memory.name);
  const auto activation = options->fused_activation_function();
  const Tensor& out = context.graph.tensors[static_cast<std::size_t>(op.output)];
  // The reference clamps to the type alone: a RELU is in the output's zero point, or not at all.
  const bool clamps = activation == tflite::ActivationFunctionType::RELU && zero_of(out) != -128;
  if (clamps ||
      (activation != tflite::ActivationFunctionType::RELU && activation != tflite::ActivationFunctionType::NONE)) {
    return complain("unsupported fused activation", "NONE, or RELU with the output's zero point at -128",
                    fmt::format("{}", static_cast<int>(activation)));
  }
  svdf.memory_type = memory.type;
  svdf.memory_scale = memory.quantization.scale[0];
  svdf.memory_zero = zero_of(memory);
  State state{.name = memory.name, .alignment = static_cast<std::int64_t>(scalar_bytes(memory.type)), .initial = {}};
  append_zeros(memory, state.initial);
  svdf.state = add_state(context.graph, std::move(state));
  op.kind = std::move(svdf);
  return {};
}

Complaint read_lstm(const RecurrentContext& context, const tflite::Operator& source, Op& op) {
  const auto* options = source.builtin_options_as_UnidirectionalSequenceLSTMOptions();
  if (options == nullptr) return complain("options are missing");
  if (options->fused_activation_function() != tflite::ActivationFunctionType::TANH) {
    return complain("unsupported activation of the cells", "TANH",
                    fmt::format("{}", static_cast<int>(options->fused_activation_function())));
  }
  const Reading reading(context, source);
  for (const std::size_t extra : {9U, 10U, 11U, 16U, 17U, 20U, 21U, 22U, 23U}) {
    if (reading.has(extra)) return complain("LSTM with peepholes, projection or normalisation", "none of them");
  }
  Lstm lstm{.constants = {}, .cell_clip = options->cell_clip()};
  if (Complaint complaint = reading.activation(0, op.inputs.emplace_back())) return complaint;
  constexpr std::array<std::size_t, 12> kConstants{1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 15};
  if (Complaint complaint = reading.constants(kConstants, lstm.constants)) return complaint;
  const Tensor& input = context.graph.tensors[static_cast<std::size_t>(op.inputs[0])];
  if (input.shape.size() != 3 || input.shape[options->time_major() ? 1 : 0] != 1) {
    return complain("batch of sequences", "one", shape_text(input.shape), input.name);
  }
  Tensor hidden, cells;
  if (Complaint complaint = reading.variable(18, hidden)) return complaint;
  if (Complaint complaint = reading.variable(19, cells)) return complaint;
  const Tensor& out = context.graph.tensors[static_cast<std::size_t>(op.output)];
  if (hidden.type != out.type || hidden.quantization != out.quantization) {
    return complain("hidden vector of another type or quantisation than the output", {}, {}, hidden.name);
  }
  const bool real = out.type == DataType::float32;
  if (cells.type != (real ? DataType::float32 : DataType::int16) || (!real && cells.quantization.scale.size() != 1)) {
    return complain("cells of an unsupported type", real ? "float32" : "int16 with a scale", type_name(cells.type),
                    cells.name);
  }
  if (!real) lstm.cell_scale = cells.quantization.scale[0];
  State state{.name = cells.name, .alignment = static_cast<std::int64_t>(scalar_bytes(cells.type)), .initial = {}};
  append_zeros(cells, state.initial);
  append_zeros(hidden, state.initial);
  lstm.state = add_state(context.graph, std::move(state));
  op.kind = std::move(lstm);
  return {};
}

}  // namespace

bool is_recurrent(BuiltinOperator code) {
  return code == BuiltinOperator::SVDF || code == BuiltinOperator::UNIDIRECTIONAL_SEQUENCE_LSTM;
}

Complaint read_recurrent(const RecurrentContext& context, const tflite::Operator& source, Op& op) {
  return context.reader.code(source) == BuiltinOperator::SVDF ? read_svdf(context, source, op)
                                                              : read_lstm(context, source, op);
}

}  // namespace ripc
