// The TensorFlow Lite frontend: which operators are needed, and the graph of those.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "graph/names.h"
#include "import/import.h"
#include "import/tflite/dilation.h"
#include "import/tflite/faults.h"
#include "import/tflite/fold.h"
#include "import/tflite/operators.h"
#include "import/tflite/reader.h"
#include "import/tflite/recurrent.h"
#include "import/tflite/signal.h"
#include "import/tflite/variables.h"
#include "import/tflite/widen.h"

namespace ripc {
namespace {

class TfliteImporter {
 public:
  TfliteImporter(TfliteReader& reader, const ImportOptions& options)
      : reader_(reader),
        options_(options),
        variables_(reader),
        needed_(size(reader.tensor_count())),
        written_(needed_.size()),
        folded_(needed_.size(), -1) {}

  Graph run() {
    graph_.name = std::filesystem::path(reader_.file()).stem().string();
    const std::vector<int> inputs = reader_.inputs();
    for (const int input : inputs) require_tensor(input, "input");
    fold_integers(reader_);
    mark_written();
    fold_constants();
    dilated_ = find_dilated(reader_);
    for (const auto& [convolution, dilated] : dilated_) batches_.insert({dilated.to_batches, dilated.from_batches});
    const std::vector<int> outputs = choose_outputs();
    for (const int output : outputs) needed_[size(output)] = true;
    const std::vector<int> ops = needed_ops();

    ids_.assign(needed_.size(), kNoTensor);
    for (const int input : inputs) {
      if (!options_.outputs.empty() && !needed_[size(input)]) continue;
      if (Complaint complaint = add_tensor(input, false)) refuse(std::move(*complaint));
      graph_.inputs.push_back(ids_[size(input)]);
    }
    for (const int op : ops) import_op(op);
    report_complaints(ops);
    for (const int output : outputs) {
      if (Complaint complaint = add_tensor(output, is_constant(output))) refuse(std::move(*complaint));
      TensorId made = id(output);
      if (graph_.tensors[size(made)].constant) {
        if (Complaint complaint = load(made, -1, made)) refuse(std::move(*complaint));
      }
      graph_.outputs.push_back(made);
    }
    if (Complaint complaint = variables_.finish(graph_)) refuse(std::move(*complaint));
    if (Complaint complaint = fault_of(graph_)) refuse(std::move(*complaint));
    return std::move(graph_);
  }

 private:
  struct OpComplaint {
    int op;
    ErrorContext context;
  };

  static std::size_t size(int index) { return static_cast<std::size_t>(index); }

  [[noreturn]] void refuse(ErrorContext context) const {
    context.file = reader_.file();
    throw Error(std::move(context));
  }

  void require_tensor(int index, const char* role) const {
    if (reader_.is_tensor(index)) return;
    refuse(*complain(fmt::format("{} that is no tensor", role),
                     fmt::format("an index below {}", reader_.tensor_count()), fmt::format("{}", index)));
  }

  void mark_written() {
    for (int i = 0; i < reader_.op_count(); ++i) {
      for (const int output : TfliteReader::indices(reader_.op(i).outputs())) {
        if (reader_.is_tensor(output) && !reader_.is_known(output)) written_[size(output)] = true;
      }
    }
  }

  /// A constant that is only dequantised is a float constant, as converters store float16 weights.
  void fold_constants() {
    for (int i = 0; i < reader_.op_count(); ++i) {
      const tflite::Operator& op = reader_.op(i);
      if (reader_.code(op) != tflite::BuiltinOperator::DEQUANTIZE) continue;
      const auto inputs = TfliteReader::indices(op.inputs()), outputs = TfliteReader::indices(op.outputs());
      if (inputs.size() != 1 || outputs.size() != 1 || !reader_.is_tensor(inputs[0]) || !reader_.is_tensor(outputs[0]))
        continue;
      if (written_[size(inputs[0])] || !reader_.has_data(inputs[0])) continue;
      folded_[size(outputs[0])] = inputs[0];
      written_[size(outputs[0])] = false;
    }
  }

  bool is_constant(int index) const { return reader_.has_data(index) || folded_[size(index)] >= 0; }

