// MEAN and SUM, REDUCE_MAX and REDUCE_MIN, ARG_MAX and ARG_MIN over any axes, and L2_NORMALIZATION.
#include "graph/reduction.h"
#include "lower/builder.h"

namespace ripc {
namespace {

Reduction axes_of(const LowerBuilder& b) {
  const auto axes = reduction_of(b.graph(), b.op());
  if (!axes) b.fail("axes that cannot be reduced together");
  return *axes;
}

rip_extreme_s8 extreme(const LowerBuilder& b, bool largest) {
  const Reduction axes = axes_of(b);
  return {.outer = b.narrow(axes.outer),
          .first = b.narrow(axes.first),
          .middle = b.narrow(axes.middle),
          .second = b.narrow(axes.second),
          .inner = b.narrow(axes.inner),
          .largest = largest ? 1 : 0};
}

}  // namespace

KernelParams params_of(LowerBuilder& b, const Reduce& reduce) {
  if (reduce.kind == ReduceKind::max || reduce.kind == ReduceKind::min) {
    return extreme(b, reduce.kind == ReduceKind::max);
  }
  const Reduction axes = axes_of(b);
  if (b.input().type == DataType::float32) {
    return rip_sum_f32{.outer = b.narrow(axes.outer),
                       .first = b.narrow(axes.first),
                       .middle = b.narrow(axes.middle),
                       .second = b.narrow(axes.second),
                       .inner = b.narrow(axes.inner),
                       .divides = reduce.kind == ReduceKind::mean ? 1 : 0};
  }
  const std::int64_t count = axes.first * axes.second;
  const double factor = static_cast<double>(b.scale(b.input())) / static_cast<double>(b.scale(b.output()));
  const FixedPoint fixed =
      reduce.kind == ReduceKind::mean ? mean_multiplier(factor, count) : quantize_multiplier(factor);
  return rip_sum_s8{.outer = b.narrow(axes.outer),
                    .first = b.narrow(axes.first),
                    .middle = b.narrow(axes.middle),
                    .second = b.narrow(axes.second),
                    .inner = b.narrow(axes.inner),
                    .offset = b.narrow(-b.zero(b.input()) * count),
                    .multiplier = fixed.multiplier,
                    .shift = fixed.shift,
                    .out_zero = b.zero(b.output())};
}

KernelParams params_of(LowerBuilder& b, const ArgExtreme& arg) { return extreme(b, arg.largest); }

KernelParams params_of(LowerBuilder& b, const L2Normalize&) {
  const bool real = b.input().type == DataType::float32;
  return rip_l2_normalize_s8{.channels = b.out_channels(), .in_zero = real ? 0 : b.zero(b.input())};
}

}  // namespace ripc
