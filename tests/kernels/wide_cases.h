// Cases of int8 turned into the same operators of wider types.
#pragma once

#include "kernels/cases.h"

namespace ripc::test {

/// Activations, weights and bias of binary32.
OpCase as_float(OpCase op_case, Random& random);

/// Activations of int16 with zero point 0; a bias of 64 bits, or of 32 where the reference has sums of 32 bits.
OpCase as_int16(OpCase op_case, Random& random);

}  // namespace ripc::test
