// The debt of a layer while it runs: what is written so far less what may be written over.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ripc/layer.h"
#include "sweep/configuration.h"

namespace ripc {

struct Pixel {
  std::int64_t row = 0, column = 0;
};

/// One output pixel, in the order in which a direction makes them. Bytes count from the edge of a tensor at which the
/// direction starts.
struct DebtStep {
  Pixel pixel;
  std::int64_t written = 0;            ///< bytes of output that exist at the last read of the pixel's taps
  std::optional<std::int64_t> live{};  ///< first byte of input that this pixel or a later one reads; empty: none does

  std::int64_t debt() const { return live ? written - *live : 0; }
};

struct DebtCurve {
  std::vector<DebtStep> steps;
  std::size_t peak = 0;  ///< the last step of the largest debt
};

/// The layer must make an output. Its largest debt is raw_gap(), or 0 if that is less, as long as a pixel reads one
/// group after another no further than its own end; with several groups and direct taps, where the channels of a pixel
/// are read apart, `written` stands for the group that needs most.
DebtCurve debt_curve(const Layer& layer, const Configuration& configuration);

/// Stored input as the layout has it, in pixels.
std::int64_t stored_height(const Layer& layer, Layout layout);
std::int64_t stored_width(const Layer& layer, Layout layout);

}  // namespace ripc
