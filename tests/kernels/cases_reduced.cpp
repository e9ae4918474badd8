// Bilinear resizing, transposed convolution, reductions over any axes, and normalised vectors.
#include "graph/complaint.h"
#include "kernels/case_builder.h"
#include "kernels/wide_cases.h"

namespace ripc::test {
namespace {

OpCase resize_bilinear(Random& r) {
  for (;;) {
    CaseBuilder b(r);
    const ImageShape image = random_image(r);
    const Quantization scale = random_scale(r);
    const TensorId in = b.image(image, scale);
    const TensorId out = b.image({r.number(1, 12), r.number(1, 12), image.channels}, scale);
    const std::int64_t mode = r.number(0, 2);
    OpCase made = b.finish(ResizeBilinear{.align_corners = mode == 1, .half_pixel_centers = mode == 2}, {in}, out);
    if (!fault_of(made.graph, made.op())) return made;
  }
}

OpCase transpose_conv(Random& r) {
  CaseBuilder b(r);
  TransposeConv2d conv;
  conv.activation = random_activation(r);
  const ImageShape image{r.number(1, 5), r.number(1, 6), r.number(1, 7)};
  std::vector<std::int64_t> extents;
  for (auto [window, in] : {std::pair{&conv.rows, image.height}, std::pair{&conv.columns, image.width}}) {
    window->kernel = r.number(1, 5);
    window->stride = r.chance(30) ? 1 : r.number(2, 3);
    window->pad_before = r.number(0, window->kernel - 1);
    const std::int64_t all = (in - 1) * window->stride + window->kernel - window->pad_before;
    // Models may cut the far side off, or ask for more than the input reaches.
    extents.push_back(std::max<std::int64_t>(1, all - r.number(-2, 2)));
  }
  const std::int64_t channels = r.number(1, 9);
  const TensorId in = b.image(image, random_scale(r));
  conv.weights = b.weights({channels, conv.rows.kernel, conv.columns.kernel, image.channels}, 0, r.chance(70));
  conv.bias = b.bias(channels);
  const TensorId out =
      b.image({extents[0], extents[1], channels}, b.scale_of_sum(in, conv.weights, image.channels * 2));
  return b.finish(conv, {in}, out);
}

OpCase transpose_conv_f32(Random& r) { return as_float(transpose_conv(r), r); }

/// With a bias of 64 bits, or none.
OpCase transpose_conv_s16(Random& r) {
  for (;;) {
    OpCase made = as_int16(transpose_conv(r), r);
    if (!fault_of(made.graph, made.op())) return made;
  }
}

/// Shape of four axes and some of them to reduce; the output's shape keeps them with extent one or not.
struct Axes {
  std::vector<std::int64_t> in, out;
  std::vector<int> reduced;
  std::int64_t count = 1;
};

Axes random_axes(Random& r, std::size_t most) {
  for (;;) {
    Axes axes;
    const bool keep = r.chance(50);
    for (int axis = 0; axis < 4; ++axis) {
      axes.in.push_back(r.number(1, 5));
      const bool reduce = axes.reduced.size() < most && r.chance(50);
      if (reduce) {
        axes.reduced.push_back(axis);
        axes.count *= axes.in.back();
      }
      if (!reduce || keep) axes.out.push_back(reduce ? 1 : axes.in.back());
    }
    if (!axes.reduced.empty()) return axes;
  }
}

OpCase make_sum(Random& r, ReduceKind kind) {
  CaseBuilder b(r);
  const Axes axes = random_axes(r, 4);
  const float scale = r.real(0.01F, 0.2F);
  const TensorId in = b.tensor(axes.in, one_scale(scale, r.number(-20, 20)));
  const float root = std::sqrt(static_cast<float>(axes.count));
  const float range = kind == ReduceKind::sum ? scale * root : scale / root;
  const TensorId out = b.tensor(axes.out, one_scale(range * std::exp2(r.real(-1.0F, 2.0F)), r.number(-128, 127)));
  return b.finish(Reduce{.kind = kind, .axes = axes.reduced}, {in}, out);
}

OpCase reduce_sum(Random& r) { return make_sum(r, r.chance(50) ? ReduceKind::sum : ReduceKind::mean); }

OpCase reduce_extreme(Random& r) {
  CaseBuilder b(r);
  const Axes axes = random_axes(r, 4);
  const Quantization scale = random_scale(r);
  const TensorId in = b.tensor(axes.in, scale), out = b.tensor(axes.out, scale);
  return b.finish(Reduce{.kind = r.chance(50) ? ReduceKind::max : ReduceKind::min, .axes = axes.reduced}, {in}, out);
}

OpCase arg_extreme(Random& r) {
  CaseBuilder b(r);
  const Axes axes = random_axes(r, 1);
  const TensorId in = b.tensor(axes.in, random_scale(r)), out = b.tensor(axes.out, {}, DataType::int32);
  return b.finish(ArgExtreme{.largest = r.chance(50), .axis = axes.reduced[0]}, {in}, out);
}

OpCase l2_normalize(Random& r) {
  CaseBuilder b(r);
  const ImageShape image{1, r.number(1, 4), r.chance(80) ? r.number(1, 24) : r.number(25, 700)};
  const TensorId in = b.image(image, one_scale(r.real(0.01F, 0.2F), r.number(-128, 127)));
  return b.finish(L2Normalize{}, {in}, b.image(image, one_scale(1.0F / 128.0F, 0)));
}

OpCase log_softmax(Random& r) {
  CaseBuilder b(r);
  const ImageShape image{1, r.number(1, 4), r.chance(80) ? r.number(1, 24) : r.number(25, 700)};
  const TensorId in = b.image(image, one_scale(std::exp2(r.real(-10.0F, 1.0F)), r.number(-128, 127)));
  return b.finish(Softmax{.beta = 1.0F, .logarithm = true}, {in}, b.image(image, one_scale(1.0F / 16.0F, 127)));
}

OpCase log_softmax_f32(Random& r) { return as_float(log_softmax(r), r); }
OpCase reduce_sum_f32(Random& r) { return as_float(reduce_sum(r), r); }
OpCase reduce_sum_s16(Random& r) { return as_int16(reduce_sum(r), r); }
OpCase reduce_extreme_f32(Random& r) { return as_float(reduce_extreme(r), r); }
OpCase l2_normalize_f32(Random& r) { return as_float(l2_normalize(r), r); }
OpCase resize_bilinear_f32(Random& r) { return as_float(resize_bilinear(r), r); }

OpCase arg_extreme_f32(Random& r) {
  CaseBuilder b(r);
  const Axes axes = random_axes(r, 1);
  const TensorId in = b.tensor(axes.in, {}, DataType::float32), out = b.tensor(axes.out, {}, DataType::int32);
  return b.finish(ArgExtreme{.largest = r.chance(50), .axis = axes.reduced[0]}, {in}, out);
}

}  // namespace

std::vector<Family> reduced_families() {
  return {{"resize_bilinear", resize_bilinear},
          {"transpose_conv", transpose_conv},
          {"transpose_conv_f32", transpose_conv_f32},
          {"transpose_conv_s16", transpose_conv_s16},
          {"reduce_sum", reduce_sum},
          {"reduce_extreme", reduce_extreme},
          {"arg_extreme", arg_extreme},
          {"l2_normalize", l2_normalize},
          {"log_softmax", log_softmax},
          {"log_softmax_f32", log_softmax_f32},
          {"reduce_sum_f32", reduce_sum_f32},
          {"reduce_sum_s16", reduce_sum_s16},
          {"reduce_extreme_f32", reduce_extreme_f32},
          {"arg_extreme_f32", arg_extreme_f32},
          {"l2_normalize_f32", l2_normalize_f32},
          {"resize_bilinear_f32", resize_bilinear_f32}};
}

}  // namespace ripc::test
