#include "kernels/cases.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "graph/movement.h"
#include "kernels/case_builder.h"
#include "kernels/wide_cases.h"

namespace ripc::test {
namespace {

/// A window and an extent that it fits.
struct Axis {
  Window window;
  std::int64_t in = 1, out = 1;
};

Axis random_axis(Random& r, std::int64_t most_padding, std::int64_t most_dilation) {
  for (;;) {
    Axis axis;
    axis.window = {.kernel = r.number(1, 5),
                   .stride = r.chance(60) ? 1 : r.number(2, 3),
                   .dilation = r.chance(70) ? 1 : r.number(1, most_dilation)};
    const std::int64_t most = std::min(most_padding, axis.window.kernel - 1);
    axis.window.pad_before = most_padding > 5 ? r.number(0, most_padding) : r.number(0, most);
    axis.window.pad_after = most_padding > 5 ? r.number(0, most_padding) : r.number(0, most);
    axis.in = r.number(1, 9);
    axis.out = output_extent(axis.window, axis.in);
    if (axis.out >= 1 && axis.out <= 12) return axis;
  }
}

OpCase make_convolution(Random& r, const Axis& rows, const Axis& columns, std::int64_t groups, std::int64_t group_in,
                        std::int64_t group_out) {
  CaseBuilder b(r);
  const TensorId in = b.image({rows.in, columns.in, groups * group_in}, random_scale(r));
  Conv2d conv{.rows = rows.window, .columns = columns.window, .groups = groups, .activation = random_activation(r)};
  const std::int64_t channels = groups * group_out;
  conv.weights = b.weights({channels, rows.window.kernel, columns.window.kernel, group_in}, 0, r.chance(70));
  conv.bias = b.bias(channels);
  const std::int64_t taps = rows.window.kernel * columns.window.kernel * group_in;
  const TensorId out = b.image({rows.out, columns.out, channels}, b.scale_of_sum(in, conv.weights, taps));
  return b.finish(conv, {in}, out);
}

OpCase conv(Random& r) {
  const std::int64_t padding = r.chance(20) ? 8 : 4;
  return make_convolution(r, random_axis(r, padding, 3), random_axis(r, padding, 3), 1, r.number(1, 9),
                          r.number(1, 11));
}

OpCase grouped_conv(Random& r) {
  return make_convolution(r, random_axis(r, 4, 2), random_axis(r, 4, 2), r.number(2, 4), r.number(1, 4),
                          r.number(1, 6));
}

OpCase pointwise(Random& r) {
  Axis rows, columns;
  if (r.chance(20)) rows.window.stride = columns.window.stride = 2;
  rows.in = r.number(1, 6);
  columns.in = r.number(1, 7);
  rows.out = output_extent(rows.window, rows.in);
  columns.out = output_extent(columns.window, columns.in);
  return make_convolution(r, rows, columns, 1, r.number(1, 17), r.number(1, 19));
}

/// A kernel of some size, larger than its padding, over an extent of up to twice a block of any kernel.
Axis square_axis(Random& r, std::int64_t kernel) {
  for (;;) {
    Axis axis;
    axis.window = {.kernel = kernel, .stride = r.number(1, 2)};
    axis.window.pad_before = r.number(0, kernel - 1);
    axis.window.pad_after = r.number(0, kernel - 1);
    axis.in = r.number(1, 16);
    axis.out = output_extent(axis.window, axis.in);
    if (axis.out >= 1) return axis;
  }
}

OpCase make_depthwise(Random& r, std::int64_t multiplier, const Axis& rows, const Axis& columns) {
  CaseBuilder b(r);
  const std::int64_t channels = multiplier == 1 && r.chance(10) ? r.number(32, 40) : r.number(1, 13);
  const TensorId in = b.image({rows.in, columns.in, channels}, random_scale(r));
  DepthwiseConv2d conv{
      .rows = rows.window, .columns = columns.window, .multiplier = multiplier, .activation = random_activation(r)};
  conv.weights = b.weights({1, rows.window.kernel, columns.window.kernel, channels * multiplier}, 3, r.chance(70));
  conv.bias = b.bias(channels * multiplier);
  const std::int64_t taps = rows.window.kernel * columns.window.kernel;
  const TensorId out = b.image({rows.out, columns.out, channels * multiplier}, b.scale_of_sum(in, conv.weights, taps));
  return b.finish(conv, {in}, out);
}

OpCase depthwise(Random& r) {
  const std::int64_t padding = r.chance(20) ? 8 : 4;
  return make_depthwise(r, 1, random_axis(r, padding, 3), random_axis(r, padding, 3));
}
OpCase depthwise_square(Random& r) {
  const std::int64_t kernel = 2 * r.number(1, 3) + 1;
  return make_depthwise(r, 1, square_axis(r, kernel), square_axis(r, kernel));
}
/// Rows that are longer than RIP_SMALL_STACK has room for.
OpCase depthwise_wide(Random& r) {
  const std::int64_t kernel = 2 * r.number(1, 3) + 1;
  const Axis rows = square_axis(r, kernel);
  Axis columns = square_axis(r, kernel);
  columns.in = r.number(30, 80);
  columns.out = output_extent(columns.window, columns.in);
  return make_depthwise(r, 1, rows, columns);
}
OpCase depthwise_multiplied(Random& r) {
  return make_depthwise(r, r.number(2, 7), random_axis(r, 4, 3), random_axis(r, 4, 3));
}

OpCase fully_connected(Random& r) {
  CaseBuilder b(r);
  const std::int64_t vectors = r.chance(60) ? 1 : r.number(2, 5), features = r.number(1, 40), units = r.number(1, 19);
  const TensorId in = b.tensor({vectors, features}, random_scale(r));
  FullyConnected connected{.activation = random_activation(r)};
  connected.weights = b.weights({units, features}, 0, r.chance(30));
  connected.bias = b.bias(units);
  const TensorId out = b.tensor({vectors, units}, b.scale_of_sum(in, connected.weights, features));
  return b.finish(connected, {in}, out);
}

OpCase make_pool(Random& r, PoolKind kind) {
  CaseBuilder b(r);
  const Axis rows = random_axis(r, 4, 1), columns = random_axis(r, 4, 1);
  const std::int64_t channels = r.number(1, 9);
  const Quantization scale = random_scale(r);
  const TensorId in = b.image({rows.in, columns.in, channels}, scale);
  const TensorId out = b.image({rows.out, columns.out, channels}, scale);
  return b.finish(
      Pool2d{.kind = kind, .rows = rows.window, .columns = columns.window, .activation = random_activation(r)}, {in},
      out);
}

OpCase average_pool(Random& r) { return make_pool(r, PoolKind::average); }
OpCase max_pool(Random& r) { return make_pool(r, PoolKind::max); }

OpCase mean(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  const float scale = r.real(0.01F, 0.2F);
  const TensorId in = b.image(image, one_scale(scale, r.number(-20, 20)));
  // A mean is about so much smaller than what it is made of.
  const float shrink = std::sqrt(static_cast<float>(image.height * image.width));
  const float out_scale = scale / shrink * std::exp2(r.real(-1.0F, 2.0F));
  const TensorId out = b.tensor({1, image.channels}, one_scale(out_scale, r.number(-128, 127)));
  return b.finish(Mean{}, {in}, out);
}

OpCase make_pad(Random& r, DataType type, bool filled) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  Pad pad;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i == 2 && r.chance(60)) continue;
    pad.before[i] = r.number(0, 3);
    pad.after[i] = r.number(0, 3);
  }
  const Quantization scale = type == DataType::int8 ? random_scale(r) : Quantization{};
  for (std::size_t i = 0; filled && i < scalar_bytes(type); ++i) {
    pad.fill.push_back(static_cast<std::byte>(r.number(0, 255)));
  }
  const TensorId in = b.image(image, scale, type);
  const TensorId out = b.image({image.height + pad.before[0] + pad.after[0], image.width + pad.before[1] + pad.after[1],
                                image.channels + pad.before[2] + pad.after[2]},
                               scale, type);
  return b.finish(pad, {in}, out);
}

