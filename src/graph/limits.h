// Bounds within which every size and multiplier of the compiler and of the kernels is exact.
#pragma once

#include <cstdint>

namespace ripc {

/// Bytes of one tensor: offsets on the device are 32-bit and signed.
inline constexpr std::int64_t kMaxTensorBytes = INT32_MAX;

/// Pixels of a kernel, stride, dilation or pad of a convolution or a pool.
inline constexpr std::int64_t kMaxWindow = 4096;

/// Axes of a tensor.
inline constexpr std::size_t kMaxRank = 8;

/// Rows and columns of an image that is resized: its tables are of 16 bits.
inline constexpr std::int64_t kMaxResized = UINT16_MAX;

/// Entries of a table that is made from the shapes alone: rows to broadcast, offsets of mirrored padding.
inline constexpr std::int64_t kMaxTable = 1 << 20;

/// Bytes of all that survives between runs. A few bytes of a file can ask for any number.
inline constexpr std::int64_t kMaxStateBytes = 1 << 26;

}  // namespace ripc
