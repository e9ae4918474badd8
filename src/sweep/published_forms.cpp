#include "sweep/published_forms.h"

#include <algorithm>

#include "debt/herringbone.h"
#include "debt/published.h"

namespace ripc {
namespace {

using Gap = std::optional<std::int64_t>;

constexpr Configuration kPaddedGathered{Direction::row_forward, Layout::padded, kGathered};
constexpr Configuration kPaddedDirect{Direction::row_forward, Layout::padded, kDirect};
constexpr Configuration kDenseGathered{Direction::row_forward, Layout::dense, kGathered};
constexpr Configuration kDenseDirect{Direction::row_forward, Layout::dense, kDirect};

/// The restrictions under which the herringbone of Gural and Murmann is defined: everything square, no stride.
bool is_square(const Layer& layer) {
  return layer.rows == layer.columns && layer.in_height == layer.in_width && layer.rows.stride == 1 &&
         layer.rows.dilation == 1;
}

/// The published forms of convolutions know neither groups nor scalars of other than one byte.
bool is_plain(const Layer& layer) { return layer.groups == 1 && layer.in_scalar == 1 && layer.out_scalar == 1; }

bool is_pooling(const Layer& layer) {
  return layer.groups == layer.in_channels && layer.out_channels == layer.in_channels && layer.in_scalar == 1 &&
         layer.out_scalar == 1;
}

template <auto form>
Gap if_square(const Layer& layer) {
  return is_plain(layer) && is_square(layer) ? Gap(form(layer)) : std::nullopt;
}

template <auto form>
Gap if_plain(const Layer& layer) {
  return is_plain(layer) ? Gap(form(layer)) : std::nullopt;
}

template <Theorem13 text, bool direct>
Gap theorem_13(const Layer& layer) {
  return if_plain<[](const Layer& plain) {
    return dense_breakpoint_gap(plain, direct ? plain.out_channels : 0, text);
  }>(layer);
}

template <bool direct>
Gap theorem_4(const Layer& layer) {
  return if_plain<[](const Layer& plain) { return nine_breakpoint_gap(plain, direct ? plain.out_channels : 0); }>(
      layer);
}

Gap pooling(const Layer& layer) {
  if (!is_pooling(layer)) return std::nullopt;
  return std::max(published_pooling_bytes(layer), out_bytes(layer)) - in_bytes(layer);
}

}  // namespace

const std::array<PublishedForm, 10> kPublishedForms{{
    {"Eq. 1, herringbone", {}, if_square<gural_murmann_gap>},
    {"Corollary 1, herringbone", {}, if_square<corrected_gural_murmann_gap>},
    {"Theorem 11, herringbone", {}, if_plain<herringbone_gap>},
    {"Theorem 4, gathered", kPaddedGathered, theorem_4<false>},
    {"Theorem 4, direct", kPaddedDirect, theorem_4<true>},
    {"Theorem 13 printed, gathered", kDenseGathered, theorem_13<Theorem13::printed, false>},
    {"Theorem 13 printed, direct", kDenseDirect, theorem_13<Theorem13::printed, true>},
    {"Theorem 13 repaired, gathered", kDenseGathered, theorem_13<Theorem13::repaired, false>},
    {"Theorem 13 repaired, direct", kDenseDirect, theorem_13<Theorem13::repaired, true>},
    {"I.1, pooling", kDenseGathered, pooling},
}};

std::int64_t truth_of(const PublishedForm& form, const LayerAnswers& answers) {
  return form.configuration ? answers.of(*form.configuration).gap : answers.herringbone;
}

}  // namespace ripc
