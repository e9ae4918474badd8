// Thousands of generated layers: every closed form held against the simulators.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ripc/layer.h"
#include "sweep/answers.h"

namespace ripc {

struct SweepOptions {
  std::int64_t layers = 10000;
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: one a core; results do not depend on it
  /// Every layer is stepped literally in gathered and row-direct order and as a herringbone; in the direct orders,
  /// which read every tap once an output channel, where a run takes at most so many tag checks.
  std::int64_t literal_limit = 200'000;
};

struct SweptLayer {
  Layer layer;
  LayerAnswers formula, simulation;
  bool stepped_direct = false;  ///< literally in the direct orders too
  int literal_mismatches = 0;   ///< literal runs that contradict the simulation by last reads

  bool operator==(const SweptLayer&) const = default;
};

/// The layers in order. `progress(done)` runs now and then on the calling thread.
std::vector<SweptLayer> sweep(const SweepOptions& options, const std::function<void(std::int64_t)>& progress = {});

}  // namespace ripc
