// Networks without weights, in the format of networks/README.md.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "graph/complaint.h"
#include "graph/limits.h"
#include "import/import.h"
#include "import/json/fields.h"
#include "import/same.h"
#include "passes/passes.h"

namespace ripc {
namespace {

// Without weights nothing is computed, but a graph must be sound: every activation gets one quantisation that all
// operators can take.
const Quantization kActivations{.scale = {0.0625F}, .zero_point = {0}};
const Quantization kWeights{.scale = {0.015625F}, .zero_point = {0}};
const Quantization kProbabilities{.scale = {0.00390625F}, .zero_point = {-128}};

constexpr std::pair<std::string_view, UnaryKind> kUnaryNames[] = {
    {"abs", UnaryKind::abs},
    {"elu", UnaryKind::elu},
    {"hard_swish", UnaryKind::hard_swish},
    {"leaky_relu", UnaryKind::leaky_relu},
    {"logistic", UnaryKind::logistic},
    {"tanh", UnaryKind::tanh},
};

constexpr std::pair<std::string_view, BinaryKind> kBinaryNames[] = {
    {"add", BinaryKind::add},
    {"divide", BinaryKind::divide},
    {"maximum", BinaryKind::maximum},
    {"minimum", BinaryKind::minimum},
    {"multiply", BinaryKind::multiply},
    {"prelu", BinaryKind::prelu},
    {"squared_difference", BinaryKind::squared_difference},
    {"subtract", BinaryKind::subtract},
};

template <typename Kind, std::size_t count>
std::optional<Kind> named(const std::pair<std::string_view, Kind> (&names)[count], std::string_view name) {
  const auto found = std::ranges::find(names, name, &std::pair<std::string_view, Kind>::first);
  return found == std::end(names) ? std::nullopt : std::optional(found->second);
}

std::optional<UnaryKind> unary_named(std::string_view name) { return named(kUnaryNames, name); }
std::optional<BinaryKind> binary_named(std::string_view name) { return named(kBinaryNames, name); }

class JsonImporter {
 public:
  explicit JsonImporter(std::string file) : file_(std::move(file)) {}

  Graph run(std::string_view text) {
    const nlohmann::json document = parse(text);
    Fields fields(document, refusal());
    graph_.name = fields.has("name") ? fields.text("name") : std::filesystem::path(file_).stem().string();
    read_inputs(fields.raw("inputs"));
    read_ops(fields.raw("ops"));
    if (fields.has("outputs")) {
      for (const std::string& name : fields.texts("outputs")) graph_.outputs.push_back(tensor_named(name));
    } else {
      infer_outputs();
    }
    fields.finish();
    if (Complaint complaint = fault_of(graph_)) refuse(std::move(*complaint));
    return std::move(graph_);
  }

 private:
  [[noreturn]] void refuse(ErrorContext context) const {
    context.file = file_;
    if (op_index_ >= 0) context.op_index = op_index_;
    if (context.op_kind.empty()) context.op_kind = op_kind_;
    throw Error(std::move(context));
  }

  Fields::Refuse refusal() const {
    return [this](std::string problem, std::string expected, std::string found) {
      refuse(*complain(std::move(problem), std::move(expected), std::move(found)));
    };
  }

  nlohmann::json parse(std::string_view text) const {
    try {
      return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
      const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
      refuse(*complain(fmt::format("no valid JSON at line {}", 1 + std::count(text.begin(), end, '\n'))));
    } catch (const nlohmann::json::out_of_range&) {
      refuse(*complain("a number of the JSON is out of range"));
    }
  }

  Tensor& tensor(TensorId id) { return graph_.tensors[static_cast<std::size_t>(id)]; }

  TensorId add_tensor(std::string name, std::vector<std::int64_t> shape, const Quantization& quantization) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.shape = std::move(shape);
    tensor.quantization = quantization;
    if (Complaint complaint = fault_of(tensor)) refuse(std::move(*complaint));
    tensor.source = static_cast<int>(graph_.tensors.size());
    graph_.tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(graph_.tensors.size()) - 1;
  }

  TensorId add_activation(const std::string& name, std::vector<std::int64_t> shape,
                          const Quantization& quantization = kActivations) {
    const TensorId id = add_tensor(name, std::move(shape), quantization);
    if (!ids_.emplace(name, id).second) refuse(*complain("name of more than one tensor", {}, {}, name));
    return id;
  }

  TensorId tensor_named(const std::string& name) const {
    const auto found = ids_.find(name);
    if (found == ids_.end()) refuse(*complain("no operator so far writes such a tensor", {}, {}, name));
    return found->second;
  }

  void read_inputs(const nlohmann::json& inputs) {
    Fields fields(inputs, refusal());
    for (const auto& [name, shape] : inputs.items()) {
      const auto numbers = fields.numbers(name);
      if (numbers.size() != 3) refuse(*complain("bad shape", "[height, width, channels]", {}, name));
      graph_.inputs.push_back(add_activation(name, {1, numbers[0], numbers[1], numbers[2]}));
    }
  }

