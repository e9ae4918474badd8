#include "execute/naive.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace ripc::test {
namespace {

using Values = std::vector<std::int8_t>;

struct Multiplier {
  std::int32_t factor = 0;
  int shift = 0;
};

Multiplier quantize_multiplier(double value) {
  if (value == 0) return {};
  Multiplier result;
  auto factor = static_cast<std::int64_t>(std::round(std::frexp(value, &result.shift) * 2147483648.0));
  if (factor == std::int64_t{1} << 31) {
    factor /= 2;
    ++result.shift;
  }
  if (result.shift < -31) return {};
  result.factor = static_cast<std::int32_t>(factor);
  return result;
}

/// SRDHM of the reference; both operands are never the least number here.
std::int64_t doubling_high(std::int64_t a, std::int64_t b) { return (a * b + (std::int64_t{1} << 30)) >> 31; }

std::int64_t rounding_shift(std::int64_t x, int exponent) {
  const std::int64_t mask = (std::int64_t{1} << exponent) - 1;
  return (x >> exponent) + ((x & mask) > (mask >> 1) + (x < 0 ? 1 : 0) ? 1 : 0);
}

std::int64_t scaled(std::int64_t x, Multiplier m) {
  return rounding_shift(doubling_high(x * (std::int64_t{1} << std::max(m.shift, 0)), m.factor), std::max(-m.shift, 0));
}

struct Range {
  std::int64_t low = -128, high = 127;
};

Range activation_range(Activation activation, const Tensor& out) {
  const auto quantized = [&](float value) {
    return out.quantization.zero_point[0] + static_cast<std::int64_t>(std::round(value / out.quantization.scale[0]));
  };
  Range range;
  if (activation == Activation::relu || activation == Activation::relu6) range.low = std::max(range.low, quantized(0));
  if (activation == Activation::relu6) range.high = std::min(range.high, quantized(6));
  return range;
}

class Evaluator {
 public:
  explicit Evaluator(const Graph& graph) : graph_(graph), values_(graph.tensors.size()) {}

  std::vector<Values> run(const std::vector<Values>& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) store(graph_.inputs[i], inputs[i]);
    for (const Op& op : graph_.ops) {
      op_ = &op;
      store(op.output, std::visit([&](const auto& kind) { return compute(kind); }, op.kind));
    }
    return values_;
  }

 private:
  const Tensor& tensor(TensorId id) const { return graph_.tensors[static_cast<std::size_t>(id)]; }
  const Tensor& in(std::size_t i = 0) const { return tensor(op_->inputs[i]); }
  const Tensor& out() const { return tensor(op_->output); }
  const Values& values(std::size_t i = 0) const { return values_[static_cast<std::size_t>(op_->inputs[i])]; }
  static double scale(const Tensor& t, std::int64_t c = 0) {
    const auto& scales = t.quantization.scale;
    return static_cast<double>(scales[scales.size() == 1 ? 0 : static_cast<std::size_t>(c)]);
  }
  static std::int64_t zero(const Tensor& t) { return t.quantization.zero_point[0]; }

  void store(TensorId id, const Values& values) {
    for (std::size_t other = 0; other < values_.size(); ++other) {
      if (storage_of(graph_, static_cast<TensorId>(other)) == id) values_[other] = values;
    }
  }

  std::int64_t bias(TensorId id, std::int64_t c) const {
    if (id == kNoTensor) return 0;
    std::int32_t value = 0;
    std::memcpy(&value, tensor(id).data.data() + c * 4, 4);
    return value;
  }

  std::int8_t requantized(std::int64_t sum, Multiplier m, Range range) const {
    return static_cast<std::int8_t>(std::clamp(scaled(sum, m) + zero(out()), range.low, range.high));
  }

