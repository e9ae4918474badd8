// What the lowerings of all operators share: access to tensors, arrays for flash, and faults with their context.
#pragma once

#include <cstddef>
#include <cstring>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lower/lower.h"
#include "lower/quantize.h"
#include "ripc/error.h"

namespace ripc {

class LowerBuilder {
 public:
  /// `one_row`: the kernel sees all pixels as one row. `kernel`: its name, where the parameters depend on it.
  LowerBuilder(const Graph& graph, const Op& op, bool one_row, std::string kernel = {})
      : graph_(graph), op_(op), one_row_(one_row), kernel_(std::move(kernel)) {}

  const std::string& kernel() const { return kernel_; }

  const Tensor& tensor(TensorId id) const { return graph_.tensors[static_cast<std::size_t>(id)]; }
  const Tensor& input(std::size_t i = 0) const { return tensor(op_.inputs.at(i)); }
  const Tensor& output() const { return tensor(op_.output); }

  /// Pixels of an input row as the kernel sees it.
  std::int32_t in_width() const {
    const Layer layer = layer_of(graph_, op_);
    return narrow(one_row_ ? layer.in_height * layer.in_width : layer.in_width);
  }

  bool one_row() const { return one_row_; }

  std::int32_t out_channels() const { return narrow(image_shape(output()).channels); }

  /// Of a tensor that has one scale, which validate() asks of every activation.
  static float scale(const Tensor& t) { return t.quantization.scale.at(0); }
  static std::int32_t zero(const Tensor& t) { return t.quantization.zero_point.at(0); }

  [[noreturn]] void fail(std::string problem, std::string expected = {}, std::string found = {},
                         const Tensor* t = nullptr, std::string remedy = {}) const {
    throw Error({.fault = Fault::model,
                 .file = {},
                 .op_index = op_.source,
                 .op_kind = kind_name(op_),
                 .tensor = t != nullptr ? t->name : std::string(),
                 .problem = std::move(problem),
                 .expected = std::move(expected),
                 .found = std::move(found),
                 .remedy = std::move(remedy)});
  }

  std::int32_t narrow(std::int64_t value) const {
    if (std::in_range<std::int32_t>(value)) return static_cast<std::int32_t>(value);
    fail("a size that does not fit 32 bits", {}, std::to_string(value));
  }

  /// The scalars of a constant.
  template <typename T>
  std::vector<T> values(const Tensor& constant) const {
    const auto count = static_cast<std::size_t>(element_count(constant));
    if (constant.data.size() != count * sizeof(T)) {
      fail("a constant without data", std::to_string(count * sizeof(T)) + " bytes",
           std::to_string(constant.data.size()) + " bytes", &constant,
           "Networks without weights can be planned, not compiled or run.");
    }
    std::vector<T> result(count);
    std::memcpy(result.data(), constant.data.data(), constant.data.size());
    return result;
  }

  /// Puts an array into flash; the pointer stays valid for the life of the constants.
  template <typename T>
  const T* array(const std::string& role, const std::vector<T>& scalars) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(scalars));
    constants_.push_back({.role = role, .type = type_of<T>(), .data = {bytes.begin(), bytes.end()}});
    return reinterpret_cast<const T*>(constants_.back().data.data());
  }

  /// Puts the values of a constant into flash as they are.
  const std::int8_t* bytes(const std::string& role, const Tensor& constant) {
    switch (constant.type) {
      case DataType::float32:
        return reinterpret_cast<const std::int8_t*>(array(role, values<float>(constant)));
      case DataType::int32:
        return reinterpret_cast<const std::int8_t*>(array(role, values<std::int32_t>(constant)));
      case DataType::int16:
        return reinterpret_cast<const std::int8_t*>(array(role, values<std::int16_t>(constant)));
      case DataType::uint32:
        return reinterpret_cast<const std::int8_t*>(array(role, values<std::int32_t>(constant)));
      case DataType::int64:
      case DataType::uint64:
        return reinterpret_cast<const std::int8_t*>(array(role, values<std::int64_t>(constant)));
      default:
        return array(role, values<std::int8_t>(constant));
    }
  }

  std::deque<Constant> take_constants() { return std::move(constants_); }

  const Graph& graph() const { return graph_; }
  const Op& op() const { return op_; }

 private:
  template <typename T>
  static const char* type_of() {
    if constexpr (std::is_same_v<T, std::int8_t>) return "int8_t";
    if constexpr (std::is_same_v<T, std::int16_t>) return "int16_t";
    if constexpr (std::is_same_v<T, std::uint16_t>) return "uint16_t";
    if constexpr (std::is_same_v<T, std::int32_t>) return "int32_t";
    if constexpr (std::is_same_v<T, std::int64_t>) return "int64_t";
    if constexpr (std::is_same_v<T, float>) return "float";
  }

  const Graph& graph_;
  const Op& op_;
  bool one_row_;
  std::string kernel_;
  std::deque<Constant> constants_;
};

/// The parameters of each kind of operator. Arrays go to the builder.
KernelParams params_of(LowerBuilder& builder, const Conv2d& conv);
KernelParams params_of(LowerBuilder& builder, const FullyConnected& connected);
KernelParams params_of(LowerBuilder& builder, const DepthwiseConv2d& conv);
KernelParams params_of(LowerBuilder& builder, const Pool2d& pool);
KernelParams params_of(LowerBuilder& builder, const Mean& mean);
KernelParams params_of(LowerBuilder& builder, const Pad& pad);
KernelParams params_of(LowerBuilder& builder, const ResizeNearest& resize);
KernelParams params_of(LowerBuilder& builder, const Concat& concat);
KernelParams params_of(LowerBuilder& builder, const Cast& cast);
KernelParams params_of(LowerBuilder& builder, const Unary& unary);
KernelParams params_of(LowerBuilder& builder, const Binary& binary);
KernelParams params_of(LowerBuilder& builder, const Rearrange& move);
KernelParams params_of(LowerBuilder& builder, const Softmax& softmax);
KernelParams params_of(LowerBuilder& builder, const Quantize& quantize);
KernelParams params_of(LowerBuilder& builder, const Dequantize& dequantize);
KernelParams params_of(LowerBuilder& builder, const Clamp& clamp);
KernelParams params_of(LowerBuilder& builder, const ResizeBilinear& resize);
KernelParams params_of(LowerBuilder& builder, const TransposeConv2d& conv);
KernelParams params_of(LowerBuilder& builder, const Reduce& reduce);
KernelParams params_of(LowerBuilder& builder, const ArgExtreme& arg);
KernelParams params_of(LowerBuilder& builder, const L2Normalize& normalize);
KernelParams params_of(LowerBuilder& builder, const Copy& copy);
KernelParams params_of(LowerBuilder& builder, const Svdf& svdf);
KernelParams params_of(LowerBuilder& builder, const Lstm& lstm);
KernelParams params_of(LowerBuilder& builder, const Signal& signal);
KernelParams params_of(LowerBuilder& builder, const Load& load);

/// The input index of each output index along an axis; fails where it does not fit the table's type.
std::vector<std::uint16_t> nearest_table(const LowerBuilder& builder, std::int64_t in, std::int64_t out,
                                         const ResizeNearest& resize);

/// The two input indices of each output index along an axis, one after the other.
std::vector<std::uint16_t> bilinear_table(const LowerBuilder& builder, std::int64_t in, std::int64_t out,
                                          const ResizeBilinear& resize);

}  // namespace ripc
