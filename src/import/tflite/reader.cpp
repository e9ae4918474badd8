#include "import/tflite/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "graph/limits.h"
#include "import/tflite/widen.h"

namespace ripc {
namespace {

constexpr std::size_t kMaxTables = 1U << 17;  // far above any network, and a bound on the time that verification takes
constexpr std::size_t kCopiesOfFile = 16;     // what is shared in the file is read once for each that shares it
constexpr std::size_t kFreeBytes = 1U << 24;
constexpr std::size_t kMostKindBytes = 64;
constexpr std::size_t kBytesOfOp = 64;  // in the file, more or less
constexpr std::uint32_t kVersion = 3;

[[noreturn]] void refuse(const std::string& file, std::string problem, std::string expected = {},
                         std::string found = {}) {
  ErrorContext context;
  context.file = file;
  context.problem = std::move(problem);
  context.expected = std::move(expected);
  context.found = std::move(found);
  throw Error(std::move(context));
}

std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return text;
}

std::optional<DataType> data_type(tflite::TensorType type) {
  switch (type) {
    case tflite::TensorType::FLOAT32:
    case tflite::TensorType::FLOAT16:
      return DataType::float32;
    case tflite::TensorType::INT32:
      return DataType::int32;
    case tflite::TensorType::UINT8:
      return DataType::uint8;
    case tflite::TensorType::INT64:
      return DataType::int64;
    case tflite::TensorType::BOOL:
      return DataType::boolean;
    case tflite::TensorType::UINT32:
      return DataType::uint32;
    case tflite::TensorType::UINT64:
      return DataType::uint64;
    case tflite::TensorType::INT16:
      return DataType::int16;
    case tflite::TensorType::INT8:
    case tflite::TensorType::INT4:
      return DataType::int8;
    default:
      return std::nullopt;
  }
}

/// Types that are stored as such and widened as constants; no activation has them.
bool is_narrow(tflite::TensorType type) {
  return type == tflite::TensorType::FLOAT16 || type == tflite::TensorType::INT4;
}

/// Bytes of a constant in the file.
std::size_t stored_bytes(tflite::TensorType type, const Tensor& tensor) {
  const auto count = static_cast<std::size_t>(element_count(tensor));
  if (type == tflite::TensorType::FLOAT16) return 2 * count;
  if (type == tflite::TensorType::INT4) return (count + 1) / 2;
  return static_cast<std::size_t>(byte_count(tensor));
}

std::vector<std::byte> widened(tflite::TensorType type, const Tensor& tensor, std::span<const std::byte> stored) {
  if (type == tflite::TensorType::FLOAT16) return widen_float16(stored);
  if (type == tflite::TensorType::INT4) return unpack_int4(stored, static_cast<std::size_t>(element_count(tensor)));
  return {stored.begin(), stored.end()};
}

/// Scales mean nothing for floats and indices.
bool is_quantizable(DataType type) {
  return type == DataType::int8 || type == DataType::uint8 || type == DataType::int16 || type == DataType::int32;
}

Complaint read_quantization(const tflite::QuantizationParameters& source, const std::string& name, Quantization& out) {
  if (source.details_type() != 0) return complain("custom quantisation", {}, {}, name);
  if (source.scale() == nullptr) return {};
  out.scale.assign(source.scale()->begin(), source.scale()->end());
  if (out.scale.size() > 1) out.axis = source.quantized_dimension();
  const std::size_t zeros = source.zero_point() == nullptr ? 0 : source.zero_point()->size();
  if (zeros > 1 && zeros != out.scale.size()) {
    return complain("quantisation with unequal lists", fmt::format("{} zero points", out.scale.size()),
                    fmt::format("{}", zeros), name);
  }
  out.zero_point.assign(out.scale.size(), 0);
  for (std::size_t i = 0; zeros > 0 && i < out.zero_point.size(); ++i) {
    // A hostile file may have them at any address.
    std::int64_t value = 0;
    std::memcpy(&value, source.zero_point()->Data() + (zeros == 1 ? 0 : i) * sizeof(value), sizeof(value));
    if (value < std::numeric_limits<std::int16_t>::min() || value > std::numeric_limits<std::int16_t>::max()) {
      return complain("zero point out of range", {}, fmt::format("{}", value), name);
    }
    out.zero_point[i] = static_cast<std::int32_t>(value);
  }
  return {};
}

Complaint read_shape(const tflite::Tensor& source, const std::string& name, std::vector<std::int64_t>& out) {
  if (source.shape() != nullptr && source.shape()->size() > kMaxRank) {
    return complain("too many axes", fmt::format("at most {}", kMaxRank), fmt::format("{}", source.shape()->size()),
                    name);
  }
  if (source.shape() != nullptr) out.assign(source.shape()->begin(), source.shape()->end());
  const auto* signature = source.shape_signature();
  if (signature == nullptr) return {};
  const bool any_batch = signature->size() > 0 && signature->Get(0) < 0;
  if (any_batch && !out.empty() && out[0] < 1) out[0] = 1;
  if (signature->size() != out.size() && signature->size() != 0) {
    return complain("shape and shape signature of unequal rank", {}, {}, name);
  }
  for (flatbuffers::uoffset_t axis = 1; axis < signature->size(); ++axis) {
    if (signature->Get(axis) < 0) {
      Complaint complaint =
          complain("dynamic shape", "a fixed extent in every axis but the batch", fmt::format("axis {}", axis), name);
      complaint->remedy = "Give the model's inputs fixed shapes before it is converted.";
      return complaint;
    }
  }
  return {};
}

}  // namespace