  void read_ops(const nlohmann::json& ops) {
    if (!ops.is_array()) refuse(*complain("bad value of 'ops'", "a list of objects"));
    for (const auto& object : ops) {
      ++op_index_;
      Fields fields(object, refusal());
      op_kind_ = fields.text("op");
      Op op;
      op.source = op_index_;
      op.inputs = read_op_inputs(fields);
      read_op(fields, op);
      fields.finish();
      if (Complaint complaint = fault_of(graph_, op)) refuse(std::move(*complaint));
      graph_.ops.push_back(std::move(op));
    }
    op_index_ = -1;
    op_kind_.clear();
  }

  /// Those of the field `in`, or what the operator before wrote, or the network's only input.
  std::vector<TensorId> read_op_inputs(Fields& fields) const {
    std::vector<TensorId> inputs;
    if (fields.has("in")) {
      for (const std::string& name : fields.texts("in")) inputs.push_back(tensor_named(name));
    } else if (!graph_.ops.empty()) {
      inputs.push_back(graph_.ops.back().output);
    } else if (graph_.inputs.size() == 1) {
      inputs.push_back(graph_.inputs[0]);
    } else {
      refuse(*complain("'in' is missing", "the name of an input of the network"));
    }
    return inputs;
  }

  /// All that no operator reads.
  void infer_outputs() {
    std::vector<bool> read(graph_.tensors.size(), false);
    for (const Op& op : graph_.ops) {
      for (const TensorId input : op.inputs) read[static_cast<std::size_t>(input)] = true;
    }
    for (const Op& op : graph_.ops) {
      if (!read[static_cast<std::size_t>(op.output)]) graph_.outputs.push_back(op.output);
    }
  }

  void read_op(Fields& fields, Op& op) {
    const ImageShape in = image_shape(tensor(op.inputs[0]));
    const std::string out = fields.has("out") ? fields.text("out") : fmt::format("{}_{}", op_kind_, op_index_);
    if (op_kind_ == "conv") {
      read_conv(fields, op, in, out);
    } else if (op_kind_ == "depthwise") {
      read_depthwise(fields, op, in, out);
    } else if (op_kind_ == "fully_connected") {
      const std::int64_t channels = fields.count("channels");
      FullyConnected connected{.activation = read_activation(fields)};
      add_weights(fields, connected, out, {channels, element_count(tensor(op.inputs[0]))}, channels);
      op.kind = connected;
      op.output = add_activation(out, {1, channels});
    } else if (op_kind_ == "average_pool" || op_kind_ == "max_pool") {
      Pool2d pool;
      pool.kind = op_kind_ == "max_pool" ? PoolKind::max : PoolKind::average;
      read_windows(fields, in, pool.rows, pool.columns);
      pool.activation = read_activation(fields);
      op.kind = pool;
      op.output = add_activation(out, window_shape(in, pool.rows, pool.columns, in.channels));
    } else if (const auto binary = binary_named(op_kind_)) {
      read_binary(fields, op, *binary, out);
    } else if (const auto unary = unary_named(op_kind_)) {
      op.kind = Unary{.kind = *unary};
      const Quantization& quantization = *unary == UnaryKind::logistic ? kProbabilities : kActivations;
      op.output = add_activation(out, tensor(op.inputs[0]).shape, quantization);
    } else if (op_kind_ == "relu" || op_kind_ == "relu6") {
      op.kind = Clamp{activation_named(op_kind_)};
      op.output = add_activation(out, tensor(op.inputs[0]).shape);
    } else if (op_kind_ == "concat") {
      std::vector<std::int64_t> shape = tensor(op.inputs[0]).shape;
      shape.back() = 0;
      for (const TensorId input : op.inputs) shape.back() += tensor(input).shape.back();
      op.kind = Concat{.axis = static_cast<std::int64_t>(shape.size()) - 1};
      op.output = add_activation(out, std::move(shape));
    } else if (op_kind_ == "mean") {
      op.kind = Mean{};
      op.output = add_activation(out, {1, 1, 1, in.channels});
    } else if (op_kind_ == "softmax") {
      op.kind = Softmax{};
      op.output = add_activation(out, tensor(op.inputs[0]).shape, kProbabilities);
    } else if (op_kind_ == "resize_nearest") {
      const auto scale = fields.pair("scale");
      op.kind = ResizeNearest{};
      op.output = add_activation(out, {1, in.height * scale[0], in.width * scale[1], in.channels});
    } else {
      refuse(*complain("unknown operator", "one of networks/README.md"));
    }
  }

  void read_conv(Fields& fields, Op& op, const ImageShape& in, const std::string& out) {
    Conv2d conv;
    const std::int64_t channels = fields.count("channels");
    read_windows(fields, in, conv.rows, conv.columns);
    conv.groups = fields.count("groups", 1);
    if (in.channels % conv.groups != 0 || channels % conv.groups != 0) {
      refuse(*complain("groups that do not divide the channels", {}, fmt::format("{} groups", conv.groups)));
    }
    conv.activation = read_activation(fields);
    add_weights(fields, conv, out, {channels, conv.rows.kernel, conv.columns.kernel, in.channels / conv.groups},
                channels);
    op.kind = conv;
    op.output = add_activation(out, window_shape(in, conv.rows, conv.columns, channels));
  }

