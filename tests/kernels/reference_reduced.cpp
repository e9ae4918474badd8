// Operators that make one scalar of many: sums, extremes, norms.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "kernels/case_view.h"
#include "kernels/reference.h"

namespace ripc::test {
namespace {

class Reduced {
 public:
  explicit Reduced(const OpCase& op_case) : v_(op_case) {}

  template <typename Kind>
  Bytes run(const Kind& kind) {
    compute(kind);
    return std::move(v_.result);
  }

 private:
  /// visit(output index, input index) for every input scalar, in order.
  template <typename Visit>
  void for_each_reduced(const std::vector<int>& axes, Visit visit) const {
    for (std::int64_t index = 0; index < element_count(v_.in_tensor); ++index) {
      std::int64_t rest = index, output = 0, pitch = 1;
      for (auto axis = static_cast<int>(v_.in_tensor.shape.size()) - 1; axis >= 0; --axis) {
        const std::int64_t extent = v_.in_tensor.shape[static_cast<std::size_t>(axis)], at = rest % extent;
        rest /= extent;
        if (std::ranges::find(axes, axis) != axes.end()) continue;
        output += at * pitch;
        pitch *= extent;
      }
      visit(output, index);
    }
  }

  void compute(const Reduce& reduce) {
    const std::int64_t outputs = element_count(v_.out_tensor), count = element_count(v_.in_tensor) / outputs;
    const bool extreme = reduce.kind == ReduceKind::max || reduce.kind == ReduceKind::min;
    const std::int64_t sign = reduce.kind == ReduceKind::min ? -1 : 1;
    std::vector<std::int64_t> results(static_cast<std::size_t>(outputs), extreme ? -1000 : 0);
    for_each_reduced(reduce.axes, [&](std::int64_t output, std::int64_t index) {
      std::int64_t& result = results[static_cast<std::size_t>(output)];
      result = extreme ? std::max(result, sign * v_.in(index)) : result + v_.in(index)-v_.zero(v_.in_tensor);
    });
    const Multiplier whole = multiplier_of(v_.scale(v_.in_tensor) / v_.scale(v_.out_tensor));
    int k = 0;
    while ((std::int64_t{2} << k) <= count) ++k;
    k = std::min({k, 32, 31 + whole.s});
    const Multiplier mean{(whole.m * (std::int64_t{1} << k)) / count, whole.s - k};
    for (std::int64_t i = 0; i < outputs; ++i) {
      const std::int64_t result = results[static_cast<std::size_t>(i)];
      const Multiplier by = reduce.kind == ReduceKind::mean ? mean : whole;
      v_.put(i, extreme ? sign * result : v_.clamped(scaled(result, by) + v_.zero(v_.out_tensor)));
    }
  }

  void real_arg_extreme(const ArgExtreme& arg) {
    std::vector<float> best(static_cast<std::size_t>(element_count(v_.out_tensor)));
    std::vector<std::int32_t> found(best.size()), seen(best.size());
    for_each_reduced({arg.axis}, [&](std::int64_t output, std::int64_t index) {
      const auto at = static_cast<std::size_t>(output);
      if (seen[at] == 0 || (arg.largest ? v_.real(index) > best[at] : v_.real(index) < best[at])) {
        best[at] = v_.real(index);
        found[at] = seen[at];
      }
      ++seen[at];
    });
    std::memcpy(v_.result.data(), found.data(), v_.result.size());
  }

  void compute(const ArgExtreme& arg) {
    std::vector<std::int64_t> best(static_cast<std::size_t>(element_count(v_.out_tensor)), -1000);
    std::vector<std::int32_t> found(best.size()), seen(best.size());
    if (v_.in_tensor.type == DataType::float32) return real_arg_extreme(arg);
    for_each_reduced({arg.axis}, [&](std::int64_t output, std::int64_t index) {
      const auto at = static_cast<std::size_t>(output);
      const std::int64_t number = arg.largest ? v_.in(index) : -v_.in(index);
      if (number > best[at]) {
        best[at] = number;
        found[at] = seen[at];
      }
      ++seen[at];
    });
    std::memcpy(v_.result.data(), found.data(), v_.result.size());
  }

  /// As multiplier and right shift. Source: docs/arithmetic.md.
  static std::pair<std::int64_t, int> inverse_root(std::int64_t v) {
    if (v <= 1) return {std::numeric_limits<std::int32_t>::max(), 0};
    int right = 11;
    while (v >= std::int64_t{1} << 29) {
      v /= 4;
      ++right;
    }
    const int zeros = std::countl_zero(static_cast<std::uint32_t>(v)), k = (zeros - 1) / 2 - 1;
    right -= k;
    v *= std::int64_t{1} << (2 * k);
    const std::int64_t half = rounding_divide(v / 2, 1);
    std::int64_t x = std::int64_t{1} << 28;
    for (int i = 0; i < 5; ++i) {
      const std::int64_t cube = saturating_left(doubling_high(doubling_high(x, x), x), 6);
      x = saturating_left(doubling_high(402653184, x) - doubling_high(half, cube), 3);
    }
    x = doubling_high(x, 1518500250);
    if (right < 0) return {x * (std::int64_t{1} << -right), 0};
    return {x, right};
  }

  void compute(const L2Normalize&) {
    const std::int64_t channels = v_.in_image.channels;
    for (std::int64_t start = 0; start < element_count(v_.in_tensor); start += channels) {
      std::int64_t squares = 0;
      for (std::int64_t i = start; i < start + channels; ++i)
        squares += (v_.in(i)-v_.zero(v_.in_tensor)) * (v_.in(i)-v_.zero(v_.in_tensor));
      const auto [m, right] = inverse_root(squares);
      for (std::int64_t i = start; i < start + channels; ++i) {
        v_.put(i, v_.clamped(scaled(v_.in(i)-v_.zero(v_.in_tensor), {m, 7 - right})));
      }
    }
  }

  CaseView v_;
};

}  // namespace

Bytes reduced_reference(const OpCase& op_case, const Reduce& kind) { return Reduced(op_case).run(kind); }
Bytes reduced_reference(const OpCase& op_case, const ArgExtreme& kind) { return Reduced(op_case).run(kind); }
Bytes reduced_reference(const OpCase& op_case, const L2Normalize& kind) { return Reduced(op_case).run(kind); }

}  // namespace ripc::test