TfliteReader::TfliteReader(std::span<const std::byte> bytes, std::string file)
    : file_(std::move(file)), budget_(kCopiesOfFile * bytes.size() + kFreeBytes) {
  if (bytes.size() >= static_cast<std::size_t>(kMaxTensorBytes)) refuse(file_, "model too large", "less than 2 GiB");
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  flatbuffers::Verifier::Options options;
  options.max_tables = kMaxTables;
  flatbuffers::Verifier verifier(data, bytes.size(), options);
  if (!tflite::VerifyModelBuffer(verifier)) refuse(file_, "damaged or no TensorFlow Lite model");
  model_ = tflite::GetModel(data);
  if (model_->version() != kVersion) {
    refuse(file_, "unknown version of the format", fmt::format("{}", kVersion), fmt::format("{}", model_->version()));
  }
  if (model_->subgraphs() == nullptr || model_->subgraphs()->size() == 0) refuse(file_, "no subgraph");
  subgraph_ = model_->subgraphs()->Get(0);
  const bool complete = model_->operator_codes() != nullptr && model_->buffers() != nullptr &&
                        subgraph_->tensors() != nullptr && subgraph_->operators() != nullptr &&
                        subgraph_->inputs() != nullptr && subgraph_->outputs() != nullptr;
  if (!complete) refuse(file_, "a list of the model is missing");
  spend_on_lists(*subgraph_);
}

/// Every list of operands and every name is read as often as it is shared.
void TfliteReader::spend_on_lists(const tflite::SubGraph& subgraph) {
  const auto bytes = [](const auto* list) { return list == nullptr ? 0 : sizeof(*list->data()) * list->size(); };
  std::size_t all = 0;
  for (const tflite::Operator* op : *subgraph.operators()) all += bytes(op->inputs()) + bytes(op->outputs());
  for (const tflite::Tensor* tensor : *subgraph.tensors()) all += bytes(tensor->name());
  if (Complaint complaint = spend(all, {})) {
    complaint->file = file_;
    throw Error(std::move(*complaint));
  }
}

const tflite::Operator& TfliteReader::op(int index) const {
  return *subgraph_->operators()->Get(static_cast<flatbuffers::uoffset_t>(index));
}

const tflite::Tensor& TfliteReader::tensor(int index) const {
  return *subgraph_->tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
}

std::vector<int> TfliteReader::indices(const flatbuffers::Vector<std::int32_t>* list) {
  return list == nullptr ? std::vector<int>{} : std::vector<int>(list->begin(), list->end());
}

std::optional<tflite::BuiltinOperator> TfliteReader::code(const tflite::Operator& op) const {
  const auto* codes = model_->operator_codes();
  if (op.opcode_index() >= codes->size()) return std::nullopt;
  const tflite::OperatorCode* code = codes->Get(op.opcode_index());
  // Codes above 127 stand in a field of their own; older files have the byte only.
  return std::max(code->builtin_code(), static_cast<tflite::BuiltinOperator>(code->deprecated_builtin_code()));
}