  void read_depthwise(Fields& fields, Op& op, const ImageShape& in, const std::string& out) {
    DepthwiseConv2d conv;
    read_windows(fields, in, conv.rows, conv.columns);
    conv.multiplier = fields.count("multiplier", 1);
    conv.activation = read_activation(fields);
    const std::int64_t channels = in.channels * conv.multiplier;
    add_weights(fields, conv, out, {1, conv.rows.kernel, conv.columns.kernel, channels}, channels);
    op.kind = conv;
    op.output = add_activation(out, window_shape(in, conv.rows, conv.columns, channels));
  }

  /// Of two tensors, or of one and a constant.
  void read_binary(Fields& fields, Op& op, BinaryKind kind, const std::string& out) {
    Binary binary{.kind = kind, .activation = read_activation(fields)};
    if (fields.has("constant")) {
      const std::string extent = fields.text("constant");
      if (extent != "scalar" && extent != "channels") {
        refuse(*complain("bad value of 'constant'", "scalar or channels", extent));
      }
      const std::int64_t scalars = extent == "scalar" ? 1 : image_shape(tensor(op.inputs[0])).channels;
      binary.constant = add_tensor(out + "/constant", {scalars}, kActivations);
      tensor(binary.constant).constant = true;
    }
    op.kind = binary;
    op.output = add_activation(out, broadcast_shape(op));
  }

  template <typename Kind>
  void add_weights(Fields& fields, Kind& kind, const std::string& name, std::vector<std::int64_t> shape,
                   std::int64_t channels) {
    kind.weights = add_tensor(name + "/weights", std::move(shape), kWeights);
    tensor(kind.weights).constant = true;
    if (!fields.flag("bias", true)) return;
    kind.bias = add_tensor(name + "/bias", {channels}, {});
    tensor(kind.bias).constant = true;
    tensor(kind.bias).type = DataType::int32;
  }

  Activation read_activation(Fields& fields) const {
    if (!fields.has("activation")) return Activation::none;
    return activation_named(fields.text("activation"));
  }

  Activation activation_named(const std::string& name) const {
    if (name == "relu") return Activation::relu;
    if (name == "relu6") return Activation::relu6;
    refuse(*complain("unknown activation", "relu or relu6", name));
  }

  void read_windows(Fields& fields, const ImageShape& in, Window& rows, Window& columns) const {
    const auto kernel = fields.pair("kernel"), stride = fields.pair("stride", 1), dilation = fields.pair("dilation", 1);
    rows = {.kernel = kernel[0], .stride = stride[0], .dilation = dilation[0]};
    columns = {.kernel = kernel[1], .stride = stride[1], .dilation = dilation[1]};
    for (const Window& w : {rows, columns}) {
      if (std::max({w.kernel, w.stride, w.dilation}) > kMaxWindow) {
        refuse(*complain("window out of range", fmt::format("extents up to {}", kMaxWindow)));
      }
    }
    if (!fields.has("pad")) return;
    if (fields.raw("pad").is_string()) {
      if (fields.text("pad") != "same")
        refuse(*complain("bad value of 'pad'", "\"same\" or numbers", fields.text("pad")));
      pad_same(rows, in.height);
      pad_same(columns, in.width);
      return;
    }
    const auto pads = fields.numbers("pad");
    if (pads.size() != 1 && pads.size() != 4) refuse(*complain("bad value of 'pad'", "[top, bottom, left, right]"));
    rows.pad_before = pads[0];
    rows.pad_after = pads[pads.size() == 1 ? 0 : 1];
    columns.pad_before = pads[pads.size() == 1 ? 0 : 2];
    columns.pad_after = pads[pads.size() == 1 ? 0 : 3];
  }

  static std::vector<std::int64_t> window_shape(const ImageShape& in, const Window& rows, const Window& columns,
                                                std::int64_t channels) {
    return {1, output_extent(rows, in.height), output_extent(columns, in.width), channels};
  }

  /// Extents of one stand for any other; what cannot be broadcast is found by the checks of the operator.
  std::vector<std::int64_t> broadcast_shape(const Op& op) {
    std::vector<std::int64_t> shape;
    for (const TensorId id : op.inputs) {
      const auto& own = tensor(id).shape;
      if (own.size() > shape.size()) shape.insert(shape.begin(), own.size() - shape.size(), 1);
      for (std::size_t back = 1; back <= own.size(); ++back) {
        std::int64_t& extent = shape[shape.size() - back];
        extent = std::max(extent, own[own.size() - back]);
      }
    }
    return shape;
  }

  std::string file_;
  Graph graph_;
  std::map<std::string, TensorId> ids_;  ///< activations by name
  int op_index_ = -1;
  std::string op_kind_;
};

}  // namespace

Graph import_json(std::string_view text, const std::string& file, const ImportOptions& options) {
  Graph graph = JsonImporter(file).run(text);
  return options.outputs.empty() ? graph : keep_outputs(std::move(graph), options.outputs);
}

}  // namespace ripc
