// The operators of binary32 as naive loops, in the reference's order of sums.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "kernels/reference.h"

namespace ripc::test {
namespace {

using Reals = std::vector<float>;

Reals reals_of(const Bytes& bytes) {
  Reals reals(bytes.size() / sizeof(float));
  std::memcpy(reals.data(), bytes.data(), bytes.size());
  return reals;
}

class FloatReference {
 public:
  explicit FloatReference(const OpCase& op_case) : c_(op_case), in_(reals_of(op_case.inputs[0])) {
    in_image_ = image_shape(c_.input());
    out_image_ = image_shape(c_.output());
    out_.resize(static_cast<std::size_t>(element_count(c_.output())));
  }

  std::optional<Bytes> run() {
    const bool done = std::visit([&](const auto& kind) { return compute(kind); }, c_.op().kind);
    if (!done) return std::nullopt;
    Bytes bytes(out_.size() * sizeof(float));
    std::memcpy(bytes.data(), out_.data(), bytes.size());
    return bytes;
  }

 private:
  Reals constant(TensorId id, std::size_t count) const {
    return id == kNoTensor ? Reals(count) : reals_of(c_.graph.tensors[static_cast<std::size_t>(id)].data);
  }

  static float activated(float y, Activation activation) {
    float low = std::numeric_limits<float>::lowest(), high = std::numeric_limits<float>::max();
    if (activation == Activation::relu || activation == Activation::relu6) low = 0;
    if (activation == Activation::relu6) high = 6;
    if (activation == Activation::relu_n1_to_1) {
      low = -1;
      high = 1;
    }
    return std::min(std::max(y, low), high);
  }

  template <typename Function>
  void for_each_output(Function function) {
    std::size_t index = 0;
    for (std::int64_t y = 0; y < out_image_.height; ++y) {
      for (std::int64_t x = 0; x < out_image_.width; ++x) {
        for (std::int64_t channel = 0; channel < out_image_.channels; ++channel) {
          out_[index++] = function(y, x, channel);
        }
      }
    }
  }

  /// tap(index of the input pixel's first channel, index of the tap) for every tap inside of the image.
  template <typename Function>
  void for_each_tap(const Window& rows, const Window& columns, std::int64_t y, std::int64_t x, Function tap) const {
    for (std::int64_t ky = 0; ky < rows.kernel; ++ky) {
      for (std::int64_t kx = 0; kx < columns.kernel; ++kx) {
        const std::int64_t iy = y * rows.stride - rows.pad_before + ky * rows.dilation;
        const std::int64_t ix = x * columns.stride - columns.pad_before + kx * columns.dilation;
        if (iy < 0 || iy >= in_image_.height || ix < 0 || ix >= in_image_.width) continue;
        tap((iy * in_image_.width + ix) * in_image_.channels, ky * columns.kernel + kx);
      }
    }
  }

  float in(std::int64_t index) const { return in_[static_cast<std::size_t>(index)]; }
  static float at(const Reals& reals, std::int64_t index) { return reals[static_cast<std::size_t>(index)]; }

  bool compute(const Conv2d& conv) {
    const std::int64_t depth = in_image_.channels / conv.groups, group_out = out_image_.channels / conv.groups;
    const std::int64_t taps = conv.rows.kernel * conv.columns.kernel;
    const Reals weights = constant(conv.weights, 0), bias = constant(conv.bias, out_.size());
    for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t o) {
      float sum = 0;
      for_each_tap(conv.rows, conv.columns, y, x, [&](std::int64_t pixel, std::int64_t tap) {
        for (std::int64_t i = 0; i < depth; ++i) {
          const float product = in(pixel + o / group_out * depth + i) * at(weights, (o * taps + tap) * depth + i);
          sum += product;
        }
      });
      return activated(sum + at(bias, o), conv.activation);
    });
    return true;
  }

