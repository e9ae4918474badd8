#include "stages/random_networks.h"

#include <algorithm>
#include <random>
#include <vector>

#include "execute/networks.h"

namespace ripc::test {
namespace {

class Shapes {
 public:
  explicit Shapes(std::uint32_t seed) : random_(seed) { graph_.name = "shapes"; }

  Graph run() {
    const TensorId in = tensor({uniform(5, 12), uniform(4, 9), uniform(1, 4)});
    graph_.inputs = {in};
    live_ = {in};
    const std::int64_t ops = uniform(3, 9);
    for (std::int64_t i = 0; i < ops; ++i) add_random();
    graph_.outputs = {live_.back()};
    if (uniform(0, 3) == 0) graph_.outputs.push_back(live_[index(uniform(1, std::ssize(live_) - 1))]);
    drop_unread();
    return std::move(graph_);
  }

 private:
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

  std::int64_t uniform(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint32_t>(high - low + 1));
  }

  ImageShape shape(TensorId id) const { return image_shape(graph_.tensors[index(id)]); }

  TensorId tensor(const ImageShape& shape) {
    const auto id = static_cast<TensorId>(graph_.tensors.size());
    Tensor tensor;
    tensor.name = "t" + std::to_string(id);
    tensor.shape = {1, shape.height, shape.width, shape.channels};
    graph_.tensors.push_back(tensor);
    return id;
  }

  TensorId add(OpKind kind, std::vector<TensorId> inputs, const ImageShape& shape) {
    const TensorId out = tensor(shape);
    graph_.ops.push_back({.kind = std::move(kind),
                          .inputs = std::move(inputs),
                          .output = out,
                          .source = static_cast<int>(graph_.ops.size())});
    live_.push_back(out);
    return out;
  }

  TensorId any() {
    return live_[index(uniform(std::max<std::int64_t>(0, std::ssize(live_) - 3), std::ssize(live_) - 1))];
  }

  Window window(std::int64_t extent) {
    Window window{.kernel = uniform(1, 4), .stride = uniform(1, 3), .dilation = uniform(1, 2)};
    window.pad_before = uniform(0, window.kernel - 1);
    window.pad_after = uniform(0, window.kernel - 1);
    while (extent + window.pad_before + window.pad_after < effective_kernel(window)) {
      window.kernel = 1;
      window.pad_before = window.pad_after = 0;
    }
    return window;
  }

  static std::int64_t extent_of(const Window& window, std::int64_t extent) {
    return (extent + window.pad_before + window.pad_after - effective_kernel(window)) / window.stride + 1;
  }

  void add_windowed(TensorId in, bool depthwise) {
    const ImageShape from = shape(in);
    const Window rows = window(from.height), columns = window(from.width);
    ImageShape to{extent_of(rows, from.height), extent_of(columns, from.width), from.channels};
    if (depthwise) {
      add(DepthwiseConv2d{.rows = rows, .columns = columns}, {in}, to);
    } else {
      to.channels = uniform(1, 6);
      add(Conv2d{.rows = rows, .columns = columns}, {in}, to);
    }
  }

  void add_pointwise(TensorId in) {
    ImageShape to = shape(in);
    to.channels = uniform(1, 6);
    add(Conv2d{}, {in}, to);
  }

  void add_random() {
    const TensorId in = any();
    const ImageShape from = shape(in);
    switch (uniform(0, 8)) {
      case 0:
      case 1:
        return add_windowed(in, false);
      case 2:
      case 3:
        return add_windowed(in, true);
      case 4: {
        for (const TensorId other : live_) {
          if (other != in && shape(other) == from) {
            add(Binary{}, {in, other}, from);
            return;
          }
        }
        return add_pointwise(in);
      }
      case 5: {
        for (const TensorId other : live_) {
          const ImageShape beside = shape(other);
          if (other == in || beside.height != from.height || beside.width != from.width) continue;
          add(Concat{.axis = 3}, {in, other}, {from.height, from.width, from.channels + beside.channels});
          return;
        }
        return add_pointwise(in);
      }
      case 6: {
        if (from.height > 8) return add_pointwise(in);
        const std::int64_t factor = uniform(2, 3);
        add(ResizeNearest{}, {in}, {from.height * factor, from.width * factor, from.channels});
        return;
      }
      case 7: {
        const TensorId mean = add(Mean{}, {in}, {1, 1, from.channels});
        add(Binary{.kind = BinaryKind::multiply}, {in, mean}, from);
        return;
      }
      default:
        return add_pointwise(in);
    }
  }

  /// What nobody reads is an output.
  void drop_unread() {
    for (const Op& op : graph_.ops) {
      const bool read = std::ranges::any_of(graph_.ops, [&](const Op& other) {
        return std::ranges::find(other.inputs, op.output) != other.inputs.end();
      });
      const bool output = std::ranges::find(graph_.outputs, op.output) != graph_.outputs.end();
      if (!read && !output) graph_.outputs.push_back(op.output);
    }
  }

  Graph graph_;
  std::vector<TensorId> live_;
  std::mt19937 random_;
};

}  // namespace

Graph random_shapes(std::uint32_t seed) { return Shapes(seed).run(); }

Graph random_weighted(std::uint32_t seed, std::int64_t more_columns) {
  std::mt19937 random(seed);
  const auto uniform = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(high - low + 1));
  };
  NetworkBuilder builder(seed);
  TensorId x =
      builder.conv(builder.input(uniform(9, 17), uniform(7, 12) + more_columns, 3), uniform(2, 6), 3, uniform(1, 2));
  const std::int64_t blocks = uniform(2, 4);
  for (std::int64_t i = 0; i < blocks; ++i) {
    const std::int64_t kernel = 2 * uniform(1, 2) + 1;
    switch (uniform(0, 3)) {
      case 0:
        x = builder.depthwise(x, kernel, 2);
        break;
      case 1:
        x = builder.conv(x, uniform(2, 8), kernel, uniform(1, 2));
        break;
      case 2:
        x = builder.max_pool(x, 3, 1);
        break;
      default: {
        const std::int64_t channels = uniform(3, 6);
        const TensorId from = builder.conv(x, channels, 1, 1);
        const TensorId expanded = builder.conv(from, 3 * channels, 1, 1);
        const TensorId filtered = builder.depthwise(expanded, kernel, 1);
        x = builder.add(from, builder.conv(filtered, channels, 1, 1, Activation::none));
      }
    }
  }
  return builder.finish({builder.dense(builder.mean(x), 5)});
}

}  // namespace ripc::test
