// Sums and differences of two int8 tensors with a table for each: see rip_add_dsp.
#include <optional>
#include <stdexcept>

#include "lower/dsp.h"
#include "rip/requantize.h"

namespace ripc {
namespace {

/// From here on the addend might overflow.
constexpr std::int32_t kMostShift = 22;

/// The parameters of the portable kernel, if both operands are read scalar by scalar from the arena.
std::optional<rip_add> sum_of(const LowerBuilder& b) {
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
  const auto& sum = std::get<rip_add>(params);
  if (sum.out_shift >= 0 || -sum.out_shift > kMostShift) return std::nullopt;
  return sum;
}

/// Twice what each scalar adds to the sum, by its bits.
std::vector<std::int32_t> table_of(std::int32_t zero, std::int32_t multiplier, std::int32_t shift, std::int32_t sign) {
  std::vector<std::int32_t> table(256);
  for (std::int32_t x = -128; x < 128; ++x) {
    const std::int32_t scaled = rip_requantize((x - zero) * (1 << 20), multiplier, shift);
    table[static_cast<std::uint8_t>(x)] = 2 * sign * scaled;
  }
  return table;
}

}  // namespace

bool dsp_add_fits(const Graph& graph, const Op& op) { return sum_of(LowerBuilder(graph, op, false)).has_value(); }

rip_add_dsp dsp_add(LowerBuilder& b) {
  const std::optional<rip_add> sum = sum_of(b);
  if (!sum) throw std::logic_error("an operator that rip_add_dsp_row cannot run");
  const std::int32_t shift = -sum->out_shift;
  return {.table0 = b.array("table0", table_of(sum->zero0, sum->multiplier0, sum->shift0, 1)),
          .table1 = b.array("table1", table_of(sum->zero1, sum->multiplier1, sum->shift1, sum->sign1)),
          .channels = sum->channels,
          .multiplier = sum->out_multiplier,
          .addend = (1 << (shift - 1)) + sum->out_zero * (1 << shift),
          .shift = shift,
          .act_min = sum->act_min,
          .act_max = sum->act_max};
}

}  // namespace ripc
