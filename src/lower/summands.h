// Sums and differences of two int8 tensors, read scalar by scalar: what each scalar adds to the sum.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lower/builder.h"

namespace ripc {

/// The parameters of the portable kernel for an ADD or SUB of int8 whose operands are both read scalar by scalar from
/// the arena; nothing for another operator.
std::optional<rip_add> scalar_sum(const LowerBuilder& b);

/// [256] what a scalar of an operand adds to the sum, by its bits as an unsigned byte.
std::vector<std::int32_t> left_summands(const rip_add& sum);
std::vector<std::int32_t> right_summands(const rip_add& sum);

}  // namespace ripc
