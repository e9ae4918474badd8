// Sums and differences of two int8 tensors without a product: see rip_add_table. The reference rounds the product of
// the summands' sum; a sum of rounded products of the summands has the same floor unless it lies next to where an
// output begins, and whether one of the 65,536 sums does is tried out.
#include "lower/table_add.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "lower/summands.h"
#include "rip/requantize.h"

namespace ripc {
namespace {

using Table = std::vector<std::int32_t>;

struct Tables {
  Table left, right;
  std::int32_t shift = 0;
};

std::int32_t reference(const rip_add& sum, std::int32_t summands) {
  const std::int32_t scaled = rip_requantize(summands, sum.out_multiplier, sum.out_shift);
  return rip_clamp(scaled + sum.out_zero, sum.act_min, sum.act_max);
}

/// Bits after the point for which no sum needs more than 32 bits; negative: there are none.
std::int32_t bits_for(const Table& left, const Table& right, double factor, std::int32_t zero) {
  const auto largest = [&](const Table& summands) {
    const auto [least, most] = std::ranges::minmax(summands);
    return factor * std::max(std::abs(double{1} * least), std::abs(double{1} * most));
  };
  const double widest = largest(left) + largest(right) + std::abs(zero) + 2;
  return 30 - std::ilogb(widest);
}

Table scaled(const Table& summands, double factor, std::int64_t addend) {
  Table result;
  for (const std::int32_t summand : summands) {
    result.push_back(static_cast<std::int32_t>(std::llround(factor * summand) + addend));
  }
  return result;
}

bool is_exact(const Tables& tables, const Table& expected, const rip_add& sum) {
  for (std::size_t a = 0; a < 256; ++a) {
    for (std::size_t b = 0; b < 256; ++b) {
      const std::int32_t y = (tables.left[a] + tables.right[b]) >> tables.shift;
      if (rip_clamp(y, sum.act_min, sum.act_max) != expected[256 * a + b]) return false;
    }
  }
  return true;
}

std::optional<Tables> tables_of(const rip_add& sum) {
  const Table left = left_summands(sum), right = right_summands(sum);
  const double factor = std::ldexp(sum.out_multiplier, sum.out_shift - 31);
  const std::int32_t bits = bits_for(left, right, factor, sum.out_zero);
  if (bits < 1) return std::nullopt;
  Table expected;
  for (const std::int32_t l : left) {
    for (const std::int32_t r : right) expected.push_back(reference(sum, l + r));
  }
  // The reference rounds halves away from zero, a floor up: a little stretched, they lie on the right side.
  constexpr std::array kStretches{0.0, 0x1p-24, 0x1p-22, 0x1p-20, 0x1p-18, 0x1p-16, 0x1p-14, 0x1p-12};
  const std::int64_t addend = (std::int64_t{sum.out_zero} << bits) + (std::int64_t{1} << (bits - 1));
  for (const double stretch : kStretches) {
    const double unit = std::ldexp(factor * (1 + stretch), bits);
    Tables tables{.left = scaled(left, unit, addend), .right = scaled(right, unit, 0), .shift = bits};
    if (is_exact(tables, expected, sum)) return tables;
  }
  return std::nullopt;
}

}  // namespace

bool table_add_fits(const Graph& graph, const Op& op) {
  const std::optional<rip_add> sum = scalar_sum(LowerBuilder(graph, op, false));
  return sum && tables_of(*sum);
}

rip_add_table table_add(LowerBuilder& b) {
  const std::optional<rip_add> sum = scalar_sum(b);
  const std::optional<Tables> tables = sum ? tables_of(*sum) : std::nullopt;
  if (!tables) throw std::logic_error("an operator that rip_add_table_row cannot run");
  return {.table0 = b.array("table0", tables->left),
          .table1 = b.array("table1", tables->right),
          .channels = sum->channels,
          .shift = tables->shift,
          .act_min = sum->act_min,
          .act_max = sum->act_max};
}

}  // namespace ripc