std::string TfliteReader::kind(const tflite::Operator& op) const {
  const auto builtin = code(op);
  if (!builtin) return "unknown operator";
  if (*builtin == tflite::BuiltinOperator::CUSTOM) {
    const auto* name = model_->operator_codes()->Get(op.opcode_index())->custom_code();
    return printable("CUSTOM:" + (name == nullptr ? std::string() : name->str().substr(0, kMostKindBytes)));
  }
  const std::string name = tflite::EnumNameBuiltinOperator(*builtin);
  return name.empty() ? fmt::format("operator code {}", static_cast<int>(*builtin)) : name;
}

std::span<const std::byte> TfliteReader::custom_options(const tflite::Operator& op) {
  if (op.custom_options() == nullptr) return {};
  return std::as_bytes(std::span(op.custom_options()->data(), op.custom_options()->size()));
}

std::string TfliteReader::name(int index) const {
  const auto* name = tensor(index).name();
  return name == nullptr || name->size() == 0 ? fmt::format("tensor_{}", index) : printable(name->str());
}

std::span<const std::byte> TfliteReader::data(int index) const {
  const std::uint32_t number = tensor(index).buffer();
  if (number == 0 || number >= model_->buffers()->size()) return {};
  const auto* data = model_->buffers()->Get(number)->data();
  if (data == nullptr) return {};
  return std::as_bytes(std::span(data->data(), data->size()));
}

Complaint TfliteReader::spend(std::size_t bytes, const std::string& name) {
  if (bytes > budget_) return complain("parts of the file are shared too often", {}, {}, name);
  budget_ -= bytes;
  return {};
}

Complaint TfliteReader::spend_state(const Tensor& state) {
  if (byte_count(state) > state_budget_) {
    return complain("too much survives between runs", fmt::format("at most {} bytes", kMaxStateBytes), {}, state.name);
  }
  state_budget_ -= byte_count(state);
  return {};
}

bool TfliteReader::holds_integers(int index) const {
  const tflite::TensorType type = tensor(index).type();
  return type == tflite::TensorType::INT32 || type == tflite::TensorType::INT64;
}

Complaint TfliteReader::read(int index, bool constant, Tensor& out, bool variable) {
  if (const auto known = known_.find(index); constant && known != known_.end()) {
    out = known->second;
    return spend(out.data.size(), out.name);
  }
  const tflite::Tensor& source = tensor(index);
  out.name = name(index);
  out.source = index;
  const std::size_t stored = source.buffer() == 0 ? 0 : data(index).size();
  const std::size_t scales = source.quantization() == nullptr || source.quantization()->scale() == nullptr
                                 ? 0
                                 : source.quantization()->scale()->size();
  if (!constant && scales > 1) {
    return complain("activation without quantisation for the whole tensor", "one scale and zero point",
                    fmt::format("{} scales", scales), out.name);
  }
  const std::size_t copied = constant ? (is_narrow(source.type()) ? 2 * stored : stored) : 0;
  if (Complaint complaint = spend(out.name.size() + 8 * scales + copied, out.name)) return complaint;

  const auto type = data_type(source.type());
  if (!type || (!constant && is_narrow(source.type()))) {
    return complain("unsupported type", {}, tflite::EnumNameTensorType(source.type()), out.name);
  }
  out.type = *type;
  if (source.is_variable() && !variable) return complain("variable tensor", "no state between calls", {}, out.name);
  if (source.buffer() >= model_->buffers()->size()) {
    return complain("no such buffer", fmt::format("an index below {}", model_->buffers()->size()),
                    fmt::format("{}", source.buffer()), out.name);
  }
  const tflite::Buffer* buffer = model_->buffers()->Get(source.buffer());
  if (buffer->offset() > 1 || buffer->size() > 1) return complain("data outside the FlatBuffer", {}, {}, out.name);

  if (Complaint complaint = read_shape(source, out.name, out.shape)) return complaint;
  if (source.quantization() != nullptr && is_quantizable(out.type)) {
    if (Complaint complaint = read_quantization(*source.quantization(), out.name, out.quantization)) return complaint;
  }
  if (Complaint complaint = fault_of(out)) return complaint;
  if (!constant) return {};
  out.constant = true;
  const auto bytes = data(index);
  const std::size_t wanted = stored_bytes(source.type(), out);
  if (bytes.size() != wanted) {
    return complain("constant of the wrong size", fmt::format("{} bytes", wanted), fmt::format("{}", bytes.size()),
                    out.name);
  }
  out.data = widened(source.type(), out, bytes);
  return {};
}