OpCase pad(Random& r) { return make_pad(r, DataType::int8, false); }
OpCase filled_pad(Random& r) {
  return make_pad(r, r.chance(50) ? DataType::int8 : r.chance(50) ? DataType::int16 : DataType::float32, true);
}

OpCase make_softmax(Random& r, DataType to) {
  CaseBuilder b(r);
  const ImageShape image{1, r.number(1, 4), r.chance(80) ? r.number(1, 24) : r.number(25, 700)};
  const TensorId in = b.image(image, one_scale(std::exp2(r.real(-12.0F, 2.0F)), r.number(-128, 127)));
  const bool widens = to == DataType::int16;
  const TensorId out = b.image(image, widens ? one_scale(1.0F / 65536.0F, -32768) : one_scale(1.0F / 256.0F, -128), to);
  return b.finish(Softmax{r.real(0.5F, 2.0F)}, {in}, out);
}

OpCase softmax(Random& r) { return make_softmax(r, DataType::int8); }
OpCase softmax_s8_s16(Random& r) { return make_softmax(r, DataType::int16); }

DataType random_byte_type(Random& r) { return r.chance(50) ? DataType::int8 : DataType::uint8; }

std::int64_t random_zero(Random& r, DataType type) {
  return type == DataType::int8 ? r.number(-128, 127) : r.number(0, 255);
}

