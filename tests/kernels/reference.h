// The reference arithmetic of every operator, written from its description alone: no kernel, no lowering, no row.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/cases.h"

namespace ripc::test {

/// 2^16 times the logistic function of i / 24 as the reference's table has it, which is not everywhere the nearest.
std::int64_t logistic_point(std::int64_t i);

/// The output of a Unary, a Binary or a Cast, byte for byte.
Bytes elementwise_reference(const OpCase& op_case);

/// The output of an operator from binary32 to binary32; nothing if it only moves scalars.
std::optional<Bytes> float_reference(const OpCase& op_case);

/// The output of a Signal.
Bytes signal_reference(const OpCase& op_case);

/// The output of an operator that makes one scalar of many, byte for byte.
Bytes reduced_reference(const OpCase& op_case, const Reduce& kind);
Bytes reduced_reference(const OpCase& op_case, const ArgExtreme& kind);
Bytes reduced_reference(const OpCase& op_case, const L2Normalize& kind);

/// The output of an operator that keeps a state, byte for byte.
Bytes recurrent_reference(const OpCase& op_case, const Svdf& kind);
Bytes recurrent_reference(const OpCase& op_case, const Lstm& kind);

/// The output of the operator, byte for byte.
Bytes reference(const OpCase& op_case);

}  // namespace ripc::test
