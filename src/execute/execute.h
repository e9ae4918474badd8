// Runs a program in this process, with the kernels that ship.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "execute/program.h"

namespace ripc {

using Bytes = std::vector<std::byte>;

/// Called once for each operator when its output is complete, with the tensor's bytes. A tensor that is kept as a ring
/// is put together from its rows.
using OpObserver = std::function<void(OpId, std::span<const std::byte>)>;

struct RunResult {
  std::vector<Bytes> outputs;  ///< as Graph::outputs, little endian
};

/// Runs on `inputs`, one a graph input, little endian. The arena is aligned to what the plan asks for and to no more,
/// starts undefined, and lies between guard bytes. Throws ripc::Error if an input has the wrong size, std::logic_error
/// if a kernel wrote outside the arena or into the caller's input.
///
/// `state` is what survives from run to run: Program::initial_state before the first, and updated by each. Without one
/// the run starts after a reset.
RunResult execute(const Program& program, const std::vector<Bytes>& inputs, const OpObserver& observer = {},
                  Bytes* state = nullptr);

}  // namespace ripc
