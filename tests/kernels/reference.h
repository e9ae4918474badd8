// The reference arithmetic of every operator, written from its description alone: no kernel, no lowering, no row.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/cases.h"

namespace ripc::test {

/// floor((a * b + 2^30) / 2^31), held to 32 bits.
std::int64_t doubling_high(std::int64_t a, std::int64_t b);

/// x / 2^bits to nearest, halves away from zero.
std::int64_t rounding_divide(std::int64_t x, int bits);

/// x * multiplier * 2^(shift - 31) with both of the reference's roundings.
std::int64_t scaled(std::int64_t x, std::int64_t multiplier, int shift);

/// 2^16 times the logistic function of i / 24 as the reference's table has it, which is not everywhere the nearest.
std::int64_t logistic_point(std::int64_t i);

/// The output of a Unary, a Binary or a Cast, byte for byte.
Bytes elementwise_reference(const OpCase& op_case);

/// The output of an operator from binary32 to binary32; nothing if it only moves scalars.
std::optional<Bytes> float_reference(const OpCase& op_case);

/// The output of a Signal.
Bytes signal_reference(const OpCase& op_case);

/// The output of the operator, byte for byte.
Bytes reference(const OpCase& op_case);

}  // namespace ripc::test