std::optional<std::string> TfliteReader::variable(const tflite::Operator& op) const {
  const auto* options = op.builtin_options_as_VarHandleOptions();
  if (code(op) != tflite::BuiltinOperator::VAR_HANDLE || options == nullptr) return std::nullopt;
  const auto text = [](const flatbuffers::String* string) { return string == nullptr ? std::string() : string->str(); };
  return printable(text(options->container()) + "/" + text(options->shared_name()));
}

Complaint TfliteReader::initial_values(const tflite::Operator& call,
                                       std::map<std::string, std::vector<std::byte>>& out) {
  const auto* options = call.builtin_options_as_CallOnceOptions();
  const std::uint32_t count = model_->subgraphs()->size();
  if (options == nullptr || options->init_subgraph_index() < 1 ||
      static_cast<std::uint32_t>(options->init_subgraph_index()) >= count) {
    return complain("initialisation by no subgraph", fmt::format("an index from 1 to {}", count - 1));
  }
  const auto* subgraph = model_->subgraphs()->Get(static_cast<flatbuffers::uoffset_t>(options->init_subgraph_index()));
  if (subgraph->operators() == nullptr || subgraph->tensors() == nullptr) return complain("empty initialisation");
  if (Complaint complaint = spend(kBytesOfOp * subgraph->operators()->size(), {})) return complaint;
  spend_on_lists(*subgraph);
  std::map<int, std::string> variables;
  for (const tflite::Operator* op : *subgraph->operators()) {
    const std::vector<int> inputs = indices(op->inputs()), outputs = indices(op->outputs());
    if (const auto name = variable(*op)) {
      if (outputs.size() == 1) variables[outputs[0]] = *name;
      continue;
    }
    const bool assigns = code(*op) == tflite::BuiltinOperator::ASSIGN_VARIABLE && inputs.size() == 2 &&
                         variables.contains(inputs[0]) && inputs[1] >= 0 &&
                         static_cast<std::uint32_t>(inputs[1]) < subgraph->tensors()->size();
    if (!assigns) return complain("initialisation by other operators", "ASSIGN_VARIABLE of constants", kind(*op));
    const std::uint32_t buffer = subgraph->tensors()->Get(static_cast<flatbuffers::uoffset_t>(inputs[1]))->buffer();
    const auto* data =
        buffer == 0 || buffer >= model_->buffers()->size() ? nullptr : model_->buffers()->Get(buffer)->data();
    if (data == nullptr)
      return complain("initialisation with a computed value", "a constant", {}, variables[inputs[0]]);
    if (Complaint complaint = spend(data->size(), variables[inputs[0]])) return complaint;
    const auto bytes = std::as_bytes(std::span(data->data(), data->size()));
    out[variables[inputs[0]]].assign(bytes.begin(), bytes.end());
  }
  return {};
}

Complaint TfliteReader::integers(int index, std::vector<std::int64_t>& out) {
  const auto known = known_.find(index);
  const auto bytes = known != known_.end() ? std::span<const std::byte>(known->second.data) : data(index);
  const auto type = tensor(index).type();
  if (bytes.empty()) return complain("computed parameter", "a constant", {}, name(index));
  if (Complaint complaint = spend(2 * bytes.size(), name(index))) return complaint;
  const auto unpack = [&]<typename T>(T) -> Complaint {
    if (bytes.size() % sizeof(T) != 0) return complain("constant of the wrong size", {}, {}, name(index));
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
      T value;
      std::memcpy(&value, bytes.data() + at, sizeof(T));
      out.push_back(value);
    }
    return {};
  };
  if (type == tflite::TensorType::INT32) return unpack(std::int32_t{});
  if (type == tflite::TensorType::INT64) return unpack(std::int64_t{});
  return complain("unsupported type", "INT32 or INT64", tflite::EnumNameTensorType(type), name(index));
}

Complaint TfliteReader::scalar(int index, Tensor& out) {
  if (!has_data(index)) return complain("computed parameter", "a constant", {}, name(index));
  if (Complaint complaint = read(index, true, out)) return complaint;
  if (element_count(out) == 1) return {};
  return complain("parameter of the wrong size", "one scalar", shape_text(out.shape), out.name);
}

}  // namespace ripc
