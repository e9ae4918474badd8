#include "graph/checks.h"

#include <fmt/format.h>

#include <cmath>

namespace ripc {

Complaint type_fault(const Tensor& tensor, const std::string& expected) {
  Complaint fault = complain("unsupported type", expected, type_name(tensor.type), tensor.name);
  if (tensor.type == DataType::uint8) {
    fault->remedy = "uint8 is the quantisation of old converters: convert the model anew, with int8.";
  }
  return fault;
}

Complaint one_scale_fault(const Tensor& tensor) {
  const auto& scale = tensor.quantization.scale;
  if (scale.size() != 1) {
    return complain("activation without quantisation for the whole tensor", "one scale and zero point",
                    fmt::format("{} scales", scale.size()), tensor.name);
  }
  if (scale[0] > 0.0F) return {};
  return complain("bad scale of an activation", "a number above 0", fmt::format("{}", scale[0]), tensor.name);
}

Complaint scale_fault(const Tensor& tensor) {
  if (Complaint fault = one_scale_fault(tensor)) return fault;
  const std::int32_t zero = tensor.quantization.zero_point[0];
  if (tensor.type != DataType::int16 || zero == 0) return {};
  return complain("asymmetric int16", "zero point 0", fmt::format("{}", zero), tensor.name);
}

Complaint multiplier_fault(double value) {
  int shift = 0;  // value = m * 2^shift, 0.5 <= m < 1
  std::frexp(value, &shift);
  if (std::isfinite(value) && shift < 31) return {};
  return complain("scales too far apart", {}, fmt::format("a ratio of {}", value));
}

Complaint limit_fault(float value, const Tensor& tensor) {
  const float scale = tensor.quantization.scale[0];
  if (value / scale < 1e9F) return {};
  return complain("scale too small for the activation", {}, fmt::format("{}", scale), tensor.name);
}

Complaint activation_fault(Activation limits, const Tensor& output) {
  return limits == Activation::none ? Complaint{} : limit_fault(6.0F, output);
}

}  // namespace ripc
