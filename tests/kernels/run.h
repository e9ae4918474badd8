// Runs the kernel of a single operator in an arena with guards, its tensors where the test wants them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/cases.h"
#include "lower/lower.h"

namespace ripc::test {

/// Offsets of the tensors from the start of an arena.
struct Offsets {
  std::vector<std::int64_t> inputs;  ///< as Op::inputs
  std::int64_t output = 0;
};

/// All tensors side by side.
Offsets side_by_side(const OpCase& op_case);

/// Kernels for every processor that can run the operator, those included that keep strips of their rows in a stage,
/// and those that take any scratch with less of it.
std::vector<KernelOption> every_kernel(const OpCase& op_case);

/// The output's bytes. Fails the test if a byte outside of output, scratch and kept ones has changed that is not part
/// of an input.
Bytes run_kernel(const OpCase& op_case, const KernelOption& option, const Offsets& offsets, bool reverse, bool whole);

}  // namespace ripc::test
