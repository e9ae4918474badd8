// The separable term of a gap: what one axis of a layer contributes. A gap is a term of the rows, a term of the
// columns, and what the order of taps writes within a pixel; docs/theory.md derives it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "ripc/layer.h"

namespace ripc {

/// Bytes that writes run ahead of reads, or nothing where nothing is read. Nothing is less than every number, so
/// std::max of two debts is the debt of both together; nothing plus anything is nothing.
class Debt {
 public:
  constexpr Debt() = default;
  constexpr Debt(std::int64_t bytes) : bytes_(bytes) {}  // NOLINT(google-explicit-constructor): every number is a debt

  constexpr std::optional<std::int64_t> bytes() const {
    return bytes_ == kNothing ? std::nullopt : std::optional(bytes_);
  }
  friend constexpr bool operator<(Debt a, Debt b) { return a.bytes_ < b.bytes_; }
  friend constexpr Debt operator+(Debt a, Debt b) {
    return a.bytes_ == kNothing || b.bytes_ == kNothing ? Debt() : Debt(a.bytes_ + b.bytes_);
  }

 private:
  static constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();
  std::int64_t bytes_ = kNothing;
};

/// Bytes from one index of an axis to the next: for rows a whole row of pixels, for columns a pixel.
struct AxisBytes {
  std::int64_t out = 0;
  std::int64_t in = 0;
};

/// The debt of one axis, the first output apart from the others: before the very first pixel of a layer nothing is
/// written.
struct AxisDebt {
  Debt first;  ///< of output 0
  Debt rest;   ///< the largest of outputs 1, 2, ...

  Debt all() const { return std::max(first, rest); }
};

/// The largest of i * bytes.out - phi(i) * bytes.in over the outputs i of an axis, phi(i) being the first of the
/// `extent` inputs that output i reads; outputs that read none do not count. Any padding, also negative; bytes.out must
/// not be negative. O(min(kernel, dilation / gcd(stride, dilation))).
AxisDebt axis_debt(const Window& window, std::int64_t extent, AxisBytes bytes);

/// The same where output i reads input map[i] first, or none if that is below 0. O(length of the map).
AxisDebt axis_debt(std::span<const std::int64_t> map, AxisBytes bytes);

}  // namespace ripc
