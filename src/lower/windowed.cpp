// Pooling, MEAN, PAD and the resizes.
#include <cmath>
#include <cstring>

#include "graph/resize.h"
#include "lower/builder.h"

namespace ripc {

KernelParams params_of(LowerBuilder& b, const Pool2d& pool) {
  if (b.input().type == DataType::float32) {
    const RealRange range = real_range(pool.activation);
    return rip_pool_f32{.in_width = b.in_width(),
                        .channels = b.out_channels(),
                        .kernel_h = b.narrow(pool.rows.kernel),
                        .kernel_w = b.narrow(pool.columns.kernel),
                        .stride_w = b.narrow(pool.columns.stride),
                        .pad_w = b.narrow(pool.columns.pad_before),
                        .act_min = range.min,
                        .act_max = range.max};
  }
  if (std::abs(b.scale(b.input()) - b.scale(b.output())) > 1e-6F || b.zero(b.input()) != b.zero(b.output())) {
    b.fail("input and output of pooling with unequal quantisation");
  }
  const StoredRange range = activation_range(pool.activation, b.output().type, b.scale(b.output()), b.zero(b.output()));
  return rip_pool_s8{.in_width = b.in_width(),
                     .channels = b.out_channels(),
                     .kernel_h = b.narrow(pool.rows.kernel),
                     .kernel_w = b.narrow(pool.columns.kernel),
                     .stride_w = b.narrow(pool.columns.stride),
                     .pad_w = b.narrow(pool.columns.pad_before),
                     .act_min = range.min,
                     .act_max = range.max};
}

KernelParams params_of(LowerBuilder& b, const Mean&) {
  const ImageShape image = image_shape(b.input());
  const std::int64_t pixels = image.height * image.width;
  if (b.input().type == DataType::float32) {
    return rip_mean_f32{.channels = b.out_channels(), .pixels = b.narrow(pixels)};
  }
  const double factor = static_cast<double>(b.scale(b.input())) / static_cast<double>(b.scale(b.output()));
  const FixedPoint fixed = mean_multiplier(factor, pixels);
  return rip_mean_s8{.channels = b.out_channels(),
                     .pixels = b.narrow(pixels),
                     .rows = b.narrow(image.height),
                     .offset = b.narrow(-b.zero(b.input()) * pixels),
                     .multiplier = fixed.multiplier,
                     .shift = fixed.shift,
                     .out_zero = b.zero(b.output())};
}

KernelParams params_of(LowerBuilder& b, const Pad& pad) {
  const auto scalar = static_cast<std::int64_t>(scalar_bytes(b.input().type));
  std::vector<std::int8_t> fill(static_cast<std::size_t>(scalar), 0);
  if (!pad.fill.empty()) {
    std::memcpy(fill.data(), pad.fill.data(), fill.size());
  } else if (!b.output().quantization.zero_point.empty()) {
    const auto zero = std::int64_t{b.zero(b.output())};
    std::memcpy(fill.data(), &zero, fill.size());  // little endian, as tensors are
  }
  return rip_pad{.in_width = b.in_width(),
                 .pad_w = b.narrow(pad.before[1]),
                 .pixel_bytes = b.narrow(image_shape(b.input()).channels * scalar),
                 .before_bytes = b.narrow(pad.before[2] * scalar),
                 .after_bytes = b.narrow(pad.after[2] * scalar),
                 .scalar_bytes = b.narrow(scalar),
                 .fill = b.array("fill", fill)};
}

KernelParams params_of(LowerBuilder& b, const ResizeNearest& resize) {
  const ImageShape in = image_shape(b.input()), out = image_shape(b.output());
  const auto scalar = static_cast<std::int64_t>(scalar_bytes(b.input().type));
  return rip_resize_nearest{.columns = b.array("column_map", nearest_table(b, in.width, out.width, resize)),
                            .pixel_bytes = b.narrow(in.channels * scalar)};
}

KernelParams params_of(LowerBuilder& b, const ResizeBilinear& resize) {
  const ImageShape in = image_shape(b.input()), out = image_shape(b.output());
  if (b.input().type == DataType::float32) {
    const auto parts = [&](std::int64_t from, std::int64_t to) {
      std::vector<float> list;
      for (const BilinearTaps& taps : bilinear_map(from, to, resize, true)) list.push_back(taps.part);
      return list;
    };
    return rip_resize_bilinear_f32{.columns = b.array("column_map", bilinear_table(b, in.width, out.width, resize)),
                                   .column_fraction = b.array("column_fraction", parts(in.width, out.width)),
                                   .row_fraction = b.array("row_fraction", parts(in.height, out.height)),
                                   .channels = b.out_channels()};
  }
  const auto fractions = [&](std::int64_t from, std::int64_t to) {
    std::vector<std::int16_t> list;
    for (const BilinearTaps& taps : bilinear_map(from, to, resize, false)) {
      list.push_back(static_cast<std::int16_t>(taps.fraction));
    }
    return list;
  };
  return rip_resize_bilinear_s8{.columns = b.array("column_map", bilinear_table(b, in.width, out.width, resize)),
                                .column_fraction = b.array("column_fraction", fractions(in.width, out.width)),
                                .row_fraction = b.array("row_fraction", fractions(in.height, out.height)),
                                .channels = b.out_channels()};
}

std::vector<std::uint16_t> bilinear_table(const LowerBuilder& b, std::int64_t in, std::int64_t out,
                                          const ResizeBilinear& resize) {
  if (!std::in_range<std::uint16_t>(in)) b.fail("image too large to resize", "at most 65535", std::to_string(in));
  std::vector<std::uint16_t> table;
  const bool real = b.input().type == DataType::float32;
  for (const BilinearTaps& taps : bilinear_map(in, out, resize, real)) {
    table.push_back(static_cast<std::uint16_t>(taps.first));
    table.push_back(static_cast<std::uint16_t>(taps.second));
  }
  return table;
}

std::vector<std::uint16_t> nearest_table(const LowerBuilder& b, std::int64_t in, std::int64_t out,
                                         const ResizeNearest& resize) {
  if (!std::in_range<std::uint16_t>(in)) b.fail("image too large to resize", "at most 65535", std::to_string(in));
  std::vector<std::uint16_t> table;
  for (const std::int64_t index : nearest_map(in, out, resize)) table.push_back(static_cast<std::uint16_t>(index));
  return table;
}

}  // namespace ripc
