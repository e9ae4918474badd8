#include <algorithm>
#include <cstdlib>
#include <limits>

#include "lower/m0.h"
#include "rip/requantize.h"

namespace ripc {
namespace {

/// Bits of the factor that the kernels multiply by at a time.
constexpr int kPart = 10;

/// Up to this shift to the right the factor keeps all its bits.
constexpr std::int32_t kExactShift = 13;

/// The output that the reference makes of a sum; it never falls where the sum rises.
struct Reference {
  FixedPoint factor;
  std::int32_t zero = 0;
  StoredRange range;

  std::int32_t before_activation(std::int64_t sum) const {
    return rip_requantize(static_cast<std::int32_t>(sum), factor.multiplier, factor.shift) + zero;
  }
  std::int32_t operator()(std::int64_t sum) const { return rip_clamp(before_activation(sum), range.min, range.max); }

  /// The least sum in [least, most] whose output is `output` or more.
  std::int64_t first(std::int32_t output, std::int64_t least, std::int64_t most) const {
    while (least < most) {
      const std::int64_t middle = least + (most - least) / 2;
      if ((*this)(middle) >= output) {
        most = middle;
      } else {
        least = middle + 1;
      }
    }
    return least;
  }
};

std::int32_t wrapped(std::int64_t value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(value)));
}

}  // namespace

std::optional<std::array<std::int32_t, RIP_M0_OUTPUT>> m0_output(const FixedPoint& factor, const SumRange& sums,
                                                                 std::int32_t out_zero, const StoredRange& activation) {
  constexpr std::int64_t kMost32 = std::numeric_limits<std::int32_t>::max();
  const std::int64_t widest = std::max(-sums.least, sums.most);
  if (factor.multiplier < 0 || widest > kMost32 >> std::max(factor.shift, 0)) return std::nullopt;
  const Reference reference{factor, out_zero, activation};
  const std::int32_t lowest = reference(sums.least), highest = reference(sums.most);
  if (lowest == highest) return {{0, 0, 0, 0, 0, wrapped(std::int64_t{lowest} << 24), 0}};

  const std::int64_t least = reference.first(lowest + 1, sums.least, sums.most) - 1;
  const std::int64_t most = reference.first(highest, sums.least, sums.most);
  // A step of more than one may leap over the limit.
  if (reference.before_activation(least) != lowest || reference.before_activation(most) != highest) return std::nullopt;
  // The output is floor((sum * multiplier + halves) / 2^(31 + e)) for a shift e to the right, here in units of 2^-24.
  const std::int32_t e = -factor.shift;
  const std::int64_t scaled = e <= kExactShift ? std::int64_t{factor.multiplier} << (kExactShift - e)
                                               : std::int64_t{factor.multiplier} >> (e - kExactShift);
  constexpr std::int64_t kMask = (1 << kPart) - 1;
  const std::int64_t top = scaled >> (2 * kPart);
  if (top > kMost32 || std::max(-least, most) >= std::int64_t{1} << (31 - kPart)) return std::nullopt;
  const std::int64_t unit = e > 0 && e <= 24 ? std::int64_t{1} << (24 - e) : 0;  // what the last bit is worth
  const std::int64_t addend = (std::int64_t{1} << 23) + unit / 2 + (std::int64_t{out_zero} << 24);
  const std::array<std::int32_t, RIP_M0_OUTPUT> words{static_cast<std::int32_t>(least),
                                                      static_cast<std::int32_t>(most),
                                                      static_cast<std::int32_t>(scaled & kMask),
                                                      static_cast<std::int32_t>(scaled >> kPart & kMask),
                                                      static_cast<std::int32_t>(top),
                                                      wrapped(addend),
                                                      static_cast<std::int32_t>(unit)};
  if (e <= kExactShift) return words;
  // Bits are lost: exact only if no output begins at another sum.
  for (std::int32_t output = lowest + 1; output <= highest; ++output) {
    const std::int64_t begin = reference.first(output, least, most);
    for (const std::int64_t sum : {begin - 1, begin}) {
      if (rip_m0_output(static_cast<std::int32_t>(sum), words.data()) != reference(sum)) return std::nullopt;
    }
  }
  return words;
}

}  // namespace ripc
