// Bounds within which every size and multiplier of the compiler and of the kernels is exact.
#pragma once

#include <cstdint>

namespace ripc {

/// Bytes of one tensor: offsets on the device are 32-bit and signed.
inline constexpr std::int64_t kMaxTensorBytes = INT32_MAX;

/// Pixels of a kernel, stride, dilation or pad of a convolution or a pool.
inline constexpr std::int64_t kMaxWindow = 4096;

}  // namespace ripc