  /// Sums of weight(c, ky, kx, i) * input over the taps inside the image, for every output scalar.
  template <typename Kind, typename Weight>
  Values windowed(const Kind& op, std::int64_t depth, bool depthwise, Weight weight) const {
    const ImageShape from = image_shape(in()), to = image_shape(out());
    const Range range = activation_range(op.activation, out());
    Values result;
    for (std::int64_t y = 0; y < to.height; ++y) {
      for (std::int64_t x = 0; x < to.width; ++x) {
        for (std::int64_t c = 0; c < to.channels; ++c) {
          std::int64_t sum = bias(op.bias, c);
          for (std::int64_t ky = 0; ky < op.rows.kernel; ++ky) {
            for (std::int64_t kx = 0; kx < op.columns.kernel; ++kx) {
              const std::int64_t iy = y * op.rows.stride - op.rows.pad_before + ky;
              const std::int64_t ix = x * op.columns.stride - op.columns.pad_before + kx;
              if (iy < 0 || iy >= from.height || ix < 0 || ix >= from.width) continue;
              for (std::int64_t i = 0; i < depth; ++i) {
                const std::int64_t channel = depthwise ? c : i;
                const auto at = static_cast<std::size_t>((iy * from.width + ix) * from.channels + channel);
                sum += weight(c, ky, kx, i) * (values()[at] - zero(in()));
              }
            }
          }
          const double real = scale(in()) * scale(tensor(op.weights), c) / scale(out());
          result.push_back(requantized(sum, quantize_multiplier(real), range));
        }
      }
    }
    return result;
  }

  std::int64_t weight_at(TensorId id, std::int64_t index) const {
    return static_cast<std::int8_t>(tensor(id).data[static_cast<std::size_t>(index)]);
  }

  Values compute(const Conv2d& op) const {
    const std::int64_t depth = image_shape(in()).channels;
    return windowed(op, depth, false, [&](std::int64_t c, std::int64_t ky, std::int64_t kx, std::int64_t i) {
      return weight_at(op.weights, ((c * op.rows.kernel + ky) * op.columns.kernel + kx) * depth + i);
    });
  }

