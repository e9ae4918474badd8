// One axis of a picture: which values it spans, how they are spread, and where a reader finds round ones.
#pragma once

#include <cstdint>
#include <vector>

namespace ripc {

/// What counts as a round number: 1, 2, 5, 10, 20 ... or the powers of two, which bytes are written in.
enum class RoundNumbers { decimal, binary };

struct Axis {
  bool logarithmic = false;
  double low = 0, high = 1;                ///< the values at its ends; low > 0 if logarithmic
  std::vector<std::int64_t> ticks{};       ///< rising, at least two if any value is above 0
  double place(std::int64_t value) const;  ///< 0 at `low`, 1 at `high`
};

/// An axis that shows all of `values`, none of which is negative: from 0 on, or logarithmic where the largest is ten
/// times the least or more and the least is not 0.
Axis axis_of(const std::vector<std::int64_t>& values, RoundNumbers round);

}  // namespace ripc
