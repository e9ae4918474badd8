// Constants in the types that a file may store and that no kernel reads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "graph/complaint.h"

namespace ripc {

/// IEEE 754 binary16 to binary32, exactly; both little endian.
std::vector<std::byte> widen_float16(std::span<const std::byte> halves);

/// `count` signed numbers of 4 bits, two a byte and the low half first, as bytes.
std::vector<std::byte> unpack_int4(std::span<const std::byte> packed, std::size_t count);

/// Makes a quantised constant float32: scale * (stored - zero point), rounded once. A float32 constant stays as it is.
Complaint dequantize(Tensor& constant);

}  // namespace ripc