  Values compute(const Concat& op) const {
    std::int64_t before = 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(op.axis); ++i) before *= out().shape[i];
    Values result;
    for (std::int64_t outer = 0; outer < before; ++outer) {
      for (std::size_t i = 0; i < op_->inputs.size(); ++i) {
        const std::int64_t piece = element_count(in(i)) / before;
        if (in(i).quantization != out().quantization) throw std::logic_error("a rescaling concatenation");
        const auto first = values(i).begin() + outer * piece;
        result.insert(result.end(), first, first + piece);
      }
    }
    return result;
  }

  Values compute(const Rearrange& op) const {
    Values result;
    for (std::int64_t index = 0; index < element_count(out()); ++index) {
      std::int64_t rest = index, from = op.start;
      for (auto axis = op.axes.rbegin(); axis != op.axes.rend(); ++axis) {
        const std::int64_t i = rest % axis->extent;
        from += axis->offsets.empty() ? i * axis->stride : axis->offsets[static_cast<std::size_t>(i)];
        rest /= axis->extent;
      }
      result.push_back(values()[static_cast<std::size_t>(from)]);
    }
    return result;
  }

  Values compute(const DepthwiseConv2d& op) const {
    const std::int64_t channels = image_shape(out()).channels;
    return windowed(op, 1, true, [&](std::int64_t c, std::int64_t ky, std::int64_t kx, std::int64_t) {
      return weight_at(op.weights, (ky * op.columns.kernel + kx) * channels + c);
    });
  }

  Values compute(const FullyConnected& op) const {
    const float product = in().quantization.scale[0] * tensor(op.weights).quantization.scale[0];
    const Multiplier m = quantize_multiplier(static_cast<double>(product) / scale(out()));
    const auto depth = static_cast<std::int64_t>(values().size());
    Values result;
    for (std::int64_t c = 0; c < element_count(out()); ++c) {
      std::int64_t sum = bias(op.bias, c);
      for (std::int64_t i = 0; i < depth; ++i) {
        sum += weight_at(op.weights, c * depth + i) * (values()[static_cast<std::size_t>(i)] - zero(in()));
      }
      result.push_back(requantized(sum, m, activation_range(op.activation, out())));
    }
    return result;
  }

  Values compute(const Binary& op) const {
    if (op.kind != BinaryKind::add) throw std::logic_error("no reference for other operators of two operands here");
    const double twice = 2.0 * std::max(scale(in(0)), scale(in(1)));
    const Multiplier a = quantize_multiplier(scale(in(0)) / twice), b = quantize_multiplier(scale(in(1)) / twice);
    const Multiplier m = quantize_multiplier(twice / (1048576.0 * scale(out())));
    Values result;
    for (std::size_t i = 0; i < values(0).size(); ++i) {
      const std::int64_t left = scaled((values(0)[i] - zero(in(0))) * 1048576, a);
      const std::int64_t right = scaled((values(1)[i] - zero(in(1))) * 1048576, b);
      result.push_back(requantized(left + right, m, activation_range(op.activation, out())));
    }
    return result;
  }

  Values compute(const Pool2d& op) const {
    if (op.kind != PoolKind::max) throw std::logic_error("no reference for average pooling here");
    const ImageShape from = image_shape(in()), to = image_shape(out());
    Values result;
    for (std::int64_t y = 0; y < to.height; ++y) {
      for (std::int64_t x = 0; x < to.width; ++x) {
        for (std::int64_t c = 0; c < to.channels; ++c) {
          std::int8_t best = -128;
          for (std::int64_t ky = 0; ky < op.rows.kernel; ++ky) {
            for (std::int64_t kx = 0; kx < op.columns.kernel; ++kx) {
              const std::int64_t iy = y * op.rows.stride - op.rows.pad_before + ky;
              const std::int64_t ix = x * op.columns.stride - op.columns.pad_before + kx;
              if (iy < 0 || iy >= from.height || ix < 0 || ix >= from.width) continue;
              best = std::max(best, values()[static_cast<std::size_t>((iy * from.width + ix) * from.channels + c)]);
            }
          }
          result.push_back(best);
        }
      }
    }
    return result;
  }

  Values compute(const Mean&) const {
    const ImageShape from = image_shape(in());
    const std::int64_t count = from.height * from.width;
    Multiplier m = quantize_multiplier(scale(in()) / scale(out()));
    int bits = 0;
    while ((std::int64_t{2} << bits) <= count) ++bits;
    bits = std::min(bits, 31 + m.shift);
    m = {.factor = static_cast<std::int32_t>((std::int64_t{m.factor} << bits) / count), .shift = m.shift - bits};
    Values result;
    for (std::int64_t c = 0; c < from.channels; ++c) {
      std::int64_t sum = 0;
      for (std::int64_t p = 0; p < count; ++p) sum += values()[static_cast<std::size_t>(p * from.channels + c)];
      result.push_back(requantized(sum - zero(in()) * count, m, {}));
    }
    return result;
  }

  Values compute(const Pad& op) const {
    const ImageShape from = image_shape(in()), to = image_shape(out());
    Values result(static_cast<std::size_t>(element_count(out())), static_cast<std::int8_t>(zero(out())));
    for (std::int64_t y = 0; y < from.height; ++y) {
      for (std::int64_t x = 0; x < from.width; ++x) {
        for (std::int64_t c = 0; c < from.channels; ++c) {
          const std::int64_t at = ((y + op.before[0]) * to.width + x + op.before[1]) * to.channels + c + op.before[2];
          result[static_cast<std::size_t>(at)] =
              values()[static_cast<std::size_t>((y * from.width + x) * from.channels + c)];
        }
      }
    }
    return result;
  }

  /// Left out: always the last operator here, and held against the golden vectors.
  Values compute(const Softmax&) const { return {}; }

  template <typename Other>
  Values compute(const Other&) const {
    throw std::logic_error(std::string("no reference here for ") + kind_name(*op_));
  }

  const Graph& graph_;
  const Op* op_ = nullptr;
  std::vector<Values> values_;
};

}  // namespace

std::vector<std::vector<std::int8_t>> evaluate(const Graph& graph,
                                               const std::vector<std::vector<std::int8_t>>& inputs) {
  return Evaluator(graph).run(inputs);
}

}  // namespace ripc::test