/// Of int16: softmax makes the least, other operators only 0.
std::int64_t random_wide_zero(Random& r) { return r.chance(70) ? 0 : r.chance(50) ? -32768 : r.number(-32768, 32767); }

OpCase requantize(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  const DataType from = random_byte_type(r), to = random_byte_type(r);
  const TensorId in = b.image(image, one_scale(r.real(0.01F, 0.2F), random_zero(r, from)), from);
  const TensorId out = b.image(image, one_scale(r.real(0.01F, 0.2F), random_zero(r, to)), to);
  return b.finish(Quantize{}, {in}, out);
}

OpCase quantize(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  const DataType to = random_byte_type(r);
  const TensorId in = b.image(image, {}, DataType::float32);
  const TensorId out = b.image(image, one_scale(r.real(0.005F, 0.05F), random_zero(r, to)), to);
  return b.finish(Quantize{}, {in}, out);
}

OpCase dequantize(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  const DataType from = random_byte_type(r);
  const TensorId in = b.image(image, one_scale(r.real(0.01F, 0.2F), random_zero(r, from)), from);
  const TensorId out = b.image(image, {}, DataType::float32);
  return b.finish(Dequantize{}, {in}, out);
}

/// Between integers of which at least one has more than a byte.
OpCase rescale(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  constexpr DataType kTypes[] = {DataType::int8, DataType::int16, DataType::int32};
  const auto from = static_cast<std::size_t>(r.number(0, 2));
  const auto to = static_cast<std::size_t>(from == 0 ? r.number(1, 2) : r.number(0, 2));
  // A number of the input's type about fills the output's, unless its shift to the left would not fit 32 bits.
  const auto bits = [](std::size_t type) { return static_cast<float>(8U << type); };
  const float ratio = std::exp2(std::max(bits(from) - bits(to), bits(from) - 28.0F) + r.real(0.0F, 2.0F));
  const auto zero = [&](std::size_t type) {
    return type == 0 ? r.number(-128, 127) : type == 1 ? random_wide_zero(r) : 0;
  };
  const TensorId in = b.image(image, one_scale(0.001F, zero(from)), kTypes[from]);
  const TensorId out = b.image(image, one_scale(0.001F * ratio, zero(to)), kTypes[to]);
  return b.finish(Quantize{}, {in}, out);
}

OpCase quantize_s16(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  const TensorId in = b.image(image, {}, DataType::float32);
  const TensorId out = b.image(image, one_scale(r.real(0.00005F, 0.001F), random_wide_zero(r)), DataType::int16);
  return b.finish(Quantize{}, {in}, out);
}

OpCase dequantize_s16(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  const TensorId in = b.image(image, one_scale(r.real(0.0001F, 0.2F), random_wide_zero(r)), DataType::int16);
  const TensorId out = b.image(image, {}, DataType::float32);
  return b.finish(Dequantize{}, {in}, out);
}

OpCase resize(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  const Quantization scale = random_scale(r);
  const TensorId in = b.image(image, scale);
  const TensorId out = b.image({r.number(1, 12), r.number(1, 12), image.channels}, scale);
  const std::int64_t mode = r.number(0, 2);
  return b.finish(ResizeNearest{.align_corners = mode == 1, .half_pixel_centers = mode == 2}, {in}, out);
}

OpCase clamp(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  const TensorId in = b.image(image, random_scale(r));
  const TensorId out = b.image(image, random_scale(r));
  return b.finish(Clamp{static_cast<Activation>(r.number(1, 2))}, {in}, out);
}