  std::vector<int> choose_outputs() const {
    std::vector<int> outputs;
    if (options_.outputs.empty()) {
      outputs = reader_.outputs();
      for (const int output : outputs) require_tensor(output, "output");
      return outputs;
    }
    std::vector<std::string> known;
    for (int i = 0; i < reader_.tensor_count(); ++i) {
      if (written_[size(i)]) known.push_back(reader_.name(i));
    }
    const auto is_known = [&](const std::string& name) { return std::ranges::find(known, name) != known.end(); };
    for (const std::string& name : names_in(options_.outputs, is_known)) outputs.push_back(tensor_named(name, known));
    return outputs;
  }

  int tensor_named(const std::string& name, const std::vector<std::string>& known) const {
    int found = -1;
    for (int i = 0; i < reader_.tensor_count(); ++i) {
      if (!written_[size(i)] || reader_.name(i) != name) continue;
      if (found >= 0) refuse(*complain("name of more than one tensor", {}, {}, name));
      found = i;
    }
    if (found < 0) {
      ErrorContext context = *complain("no operator writes such a tensor", nearest_names(name, known), {}, name);
      context.fault = Fault::usage;
      refuse(std::move(context));
    }
    return found;
  }

  /// From the outputs back; marks the tensors on the way. A variable that is read needs those who assign it.
  std::vector<int> needed_ops() {
    std::vector<std::vector<int>> writers(needed_.size());
    std::map<std::string, std::vector<int>> assigners;
    for (int i = 0; i < reader_.op_count(); ++i) {
      const tflite::Operator& op = reader_.op(i);
      for (const int output : TfliteReader::indices(op.outputs())) {
        const bool computed = reader_.is_tensor(output) && folded_[size(output)] < 0 && !reader_.is_known(output);
        if (computed) writers[size(output)].push_back(i);
      }
      if (reader_.code(op) == tflite::BuiltinOperator::ASSIGN_VARIABLE) {
        assigners[variables_.name_of(op)].push_back(i);
      }
    }
    std::vector<bool> wanted(size(reader_.op_count()), false);
    std::vector<int> open;
    const auto want = [&](std::vector<int>& some) {
      for (const int op : std::exchange(some, {})) {
        if (!wanted[size(op)]) open.push_back(op);
        wanted[size(op)] = true;
      }
    };
    for (std::size_t tensor = 0; tensor < needed_.size(); ++tensor) {
      if (needed_[tensor]) want(writers[tensor]);
    }
    while (!open.empty()) {
      const tflite::Operator& op = reader_.op(open.back());
      open.pop_back();
      if (reader_.code(op) == tflite::BuiltinOperator::READ_VARIABLE) want(assigners[variables_.name_of(op)]);
      for (const int input : dependencies(op)) {
        needed_[size(input)] = true;
        want(writers[size(input)]);
      }
    }
    std::vector<int> ops;
    for (int i = 0; i < reader_.op_count(); ++i) {
      if (wanted[size(i)]) ops.push_back(i);
    }
    return ops;
  }

  /// The inputs of an operator, the activations first. SPLIT alone has its parameter before them.
  std::vector<int> operands(const tflite::Operator& op) const {
    std::vector<int> inputs = TfliteReader::indices(op.inputs());
    if (reader_.code(op) == tflite::BuiltinOperator::SPLIT && inputs.size() == 2) std::swap(inputs[0], inputs[1]);
    return inputs;
  }

  /// Tensors that must be computed before `op`. What only says the shape of an output, known anyway, is left out.
  std::vector<int> dependencies(const tflite::Operator& op) const {
    std::vector<int> inputs = operands(op);
    const auto code = reader_.code(op);
    const TfliteKind* kind = code ? tflite_kind(*code) : nullptr;
    if (kind != nullptr) inputs = kind->arranged(inputs);
    if (kind != nullptr && inputs.size() > kind->activations) inputs.resize(kind->activations);
    std::erase_if(inputs, [&](int input) { return !reader_.is_tensor(input); });
    return inputs;
  }

  Complaint add_tensor(int index, bool constant) {
    if (ids_[size(index)] != kNoTensor) return {};
    Tensor tensor;
    const bool folded = constant && folded_[size(index)] >= 0;
    if (Complaint complaint = reader_.read(folded ? folded_[size(index)] : index, constant, tensor)) return complaint;
    if (folded) {
      if (Complaint complaint = dequantize(tensor)) return complaint;
    }
    ids_[size(index)] = static_cast<TensorId>(graph_.tensors.size());
    graph_.tensors.push_back(std::move(tensor));
    return {};
  }