  bool compute(const DepthwiseConv2d& conv) {
    const Reals weights = constant(conv.weights, 0), bias = constant(conv.bias, out_.size());
    for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t o) {
      float sum = 0;
      for_each_tap(conv.rows, conv.columns, y, x, [&](std::int64_t pixel, std::int64_t tap) {
        const float product = in(pixel + o / conv.multiplier) * at(weights, tap * out_image_.channels + o);
        sum += product;
      });
      return activated(sum + at(bias, o), conv.activation);
    });
    return true;
  }

  bool compute(const FullyConnected& connected) {
    const Reals weights = constant(connected.weights, 0), bias = constant(connected.bias, out_.size());
    const std::int64_t units = out_image_.channels, vectors = std::ssize(out_) / units;
    const std::int64_t features = std::ssize(in_) / vectors;
    for (std::int64_t vector = 0; vector < vectors; ++vector) {
      for (std::int64_t o = 0; o < units; ++o) {
        float sum = 0;
        for (std::int64_t i = 0; i < features; ++i) {
          const float product = in(vector * features + i) * at(weights, o * features + i);
          sum += product;
        }
        out_[static_cast<std::size_t>(vector * units + o)] = activated(sum + at(bias, o), connected.activation);
      }
    }
    return true;
  }

  /// Scattered, input scalar by input scalar.
  bool compute(const TransposeConv2d& conv) {
    const Reals weights = constant(conv.weights, 0), bias = constant(conv.bias, out_.size());
    const std::int64_t taps = conv.rows.kernel * conv.columns.kernel, depth = in_image_.channels;
    std::ranges::fill(out_, 0.0F);
    for (std::int64_t index = 0; index < std::ssize(in_); ++index) {
      const std::int64_t i = index % depth, x = index / depth % in_image_.width, y = index / depth / in_image_.width;
      for (std::int64_t tap = 0; tap < taps; ++tap) {
        const std::int64_t oy = y * conv.rows.stride - conv.rows.pad_before + tap / conv.columns.kernel;
        const std::int64_t ox = x * conv.columns.stride - conv.columns.pad_before + tap % conv.columns.kernel;
        if (oy < 0 || oy >= out_image_.height || ox < 0 || ox >= out_image_.width) continue;
        for (std::int64_t o = 0; o < out_image_.channels; ++o) {
          const float product = in(index)*at(weights, (o * taps + tap) * depth + i);
          out_[static_cast<std::size_t>((oy * out_image_.width + ox) * out_image_.channels + o)] += product;
        }
      }
    }
    const Reals sums = out_;
    std::int64_t index = 0;
    for_each_output([&](std::int64_t, std::int64_t, std::int64_t o) {
      return activated(at(sums, index++) + at(bias, o), conv.activation);
    });
    return true;
  }

  bool compute(const Pool2d& pool) {
    for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t channel) {
      float sum = 0, most = std::numeric_limits<float>::lowest();
      int count = 0;
      for_each_tap(pool.rows, pool.columns, y, x, [&](std::int64_t pixel, std::int64_t) {
        sum += in(pixel + channel);
        most = std::max(most, in(pixel + channel));
        ++count;
      });
      return activated(pool.kind == PoolKind::max ? most : sum / static_cast<float>(count), pool.activation);
    });
    return true;
  }

  bool compute(const Mean&) {
    const std::int64_t pixels = in_image_.height * in_image_.width;
    for (std::int64_t channel = 0; channel < in_image_.channels; ++channel) {
      float sum = 0;
      for (std::int64_t pixel = 0; pixel < pixels; ++pixel) sum += in(pixel * in_image_.channels + channel);
      out_[static_cast<std::size_t>(channel)] = sum / static_cast<float>(pixels);
    }
    return true;
  }

  /// Scalars of each output in the order of the input.
  template <typename Function>
  void for_each_reduced(const std::vector<int>& axes, Function function) const {
    const std::vector<std::int64_t>& shape = c_.input().shape;
    for (std::int64_t index = 0; index < std::ssize(in_); ++index) {
      std::int64_t rest = index, output = 0, outputs = 1;
      for (std::size_t axis = shape.size(); axis-- > 0;) {
        const std::int64_t at = rest % shape[axis];
        rest /= shape[axis];
        if (std::ranges::find(axes, static_cast<int>(axis)) != axes.end()) continue;
        output += at * outputs;
        outputs *= shape[axis];
      }
      function(static_cast<std::size_t>(output), in(index));
    }
  }

  bool compute(const Reduce& reduce) {
    const bool most = reduce.kind == ReduceKind::max, least = reduce.kind == ReduceKind::min;
    constexpr float kLargest = std::numeric_limits<float>::max();
    std::ranges::fill(out_, most ? -kLargest : least ? kLargest : 0.0F);
    for_each_reduced(reduce.axes, [&](std::size_t output, float x) {
      float& y = out_[output];
      y = most ? std::max(y, x) : least ? std::min(y, x) : y + x;
    });
    const auto count = static_cast<float>(in_.size() / out_.size());
    for (float& y : out_) y = reduce.kind == ReduceKind::mean ? y / count : y;
    return true;
  }

  bool compute(const L2Normalize&) {
    const std::int64_t channels = in_image_.channels;
    for (std::int64_t first = 0; first < std::ssize(in_); first += channels) {
      float squares = 0;
      for (std::int64_t i = 0; i < channels; ++i) {
        const float square = in(first + i) * in(first + i);
        squares += square;
      }
      const float length = std::max(std::sqrt(squares), 1e-6F);
      for (std::int64_t i = 0; i < channels; ++i) out_[static_cast<std::size_t>(first + i)] = in(first + i) / length;
    }
    return true;
  }

  bool compute(const ResizeBilinear& resize) {
    const auto place = [&](std::int64_t i, std::int64_t from, std::int64_t to) {
      const bool corners = resize.align_corners && to > 1;
      const float step = corners ? static_cast<float>(from - 1) / static_cast<float>(to - 1)
                                 : static_cast<float>(from) / static_cast<float>(to);
      const auto index = static_cast<float>(i);
      return resize.half_pixel_centers ? (index + 0.5F) * step - 0.5F : index * step;
    };
    const auto low = [](float at) { return std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(at)), 0); };
    const auto high = [](float at, std::int64_t from) {
      return std::min(static_cast<std::int64_t>(std::ceil(at)), from - 1);
    };
    for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t channel) {
      const float down = place(y, in_image_.height, out_image_.height),
                  right = place(x, in_image_.width, out_image_.width);
      const std::int64_t y0 = low(down), y1 = high(down, in_image_.height), x0 = low(right),
                         x1 = high(right, in_image_.width);
      const float fy = down - static_cast<float>(y0), fx = right - static_cast<float>(x0);
      const auto pixel = [&](std::int64_t row, std::int64_t column) {
        return in((row * in_image_.width + column) * in_image_.channels + channel);
      };
      float sum = pixel(y0, x0) * (1 - fy) * (1 - fx);
      sum = sum + pixel(y1, x0) * fy * (1 - fx);
      sum = sum + pixel(y0, x1) * (1 - fy) * fx;
      return sum + pixel(y1, x1) * fy * fx + 0.0F;
    });
    return true;
  }

  bool compute(const Softmax& softmax) {
    const std::int64_t channels = in_image_.channels;
    for (std::int64_t first = 0; softmax.logarithm && first < std::ssize(in_); first += channels) {
      const auto row = in_.begin() + first;
      const float most = *std::max_element(row, row + channels);
      float sum = 0;
      std::for_each(row, row + channels, [&](float x) { sum += std::exp(x - most); });
      const float log_sum = std::log(sum);
      std::transform(row, row + channels, out_.begin() + first, [&](float x) { return x - most - log_sum; });
    }
    if (softmax.logarithm) return true;
    for (std::int64_t first = 0; first < std::ssize(in_); first += channels) {
      const auto row = in_.begin() + first;
      const float most = *std::max_element(row, row + channels);
      const auto out = out_.begin() + first;
      std::transform(row, row + channels, out, [&](float x) { return std::exp((x - most) * softmax.beta); });
      const float sum = std::accumulate(out, out + channels, 0.0F);
      std::for_each(out, out + channels, [&](float& x) { x /= sum; });
    }
    return true;
  }

  bool compute(const Clamp& clamp) {
    std::transform(in_.begin(), in_.end(), out_.begin(), [&](float x) { return activated(x, clamp.activation); });
    return true;
  }

  template <typename Kind>
  bool compute(const Kind&) {
    return false;
  }

  const OpCase& c_;
  Reals in_, out_;
  ImageShape in_image_, out_image_;
};

}  // namespace

std::optional<Bytes> float_reference(const OpCase& op_case) {
  if (op_case.input().type != DataType::float32 || op_case.output().type != DataType::float32) return std::nullopt;
  return FloatReference(op_case).run();
}

}  // namespace ripc::test