/// Along any axis; every input at the output's scale, or some at their own.
OpCase make_concat(Random& r, bool rescaled) {
  CaseBuilder b(r);
  const DataType wide = r.chance(50) ? DataType::float32 : DataType::int16;
  const DataType type = rescaled ? random_byte_type(r) : r.chance(70) ? DataType::int8 : wide;
  const auto rank = static_cast<std::size_t>(r.number(1, 4)), axis = static_cast<std::size_t>(r.number(0, 3)) % rank;
  std::vector<std::int64_t> shape;
  for (std::size_t i = 0; i < rank; ++i) shape.push_back(r.number(1, 5));
  const bool quantized = type == DataType::int8 || type == DataType::uint8;
  const Quantization scale = quantized ? one_scale(r.real(0.01F, 0.2F), random_zero(r, type)) : Quantization{};
  std::vector<TensorId> inputs;
  std::int64_t sum = 0;
  for (std::int64_t count = r.number(1, 12); count > 0; --count) {
    shape[axis] = r.number(1, 5);
    sum += shape[axis];
    const bool own = rescaled && r.chance(60);
    inputs.push_back(b.tensor(shape, own ? one_scale(r.real(0.01F, 0.2F), random_zero(r, type)) : scale, type));
  }
  shape[axis] = sum;
  const TensorId out = b.tensor(shape, scale, type);
  return b.finish(Concat{.axis = static_cast<std::int64_t>(axis)}, inputs, out);
}

/// Any affine move that stays inside of its input, or with listed offsets. Few read a scalar twice: those may come
/// closer than the rule says, for what they write over may be the very scalar that they copy.
OpCase rearrange(Random& r) {
  CaseBuilder b(r);
  const DataType type = r.chance(70) ? DataType::int8 : r.chance(50) ? DataType::int16 : DataType::float32;
  Rearrange move{.name = "TRANSPOSE", .start = 0, .axes = {}};
  std::vector<std::int64_t> shape;
  std::int64_t stride = 1, scalars = 1, most = 0;
  for (std::int64_t rank = r.number(1, 4); rank > 0; --rank) {
    const std::int64_t factor = r.chance(80) ? 1 : r.chance(90) ? 2 : 0;
    AxisMap axis{.extent = r.number(1, 5), .stride = stride * factor, .offsets = {}};
    if (r.chance(20)) {  // another order, or every other index
      for (std::int64_t i = 0; i < axis.extent; ++i) axis.offsets.push_back((axis.extent - i) * axis.stride);
    } else if (r.chance(20)) {
      move.start += (axis.extent - 1) * axis.stride;
      axis.stride = -axis.stride;
    }
    most += axis.offsets.empty() ? std::max<std::int64_t>(0, (axis.extent - 1) * axis.stride)
                                 : *std::ranges::max_element(axis.offsets);
    stride *= factor == 1 && axis.offsets.empty() ? axis.extent : 2 * axis.extent + 1;
    scalars *= axis.extent;
    shape.push_back(axis.extent);
    move.axes.push_back(std::move(axis));
  }
  // Outermost first, or in any other order.
  for (std::size_t i = move.axes.size(); i-- > 1;) {
    const auto j = r.chance(50) ? move.axes.size() - 1 - i : static_cast<std::size_t>(r.number(0, 3)) % (i + 1);
    std::swap(move.axes[i], move.axes[j]);
  }
  if (blocks_of(move).count == 1 && r.chance(90)) return rearrange(r);  // a single block may be moved anywhere
  move.start += r.number(0, 6);
  const TensorId in = b.tensor({move.start + most + 1 + r.number(0, 6)}, {}, type);
  const TensorId out = b.tensor({scalars}, {}, type);
  return b.finish(move, {in}, out);
}

OpCase concat(Random& r) { return make_concat(r, false); }
OpCase concat_rescaled(Random& r) { return make_concat(r, true); }

/// An operator of int8 as one of binary32, or of int16.
template <OpCase (*make)(Random&)>
OpCase f32(Random& r) {
  return as_float(make(r), r);
}
template <OpCase (*make)(Random&)>
OpCase s16(Random& r) {
  return as_int16(make(r), r);
}

