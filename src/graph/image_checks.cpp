// What operators over images ask of the shapes of their input and output.
#include <fmt/format.h>

#include <algorithm>

#include "graph/checks.h"
#include "graph/limits.h"

namespace ripc {
namespace {

/// Input and output are one image each.
Complaint single_image_fault(const Tensor& input, const Tensor& output) {
  for (const Tensor* t : {&input, &output}) {
    if (t->shape.size() == 4 && t->shape[0] == 1) continue;
    Complaint fault =
        complain("tensor that is no single image", "1 x height x width x channels", shape_text(t->shape), t->name);
    if (t->shape.size() == 4) fault->remedy = "Export the model with a batch of 1, and call it once for each image.";
    return fault;
  }
  return {};
}

}  // namespace

Complaint channels_fault(const Tensor& input, const Tensor& output) {
  if (image_shape(input).channels == image_shape(output).channels) return {};
  return complain("output of other channels", shape_text(input.shape), shape_text(output.shape), output.name);
}

Complaint window_fault(const Tensor& input, const Tensor& output, const Window& rows, const Window& columns) {
  if (Complaint fault = single_image_fault(input, output)) return fault;
  for (const Window& w : {rows, columns}) {
    const auto least = std::min({w.kernel, w.stride, w.dilation, w.pad_before + 1, w.pad_after + 1});
    const auto most = std::max({w.kernel, w.stride, w.dilation, w.pad_before, w.pad_after});
    if (least >= 1 && most <= kMaxWindow) continue;
    return complain("window out of range", fmt::format("extents up to {}", kMaxWindow),
                    fmt::format("kernel {}, stride {}, dilation {}, pads {} and {}", w.kernel, w.stride, w.dilation,
                                w.pad_before, w.pad_after));
  }
  const std::int64_t height = output_extent(rows, input.shape[1]), width = output_extent(columns, input.shape[2]);
  if (height == output.shape[1] && width == output.shape[2]) return {};
  return complain("output shape that the window does not make", fmt::format("{}x{}", height, width),
                  shape_text(output.shape), output.name);
}

Complaint transposed_window_fault(const Tensor& input, const Tensor& output, const Window& rows,
                                  const Window& columns) {
  if (Complaint fault = single_image_fault(input, output)) return fault;
  for (const Window& w : {rows, columns}) {
    const auto least = std::min({w.kernel, w.stride, w.pad_before + 1});
    const auto most = std::max({w.kernel, w.stride, w.pad_before});
    if (least >= 1 && most <= kMaxWindow && w.dilation == 1) continue;
    return complain(
        "window out of range", fmt::format("extents up to {}", kMaxWindow),
        fmt::format("kernel {}, stride {}, dilation {}, pad {}", w.kernel, w.stride, w.dilation, w.pad_before));
  }
  return {};
}

Complaint resized_image_fault(const Tensor& input, const Tensor& output) {
  if (Complaint fault = single_image_fault(input, output)) return fault;
  for (const Tensor* t : {&input, &output}) {
    if (std::max(t->shape[1], t->shape[2]) <= kMaxResized) continue;
    return complain("image too large to resize", fmt::format("at most {}", kMaxResized), shape_text(t->shape), t->name);
  }
  return channels_fault(input, output);
}

}  // namespace ripc
