// The reference's own conversions from real scales to integers, done once by the compiler.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace ripc {

/// A real factor as multiplier * 2^(shift - 31), the multiplier zero or in [2^30, 2^31).
struct FixedPoint {
  std::int32_t multiplier = 0;
  std::int32_t shift = 0;  ///< to the left; negative: to the right

  bool operator==(const FixedPoint&) const = default;
};

/// Nearest fixed-point form of a factor; factors below 2^-32 become zero.
FixedPoint quantize_multiplier(double factor);

/// An interval of stored values, both ends included.
struct StoredRange {
  std::int32_t min = 0;
  std::int32_t max = 0;

  bool operator==(const StoredRange&) const = default;
};

/// What an integer type of up to 32 bits can store.
StoredRange type_range(DataType type);

/// What a tensor stores after an activation: the type's range cut at the activation's limits, each rounded in binary32.
StoredRange activation_range(Activation activation, DataType type, float scale, std::int32_t zero_point);

/// An interval of binary32: the limits of an activation, or all finite numbers.
struct RealRange {
  float min = 0.0F;
  float max = 0.0F;
};
RealRange real_range(Activation activation);

/// The factor of a mean over `count` values: `factor` divided by the count in integers, so that only one rounding
/// remains.
FixedPoint mean_multiplier(double factor, std::int64_t count);

/// Softmax in fixed point: (x - largest x) * beta * scale as Q5.26, and the difference from which on its exponential is
/// zero.
struct SoftmaxScale {
  FixedPoint factor;
  std::int32_t diff_min = 0;
};
SoftmaxScale softmax_scale(float beta, float scale);

/// A function on [least, most] as 513 values in Q0.15, equally far apart but for rounding, each moved by half of what
/// linear interpolation would be wrong by in the middle of its interval.
std::vector<std::int16_t> interpolation_table(float least, float most, float (*function)(float));

}  // namespace ripc