std::vector<Family> other_families() {
  return {{"conv", conv},
          {"concat", concat},
          {"rearrange", rearrange},
          {"concat_rescaled", concat_rescaled},
          {"grouped_conv", grouped_conv},
          {"pointwise", pointwise},
          {"depthwise", depthwise},
          {"depthwise_square", depthwise_square},
          {"depthwise_wide", depthwise_wide},
          {"depthwise_multiplied", depthwise_multiplied},
          {"fully_connected", fully_connected},
          {"average_pool", average_pool},
          {"max_pool", max_pool},
          {"mean", mean},
          {"pad", pad},
          {"filled_pad", filled_pad},
          {"softmax", softmax},
          {"softmax_s8_s16", softmax_s8_s16},
          {"requantize", requantize},
          {"quantize", quantize},
          {"dequantize", dequantize},
          {"resize", resize},
          {"clamp", clamp},
          {"conv_f32", f32<conv>},
          {"grouped_conv_f32", f32<grouped_conv>},
          {"depthwise_f32", f32<depthwise>},
          {"depthwise_multiplied_f32", f32<depthwise_multiplied>},
          {"fully_connected_f32", f32<fully_connected>},
          {"average_pool_f32", f32<average_pool>},
          {"max_pool_f32", f32<max_pool>},
          {"mean_f32", f32<mean>},
          {"softmax_f32", f32<softmax>},
          {"resize_f32", f32<resize>},
          {"conv_s16", s16<conv>},
          {"grouped_conv_s16", s16<grouped_conv>},
          {"depthwise_s16", s16<depthwise>},
          {"depthwise_multiplied_s16", s16<depthwise_multiplied>},
          {"fully_connected_s16", s16<fully_connected>},
          {"average_pool_s16", s16<average_pool>},
          {"max_pool_s16", s16<max_pool>},
          {"mean_s16", s16<mean>},
          {"softmax_s16", s16<softmax>},
          {"resize_s16", s16<resize>},
          {"rescale", rescale},
          {"quantize_s16", quantize_s16},
          {"dequantize_s16", dequantize_s16}};
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = [] {
    std::vector<Family> result = other_families();
    const std::vector<Family> elementwise = elementwise_families();
    result.insert(result.end(), elementwise.begin(), elementwise.end());
    const std::vector<Family> reduced = reduced_families(), stateful = stateful_families();
    const std::vector<Family> signal = signal_families();
    result.insert(result.end(), signal.begin(), signal.end());
    result.insert(result.end(), reduced.begin(), reduced.end());
    result.insert(result.end(), stateful.begin(), stateful.end());
    return result;
  }();
  return all;
}

Bytes random_bytes(const Tensor& tensor, Random& random, bool every_size) {
  const std::size_t size = scalar_bytes(tensor.type);
  Bytes bytes(static_cast<std::size_t>(byte_count(tensor)));
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    std::int64_t whole = 0;
    for (std::size_t i = 0; i < size; ++i) whole = whole * 256 + random.number(i == 0 ? -128 : 0, i == 0 ? 127 : 255);
    if (every_size && random.chance(60)) whole >>= random.number(0, static_cast<std::int64_t>(8 * size) - 1);
    const float large = every_size ? std::exp2(static_cast<float>(random.number(0, 20))) : 25.0F;
    const float real = random.real(-4.0F, 4.0F) * (random.chance(every_size ? 60 : 90) ? 1.0F : large);
    std::memcpy(bytes.data() + at, tensor.type == DataType::float32 ? static_cast<const void*>(&real) : &whole, size);
  }
  return bytes;
}

void randomise_inputs(OpCase& op_case, Random& random) {
  op_case.inputs.clear();
  const OpKind& kind = op_case.op().kind;
  const bool every_size = std::holds_alternative<Binary>(kind) || std::holds_alternative<Cast>(kind) ||
                          std::holds_alternative<Signal>(kind);
  for (std::size_t i = 0; i < op_case.op().inputs.size(); ++i) {
    const Tensor& tensor = op_case.input(i);
    const std::vector<float>& scale = op_case.output().quantization.scale;
    Bytes bytes = random_bytes(tensor, random, every_size);
    for (std::size_t at = 0; tensor.type == DataType::float32 && !scale.empty() && at < bytes.size(); at += 4) {
      if (random.chance(50)) continue;
      // Next to a tie, where the last bits count.
      float value = 0;
      std::memcpy(&value, bytes.data() + at, 4);
      value = (std::floor(value / scale[0]) + 0.5F) * scale[0];
      std::memcpy(bytes.data() + at, &value, 4);
    }
    if (std::holds_alternative<Signal>(kind) && tensor.type == DataType::int32) {
      bytes = {static_cast<std::byte>(random.number(0, 15)), {}, {}, {}};  // a shift
    }
    op_case.inputs.push_back(std::move(bytes));
  }
}

}  // namespace ripc::test
