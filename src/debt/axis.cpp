#include "debt/axis.h"

#include <numeric>

namespace ripc {

namespace {

// Divisors are positive; C++ division rounds toward zero. A divisor of 1 is worth the branch: strides and dilations
// mostly are, and divisions are what a gap costs.
std::int64_t floor_div(std::int64_t a, std::int64_t b) { return b == 1 ? a : a / b - (a % b < 0 ? 1 : 0); }
std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return b == 1 ? a : a / b + (a % b > 0 ? 1 : 0); }

// `outputs` outputs, of which output i reads inputs i * stride + j * dilation - pad for 0 <= j < kernel, where they
// exist.
struct Axis {
  std::int64_t outputs, extent, kernel, stride, dilation, pad;
};

// The value of output i if its first stored tap is input x.
std::int64_t value(std::int64_t i, std::int64_t x, AxisBytes bytes) { return i * bytes.out - x * bytes.in; }

// Output i, given that its tap 0 lies before the input.
Debt leading_value(const Axis& axis, std::int64_t i, AxisBytes bytes) {
  const std::int64_t before = axis.pad - i * axis.stride;
  const std::int64_t tap = ceil_div(before, axis.dilation);
  const std::int64_t x = tap * axis.dilation - before;
  if (tap >= axis.kernel || x >= axis.extent) return {};
  return value(i, x, bytes);
}

// Outputs below `end`, whose tap 0 lies before the input. Outputs whose first stored tap is the same input are a period
// of dilation / gcd(stride, dilation) apart, and the last of them has written most: one look at each of the last
// `count` outputs is enough, if `count` is no less than the period.
Debt leading_by_residue(const Axis& axis, std::int64_t end, std::int64_t count, AxisBytes bytes) {
  Debt most;
  if (end <= 0) return most;
  const std::int64_t before = axis.pad - (end - 1) * axis.stride;
  std::int64_t tap = ceil_div(before, axis.dilation);
  std::int64_t x = tap * axis.dilation - before;
  // One output back, the taps start a stride further left.
  const std::int64_t taps = floor_div(axis.stride, axis.dilation);
  const std::int64_t rest = axis.stride - taps * axis.dilation;
  for (std::int64_t i = end - 1; i >= std::max<std::int64_t>(0, end - count); --i) {
    if (tap < axis.kernel && x < axis.extent) most = std::max(most, Debt(value(i, x, bytes)));
    tap += taps;
    x -= rest;
    if (x < 0) {
      x += axis.dilation;
      ++tap;
    }
  }
  return most;
}

// The same outputs, by the tap that is their first stored one: for each tap these are a range of outputs over which the
// value is affine, so its two ends are enough.
Debt leading_by_tap(const Axis& axis, std::int64_t end, AxisBytes bytes) {
  Debt most;
  std::int64_t before = end;  // outputs from here on have an earlier tap in the input
  for (std::int64_t tap = 1; tap < axis.kernel && before > 0; ++tap) {
    const std::int64_t offset = axis.pad - tap * axis.dilation;
    const std::int64_t enters = std::max<std::int64_t>(0, ceil_div(offset, axis.stride));
    std::int64_t last = before - 1;
    // Past the far end of the input the tap is not read; seldom so, and not worth a division everywhere.
    const std::int64_t far = axis.extent - 1 + offset;
    if (last * axis.stride > far) last = floor_div(far, axis.stride);
    before = std::min(before, enters);
    if (enters > last) continue;
    for (const std::int64_t i : {enters, last}) most = std::max(most, Debt(value(i, i * axis.stride - offset, bytes)));
  }
  return most;
}

Debt largest(const Axis& axis, AxisBytes bytes) {
  // From output `begin` on, tap 0 is stored or lies past the input; where it is stored it is the first, and the value
  // affine.
  const std::int64_t begin = std::max<std::int64_t>(0, ceil_div(axis.pad, axis.stride));
  const std::int64_t last = std::min(axis.outputs - 1, floor_div(axis.extent - 1 + axis.pad, axis.stride));
  Debt most;
  if (begin <= last) {
    for (const std::int64_t i : {begin, last}) {
      most = std::max(most, Debt(value(i, i * axis.stride - axis.pad, bytes)));
    }
  }
  const std::int64_t end = std::min(begin, axis.outputs);
  // The period is at most the dilation; only where there is more to look at than taps is it worth finding out.
  std::int64_t count = std::min(end, axis.dilation);
  if (count > axis.kernel) count = std::min(end, axis.dilation / std::gcd(axis.stride, axis.dilation));
  return std::max(
      most, count <= axis.kernel ? leading_by_residue(axis, end, count, bytes) : leading_by_tap(axis, end, bytes));
}

}  // namespace

AxisDebt axis_debt(const Window& window, std::int64_t extent, AxisBytes bytes) {
  Axis axis{output_extent(window, extent), extent, window.kernel, window.stride, window.dilation, window.pad_before};
  if (axis.outputs == 0) return {};
  AxisDebt debt;
  if (axis.pad > 0) {
    debt.first = leading_value(axis, 0, bytes);
  } else if (-axis.pad < extent) {
    debt.first = value(0, -axis.pad, bytes);
  }
  // The outputs after the first are the outputs of an axis that starts one stride further right.
  axis.outputs -= 1;
  axis.pad -= axis.stride;
  debt.rest = largest(axis, bytes) + bytes.out;
  return debt;
}

AxisDebt axis_debt(std::span<const std::int64_t> map, AxisBytes bytes) {
  AxisDebt debt;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] < 0) continue;
    Debt& slot = i == 0 ? debt.first : debt.rest;
    slot = std::max(slot, Debt(value(static_cast<std::int64_t>(i), map[i], bytes)));
  }
  return debt;
}

}  // namespace ripc