  /// Whether the operator only makes or undoes the batches of a dilated convolution.
  bool is_folded(int index) const { return batches_.contains(index); }

  /// One operator for each output that is needed.
  void import_op(int index) {
    if (is_folded(index)) return;
    const auto code = reader_.code(reader_.op(index));
    if (code && Variables::handles(*code)) {
      if (Complaint complaint = read_variable(reader_.op(index), index)) {
        complaints_.push_back({index, std::move(*complaint)});
      }
      return;
    }
    if (is_signal(reader_.kind(reader_.op(index)))) {
      std::vector<Op> ops;
      if (Complaint complaint = read_signal(context(), reader_.op(index), ops)) {
        complaints_.push_back({index, std::move(*complaint)});
        return;
      }
      for (Op& op : ops) {
        op.source = index;
        graph_.ops.push_back(std::move(op));
      }
      return;
    }
    const std::vector<int> outputs = TfliteReader::indices(reader_.op(index).outputs());
    for (std::size_t i = 0; i < std::max<std::size_t>(outputs.size(), 1); ++i) {
      if (outputs.size() > 1 && reader_.is_tensor(outputs[i]) && !needed_[size(outputs[i])]) continue;
      Op op;
      op.source = index;
      if (Complaint complaint = read_op(reader_.op(index), i, op)) {
        complaints_.push_back({index, std::move(*complaint)});
        return;
      }
      graph_.ops.push_back(std::move(op));
    }
  }

  /// VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE.
  Complaint read_variable(const tflite::Operator& source, int index) {
    const auto code = reader_.code(source);
    if (code == tflite::BuiltinOperator::VAR_HANDLE || code == tflite::BuiltinOperator::CALL_ONCE) return {};
    const std::string name = variables_.name_of(source);
    if (name.empty()) return complain("variable without a VAR_HANDLE");
    const std::vector<int> inputs = TfliteReader::indices(source.inputs());
    if (code == tflite::BuiltinOperator::READ_VARIABLE) {
      const std::vector<int> outputs = TfliteReader::indices(source.outputs());
      if (outputs.size() != 1 || !reader_.is_tensor(outputs[0])) return complain("variable read into no tensor");
      Tensor made;
      if (Complaint complaint = reader_.read(outputs[0], false, made)) return complaint;
      return variables_.read(graph_, name, std::move(made), ids_[size(outputs[0])]);
    }
    if (inputs.size() != 2 || !reader_.is_tensor(inputs[1])) return complain("variable given no tensor");
    const bool constant = !written_[size(inputs[1])] && reader_.has_data(inputs[1]);
    if (Complaint complaint = add_tensor(inputs[1], constant)) return complaint;
    return variables_.assign(name, id(inputs[1]), index);
  }

  RecurrentContext context() {
    return {reader_, graph_, [&](int index, bool constant, TensorId& tensor) {
              Complaint complaint = add_tensor(index, constant);
              tensor = id(index);
              return complaint;
            }};
  }

  /// SVDF and LSTM.
  Complaint read_with_state(const tflite::Operator& source, Op& op) {
    const std::vector<int> outputs = TfliteReader::indices(source.outputs());
    if (outputs.size() != 1 || !reader_.is_tensor(outputs[0])) return complain("output that is no tensor");
    if (Complaint complaint = add_tensor(outputs[0], false)) return complaint;
    op.output = id(outputs[0]);
    if (Complaint complaint = read_recurrent(context(), source, op)) return complaint;
    return fault_of(graph_, op);
  }

