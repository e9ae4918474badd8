// Padding that both formats call "same".
#pragma once

#include <algorithm>
#include <cstdint>

#include "ripc/layer.h"

namespace ripc {

/// Pads `window` so that it makes ceil(extent / stride) outputs. The odd pixel of padding comes after.
inline void pad_same(Window& window, std::int64_t extent) {
  const std::int64_t outputs = (extent + window.stride - 1) / window.stride;
  const std::int64_t total =
      std::max<std::int64_t>(0, (outputs - 1) * window.stride + effective_kernel(window) - extent);
  window.pad_before = total / 2;
  window.pad_after = total - window.pad_before;
}

}  // namespace ripc
