// Functions of one scalar, type by type.
#pragma once

#include "lower/builder.h"

namespace ripc {

KernelParams byte_unary(LowerBuilder& b, const Unary& unary);   ///< of int8
KernelParams wide_unary(LowerBuilder& b, const Unary& unary);   ///< of int16
KernelParams float_unary(LowerBuilder& b, const Unary& unary);  ///< of float32

/// 2^16 times the logistic function of i / 24, as the reference has it.
std::vector<std::uint16_t> logistic_table();

}  // namespace ripc
