// FNV-1a, the checksum of plans, graphs and tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ripc {

inline constexpr std::uint64_t kFnv64Start = 0xcbf29ce484222325U;
inline constexpr std::uint32_t kFnv32Start = 0x811c9dc5U;

/// FNV-1a 64 of `bytes`, continued from `state`.
constexpr std::uint64_t fnv1a64(std::span<const std::byte> bytes, std::uint64_t state = kFnv64Start) {
  for (const std::byte byte : bytes) state = (state ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3U;
  return state;
}

/// FNV-1a 32 of `bytes`, continued from `state`.
constexpr std::uint32_t fnv1a32(std::span<const std::byte> bytes, std::uint32_t state = kFnv32Start) {
  for (const std::byte byte : bytes) state = (state ^ std::to_integer<std::uint32_t>(byte)) * 0x01000193U;
  return state;
}

}  // namespace ripc
