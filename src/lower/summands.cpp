#include "lower/summands.h"

#include "rip/requantize.h"

namespace ripc {
namespace {

std::vector<std::int32_t> summands(std::int32_t zero, std::int32_t multiplier, std::int32_t shift, std::int32_t sign) {
  std::vector<std::int32_t> values(256);
  for (std::int32_t x = -128; x < 128; ++x) {
    values[static_cast<std::uint8_t>(x)] = sign * rip_requantize((x - zero) * (1 << 20), multiplier, shift);
  }
  return values;
}

}  // namespace

std::optional<rip_add> scalar_sum(const LowerBuilder& b) {
  const auto* binary = std::get_if<Binary>(&b.op().kind);
  if (binary == nullptr || (binary->kind != BinaryKind::add && binary->kind != BinaryKind::subtract)) {
    return std::nullopt;
  }
  if (b.output().type != DataType::int8 || binary->constant != kNoTensor) return std::nullopt;
  for (const TensorId input : b.op().inputs) {
    if (element_count(b.tensor(input)) != element_count(b.output())) return std::nullopt;
  }
  LowerBuilder portable(b.graph(), b.op(), b.one_row());
  const KernelParams params = params_of(portable, *binary);
  return std::get<rip_add>(params);
}

std::vector<std::int32_t> left_summands(const rip_add& sum) {
  return summands(sum.zero0, sum.multiplier0, sum.shift0, 1);
}

std::vector<std::int32_t> right_summands(const rip_add& sum) {
  return summands(sum.zero1, sum.multiplier1, sum.shift1, sum.sign1);
}

}  // namespace ripc