  Complaint read_op(const tflite::Operator& source, std::size_t output_index, Op& op) {
    const auto code = reader_.code(source);
    if (code && is_recurrent(*code)) return read_with_state(source, op);
    const TfliteKind* kind = code ? tflite_kind(*code) : nullptr;
    if (kind == nullptr) return complain("no kernel for this operator");
    std::vector<int> inputs = operands(source), outputs = TfliteReader::indices(source.outputs());
    const auto dilated = dilated_.find(op.source);
    if (dilated != dilated_.end()) {
      inputs[0] = dilated->second.input;
      outputs = {dilated->second.output};
    }
    const bool right_outputs = kind->many_outputs ? !outputs.empty() : outputs.size() == 1;
    if (inputs.size() < kind->least_inputs || inputs.size() > kind->most_inputs || !right_outputs) {
      return complain("wrong number of inputs or outputs", {}, fmt::format("{} and {}", inputs.size(), outputs.size()));
    }
    inputs = kind->arranged(inputs);
    const bool no_bias = kind->weighted && inputs.size() == 3 && inputs[2] == -1;
    if (no_bias) inputs.pop_back();
    if (!std::ranges::all_of(inputs, [&](int input) { return reader_.is_tensor(input); }) ||
        !reader_.is_tensor(outputs[output_index])) {
      return complain("input or output that is no tensor");
    }
    if (Complaint complaint = read_tensors(*kind, inputs, outputs[output_index])) return complaint;

    const std::size_t activations = std::min(kind->activations, inputs.size());
    TensorId constant = kNoTensor;
    for (std::size_t i = 0; i < activations; ++i) {
      const TensorId operand = id(inputs[i]);
      if (!graph_.tensors[size(operand)].constant) {
        op.inputs.push_back(operand);
      } else if (kind->constant_operand && constant == kNoTensor) {
        constant = operand;
      } else {
        if (Complaint complaint = load(operand, op.source, op.inputs.emplace_back())) return complaint;
      }
    }
    op.output = id(outputs[output_index]);
    const Tensor* weights = kind->weighted ? &graph_.tensors[size(id(inputs[1]))] : nullptr;
    const TfliteOp read{
        reader_, source,       inputs,        graph_.tensors[size(id(inputs[0]))], graph_.tensors[size(op.output)],
        weights, output_index, outputs.size()};
    if (Complaint complaint = kind->read(read, op.kind)) return complaint;
    if (dilated != dilated_.end()) {
      if (Complaint complaint = dilate(dilated->second, op.kind)) return complaint;
    }
    if (Complaint complaint = spend_on(op, weights)) return complaint;
    std::visit(
        [&](auto& fields) {
          if constexpr (requires { fields.weights; }) {
            fields.weights = id(inputs[1]);
            fields.bias = inputs.size() > 2 ? id(inputs[2]) : kNoTensor;
          }
          if constexpr (requires { fields.constant; }) {
            fields.constant = constant;
            fields.constant_first = constant == id(inputs[0]);
          }
        },
        op.kind);
    if (code == tflite::BuiltinOperator::BATCH_MATMUL) {
      const auto* options = source.builtin_options_as_BatchMatMulOptions();
      TensorId& right = std::get<FullyConnected>(op.kind).weights;
      if (Complaint complaint = matrix_as_weights(right, options != nullptr && options->adj_y(), right))
        return complaint;
    }
    return fault_of(graph_, op);
  }

  Complaint read_tensors(const TfliteKind& kind, const std::vector<int>& inputs, int output) {
    for (std::size_t i = 0; i < std::min(kind.activations, inputs.size()); ++i) {
      const TensorId known = ids_[size(inputs[i])];
      const bool computed = written_[size(inputs[i])] || (known != kNoTensor && !graph_.tensors[size(known)].constant);
      const bool constant = !computed && is_constant(inputs[i]);
      if (Complaint complaint = add_tensor(inputs[i], constant)) return complaint;
    }
    for (std::size_t i = kind.activations; kind.weighted && i < inputs.size(); ++i) {
      if (!is_constant(inputs[i])) {
        return complain("computed weights or bias", "a constant", {}, reader_.name(inputs[i]));
      }
      if (Complaint complaint = add_tensor(inputs[i], true)) return complaint;
    }
    return add_tensor(output, false);
  }

  TensorId id(int index) const { return ids_[size(index)]; }

  /// What an operator costs each time that it is looked at: shared scales of its weights, and the table of a move.
  Complaint spend_on(const Op& op, const Tensor* weights) {
    std::size_t bytes = weights == nullptr ? 0 : 8 * weights->quantization.scale.size();
    if (const auto* move = std::get_if<Rearrange>(&op.kind)) {
      for (const AxisMap& axis : move->axes) bytes += 8 * axis.offsets.size();
    }
    return reader_.spend(bytes, graph_.tensors[size(op.output)].name);
  }

