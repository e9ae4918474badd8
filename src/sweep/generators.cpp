#include "sweep/generators.h"

#include <algorithm>

namespace ripc {
namespace {

constexpr std::int64_t kMostChannels = 64;
constexpr std::int64_t kMostExtent = 128;

struct Axis {
  Window window;
  std::int64_t extent = 1;
};

/// As many outputs as asked for, the input no longer than about kMostExtent, and by chance up to stride - 1 inputs that
/// no output reaches. More outputs where the padding alone would make that many.
Axis axis(Random& random, const Window& window, std::int64_t least_outputs, std::int64_t most_outputs) {
  const std::int64_t reach = effective_kernel(window) - window.pad_before - window.pad_after;
  const std::int64_t room = std::max(least_outputs, (kMostExtent - reach) / window.stride + 1);
  const std::int64_t outputs = random.low(least_outputs, std::min(most_outputs, room));
  Axis result{window, (outputs - 1) * window.stride + reach + random.between(0, window.stride - 1)};
  while (result.extent < 1) result.extent += window.stride;
  return result;
}

/// An input of that extent, or the next longer one that makes an output.
Axis axis_of_extent(const Window& window, std::int64_t extent) {
  while (output_extent(window, extent) < 1) ++extent;
  return {window, extent};
}

Window window(std::int64_t kernel, std::int64_t pad = 0, std::int64_t stride = 1, std::int64_t dilation = 1) {
  return {kernel, stride, dilation, pad, pad};
}

/// No padding, or half the span of the kernel.
std::int64_t some_padding(Random& random, std::int64_t kernel, std::int64_t dilation = 1) {
  return random.coin() ? 0 : (kernel - 1) * dilation / 2;
}

Layer layer(const Axis& rows, const Axis& columns, std::int64_t in_channels, std::int64_t out_channels) {
  Layer result;
  result.rows = rows.window;
  result.columns = columns.window;
  result.in_height = rows.extent;
  result.in_width = columns.extent;
  result.in_channels = in_channels;
  result.out_channels = out_channels;
  return result;
}

Layer layer(Random& random, const Axis& rows, const Axis& columns) {
  const std::int64_t in_channels = random.low(1, kMostChannels);
  return layer(rows, columns, in_channels, random.low(1, kMostChannels));
}

/// One of the two axes the rows, by chance.
Layer turned_by_chance(Random& random, const Axis& one, const Axis& other) {
  return random.coin() ? layer(random, one, other) : layer(random, other, one);
}

Layer plain(Random& random) {
  const Axis side = axis(random, window(random.between(1, 7)), 1, 64);
  return layer(random, side, side);
}

Layer same_padding(Random& random) {
  const std::int64_t kernel = random.between(1, 7);
  const Axis side = axis(random, window(kernel, kernel / 2), 1, 96);
  return layer(random, side, side);
}

Layer strided(Random& random) {
  const std::int64_t kernel = random.between(1, 7);
  const Axis side = axis(random, window(kernel, random.between(0, kernel / 2), random.between(2, 4)), 1, 48);
  return layer(random, side, side);
}

Layer expansion(Random& random) {
  const Axis side = axis(random, window(1), 1, 64);
  const std::int64_t channels = random.low(1, 47);
  return layer(side, side, channels, 6 * channels);
}

Layer projection(Random& random) {
  const Axis side = axis(random, window(1), 1, 64);
  const std::int64_t channels = random.between(1, 192);
  return layer(side, side, channels, random.between(1, channels));
}

Layer collapsed_minor_axis(Random& random) {
  const std::int64_t kernel = random.between(1, 7);
  const Window both = window(kernel, random.between(0, (kernel - 1) / 2), random.between(1, 2));
  const Axis minor = axis(random, both, 1, 3);
  return turned_by_chance(random, minor, axis(random, both, 4, 96));
}

Layer small_herringbone_grid(Random& random) {
  const std::int64_t kernel = random.between(1, 7);
  const Window both = window(kernel, some_padding(random, kernel));
  const Axis rows = axis(random, both, 1, 6);
  return layer(random, rows, axis(random, both, 1, 6));
}

Layer small_output_grid(Random& random) {
  const std::int64_t kernel = random.between(1, 9);
  const Window both = window(kernel, 0, random.between(1, 4), random.between(1, 3));
  const Axis rows = axis(random, both, 1, 4);
  return layer(random, rows, axis(random, both, 1, 4));
}

Layer thin_axis(Random& random) {
  const std::int64_t kernel = random.between(1, 7);
  const Axis thin = axis(random, window(kernel, 0, random.between(1, 3)), 1, 1);
  const Axis wide = axis(random, window(kernel, some_padding(random, kernel), random.between(1, 3)), 1, 96);
  return turned_by_chance(random, thin, wide);
}

/// A square layer inside the restrictions of Gural and Murmann's form, with the leg x* = in * (kernel - 1) / growth on
/// its grid.
Layer critical_leg(Random& random, std::int64_t kernel, std::int64_t in_channels, std::int64_t growth) {
  const std::int64_t leg = in_channels * (kernel - 1) / growth;
  const Axis side = axis(random, window(kernel), leg + 1, leg + 24);
  return layer(side, side, in_channels, in_channels + growth);
}

Layer integer_critical_leg(Random& random) {
  const std::int64_t growth = random.low(1, 24);
  const std::int64_t kernel = random.between(2, 7);
  return critical_leg(random, kernel, growth * random.low(1, 4), growth);
}

Layer fractional_critical_leg(Random& random) {
  const std::int64_t kernel = random.between(2, 7);
  const std::int64_t in_channels = random.low(1, 32);
  std::int64_t growth = random.between(std::max<std::int64_t>(2, in_channels / 4), 64);
  while (in_channels * (kernel - 1) % growth == 0) ++growth;
  return critical_leg(random, kernel, in_channels, growth);
}

Layer random_symmetric(Random& random) {
  Window both = window(random.between(1, 7), 0, random.between(1, 4), random.between(1, 3));
  both.pad_before = both.pad_after = random.between(0, effective_kernel(both) - 1);
  const Axis side = axis(random, both, 1, 48);
  return layer(random, side, side);
}

/// Dilated taps that enter the input one after another, in an order that a row's position does not follow; often wider
/// than the input.
Layer non_monotone_taps(Random& random) {
  const auto side = [&random] {
    Window dilated = window(random.between(2, 4), 0, random.between(1, 3), random.between(2, 8));
    dilated.pad_before = dilated.pad_after = random.between(1, effective_kernel(dilated) - 1);
    return axis_of_extent(dilated, random.between(1, 16));
  };
  const Axis rows = side();
  return layer(random, rows, side());
}

/// Two different numbers from 1 to `most`.
std::array<std::int64_t, 2> two_of(Random& random, std::int64_t most) {
  const std::int64_t one = random.between(1, most);
  const std::int64_t other = random.between(1, most - 1);
  return {one, other < one ? other : other + 1};
}

Layer rectangular_kernel(Random& random) {
  const auto [height, width] = two_of(random, 9);
  const Axis rows = axis(random, window(height, some_padding(random, height)), 1, 48);
  return layer(random, rows, axis(random, window(width, some_padding(random, width)), 1, 48));
}

Layer dilated(Random& random) {
  const std::int64_t kernel = random.between(2, 5), dilation = random.between(2, 4);
  const Axis side = axis(random, window(kernel, some_padding(random, kernel, dilation), 1, dilation), 1, 48);
  return layer(random, side, side);
}

Layer asymmetric_stride(Random& random) {
  const std::int64_t kernel = random.between(1, 7);
  const std::int64_t pad = some_padding(random, kernel);
  const auto [down, across] = two_of(random, 4);
  const Axis rows = axis(random, window(kernel, pad, down), 1, 48);
  return layer(random, rows, axis(random, window(kernel, pad, across), 1, 48));
}

Layer asymmetric_dilation(Random& random) {
  const std::int64_t kernel = random.between(2, 5);
  const auto [down, across] = two_of(random, 4);
  const Axis rows = axis(random, window(kernel, some_padding(random, kernel, down), 1, down), 1, 48);
  return layer(random, rows, axis(random, window(kernel, some_padding(random, kernel, across), 1, across), 1, 48));
}

Window with_random_padding(Random& random, Window window) {
  window.pad_before = random.between(0, effective_kernel(window) - 1);
  window.pad_after = random.between(0, effective_kernel(window) - 1);
  return window;
}

Layer asymmetric_padding(Random& random) {
  const Window bare = window(random.between(2, 7), 0, random.between(1, 3));
  const Axis rows = axis(random, with_random_padding(random, bare), 1, 48);
  return layer(random, rows, axis(random, with_random_padding(random, bare), 1, 48));
}

Layer fully_asymmetric(Random& random) {
  const auto side = [&random] {
    const Window bare = window(random.between(1, 7), 0, random.between(1, 4), random.between(1, 3));
    return axis(random, with_random_padding(random, bare), 1, 48);
  };
  const Axis rows = side();
  return layer(random, rows, side());
}

Layer maximal_padding(Random& random) {
  Window both = window(random.between(2, 6), 0, random.between(1, 3), random.between(1, 2));
  both.pad_before = both.pad_after = effective_kernel(both) - 1;
  const Axis side = axis(random, both, 1, 48);
  return layer(random, side, side);
}

}  // namespace

const std::array<Generator, 20> kGenerators{{
    {1, "plain convolution, k in 1..7", 11, "plain", plain},
    {1, "same padding, p = floor(k/2)", 8, "same_padding", same_padding},
    {1, "strided downsampling", 6, "strided", strided},
    {1, "inverted-bottleneck expansion", 5, "expansion", expansion},
    {1, "projection, cout <= cin", 5, "projection", projection},
    {2, "collapsed minor axis, n in {1,2,3}", 9, "collapsed_minor_axis", collapsed_minor_axis},
    {2, "small herringbone grid, n <= 6", 7, "small_herringbone_grid", small_herringbone_grid},
    {2, "small output grid", 6, "small_output_grid", small_output_grid},
    {2, "thin axis, one output axis of 1", 6, "thin_axis", thin_axis},
    {2, "restricted regime, integer critical leg x*", 6, "integer_critical_leg", integer_critical_leg},
    {2, "random symmetric axes", 6, "random_symmetric", random_symmetric},
    {2, "non-integer critical leg x*", 5, "fractional_critical_leg", fractional_critical_leg},
    {3, "non-monotone tap order", 4, "non_monotone_taps", non_monotone_taps},
    {3, "rectangular kernel", 3, "rectangular_kernel", rectangular_kernel},
    {3, "dilation", 3, "dilated", dilated},
    {3, "asymmetric stride", 2, "asymmetric_stride", asymmetric_stride},
    {3, "asymmetric dilation", 2, "asymmetric_dilation", asymmetric_dilation},
    {3, "asymmetric padding", 2, "asymmetric_padding", asymmetric_padding},
    {3, "fully asymmetric", 2, "fully_asymmetric", fully_asymmetric},
    {3, "maximal padding", 2, "maximal_padding", maximal_padding},
}};

const Generator& generator_of(std::int64_t index) {
  // 37 has no divisor in common with 100, so a short sweep meets many kinds too.
  std::int64_t percent = index % 100 * 37 % 100;
  for (const Generator& generator : kGenerators) {
    percent -= generator.share;
    if (percent < 0) return generator;
  }
  return kGenerators.back();
}

Layer generated_layer(std::uint64_t seed, std::int64_t index) {
  // One stream of numbers a layer, so that layers can be made in any order; the seed is stirred before it is combined.
  Random random(Random(seed).next() + Random(~static_cast<std::uint64_t>(index)).next());
  const Layer layer = generator_of(index).make(random);
  check_layer(layer);
  return layer;
}

}  // namespace ripc
