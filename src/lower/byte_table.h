// Functions of one byte, as the tables that the compiler makes of them.
#pragma once

#include <bit>
#include <string>
#include <vector>

#include "lower/builder.h"
#include "rip/requantize.h"

namespace ripc {

/// One entry for each byte that a tensor of an 8-bit type can hold, by its bits.
template <typename T, typename Function>
std::vector<T> table_of(DataType type, Function function) {
  std::vector<T> entries;
  entries.reserve(256);
  for (std::int32_t bits = 0; bits < 256; ++bits) {
    entries.push_back(function(type == DataType::uint8 || bits < 128 ? bits : bits - 256));
  }
  return entries;
}

inline std::int8_t byte_of(std::int32_t value) { return std::bit_cast<std::int8_t>(static_cast<std::uint8_t>(value)); }

/// The parameters of a function from byte to byte.
template <typename Function>
KernelParams byte_table(LowerBuilder& b, Function function) {
  const auto entry = [&](std::int32_t x) { return byte_of(function(x)); };
  return rip_table_s8{.table = b.array("table", table_of<std::int8_t>(b.input().type, entry)),
                      .channels = b.out_channels()};
}

/// clamp((x - in_zero) * factor + out_zero) as a table.
inline KernelParams rescaling(LowerBuilder& b, double factor, StoredRange range) {
  const FixedPoint fixed = quantize_multiplier(factor);
  // (x - in_zero) << shift is done in 32 bits.
  if (fixed.shift > 22) b.fail("scales too far apart", "a ratio below 2^22", std::to_string(factor), &b.output());
  return byte_table(b, [&](std::int32_t x) {
    const std::int32_t y = rip_requantize(x - b.zero(b.input()), fixed.multiplier, fixed.shift);
    return rip_clamp(y + b.zero(b.output()), range.min, range.max);
  });
}

}  // namespace ripc
