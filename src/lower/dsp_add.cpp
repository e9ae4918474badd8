// Sums and differences of two int8 tensors with a table for each: see rip_add_dsp.
#include <optional>
#include <stdexcept>

#include "lower/dsp.h"
#include "lower/summands.h"

namespace ripc {
namespace {

/// From here on the addend might overflow.
constexpr std::int32_t kMostShift = 22;

/// The sum, if the kernel's form has room for it.
std::optional<rip_add> sum_of(const LowerBuilder& b) {
  std::optional<rip_add> sum = scalar_sum(b);
  if (!sum || sum->out_shift >= 0 || -sum->out_shift > kMostShift) return std::nullopt;
  return sum;
}

std::vector<std::int32_t> doubled(std::vector<std::int32_t> values) {
  for (std::int32_t& value : values) value *= 2;
  return values;
}

}  // namespace

bool dsp_add_fits(const Graph& graph, const Op& op) { return sum_of(LowerBuilder(graph, op, false)).has_value(); }

rip_add_dsp dsp_add(LowerBuilder& b) {
  const std::optional<rip_add> sum = sum_of(b);
  if (!sum) throw std::logic_error("an operator that rip_add_dsp_row cannot run");
  const std::int32_t shift = -sum->out_shift;
  return {.table0 = b.array("table0", doubled(left_summands(*sum))),
          .table1 = b.array("table1", doubled(right_summands(*sum))),
          .channels = sum->channels,
          .multiplier = sum->out_multiplier,
          .addend = (1 << (shift - 1)) + sum->out_zero * (1 << shift),
          .shift = shift,
          .act_min = sum->act_min,
          .act_max = sum->act_max};
}

}  // namespace ripc