  /// The right side of a BATCH_MATMUL, [..., in, out] or with `transposed` [..., out, in], as weights [out][in].
  Complaint matrix_as_weights(TensorId right, bool transposed, TensorId& weights) {
    const Tensor& from = graph_.tensors[size(right)];
    const ImageShape image = image_shape(from);
    if (image.height != 1 || from.shape.size() < 2 || from.quantization.scale.size() > 1) {
      return complain("right side of more than one matrix or scale", "one of each", shape_text(from.shape), from.name);
    }
    if (Complaint complaint = reader_.spend(from.data.size() + from.name.size(), from.name)) return complaint;
    Tensor turned = from;
    const std::size_t scalar = scalar_bytes(from.type);
    const auto rows = static_cast<std::size_t>(image.width), columns = static_cast<std::size_t>(image.channels);
    turned.shape = {transposed ? image.width : image.channels, transposed ? image.channels : image.width};
    for (std::size_t i = 0; !transposed && i < rows * columns; ++i) {
      const std::size_t to = i % columns * rows + i / columns;
      std::memcpy(turned.data.data() + to * scalar, from.data.data() + i * scalar, scalar);
    }
    weights = static_cast<TensorId>(graph_.tensors.size());
    graph_.tensors.push_back(std::move(turned));
    return {};
  }

  /// A constant as an activation of its own, next to whoever needs it: it is in memory no longer than that.
  Complaint load(TensorId constant, int source, TensorId& out) {
    const Tensor& from = graph_.tensors[size(constant)];
    Tensor loaded{
        .name = from.name, .type = from.type, .shape = from.shape, .quantization = from.quantization, .data = {}};
    const std::size_t bytes = sizeof(Op) + sizeof(Tensor) + loaded.name.size() + 8 * loaded.quantization.scale.size();
    if (Complaint complaint = reader_.spend(bytes, loaded.name)) return complaint;
    out = static_cast<TensorId>(graph_.tensors.size());
    graph_.tensors.push_back(std::move(loaded));
    graph_.ops.push_back({.kind = Load{{constant}}, .inputs = {}, .output = out, .source = source});
    return {};
  }

  /// Throws with every operator that cannot be compiled, if there is one.
  void report_complaints(const std::vector<int>& ops) const {
    if (complaints_.empty()) return;
    std::vector<OpFault> faults;
    for (const OpComplaint& complaint : complaints_) {
      faults.push_back({complaint.op, reader_.kind(reader_.op(complaint.op)), complaint.context});
    }
    ErrorContext context = all_faults(faults, ops.size());
    if (context.remedy.empty()) context.remedy = remedy(ops);
    refuse(std::move(context));
  }

  std::string remedy(const std::vector<int>& ops) const {
    const std::string convert = "convert the model to supported types and operators.";
    const std::string cut = cut_before_faults(ops);
    if (cut.empty()) return "To compile it, " + convert;
    return fmt::format("Cut the rest off with --outputs '{}', or {}", cut, convert);
  }

  /// The tensor at which to end the network so that no faulty operator is left, if most of the work is before it;
  /// empty if there is none.
  std::string cut_before_faults(const std::vector<int>& ops) const {
    const int first = complaints_.front().op;
    const auto before = std::ranges::lower_bound(ops, first) - ops.begin();
    if (2 * before < std::ssize(ops)) return {};
    for (const int input : dependencies(reader_.op(first))) {
      std::string name = reader_.name(input);
      const bool typeable = !name.empty() && std::ranges::none_of(name, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte >= 0x7f || c == '\'' || c == ',';
      });
      if (written_[size(input)] && typeable) return name;
    }
    return {};
  }

  TfliteReader& reader_;
  const ImportOptions& options_;
  Variables variables_;
  std::map<int, DilatedConvolution> dilated_;  ///< by operator of the file
  std::set<int> batches_;                      ///< the operators around them
  std::vector<bool> needed_, written_;         ///< by index of the tensor in the file
  std::vector<int> folded_;                    ///< the same: the constant that the tensor is dequantised from, or -1
  std::vector<TensorId> ids_;                  ///< the same; kNoTensor if it has not been read
  Graph graph_;
  std::vector<OpComplaint> complaints_;
};

}  // namespace

Graph import_tflite(std::span<const std::byte> bytes, const std::string& file, const ImportOptions& options) {
  constexpr std::uintptr_t kAlignment = 16;
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kAlignment != 0) {
    const std::vector<std::byte> aligned(bytes.begin(), bytes.end());
    return import_tflite(aligned, file, options);
  }
  TfliteReader reader(bytes, file);
  return TfliteImporter(reader, options).run();
}

}  // namespace ripc
