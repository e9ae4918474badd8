// Which kernels a plan may choose from, so that weights and tables fit the flash.
#pragma once

#include "plan/pipeline.h"

namespace ripc {

/// Instructions of an inference that a byte of flash must save where no size of the flash is given.
inline constexpr std::int64_t kSavedForByte = 4;

/// `options` with only those kernels, of every operator, whose constants it may have. All start with the kernel of the
/// fewest bytes; then the larger ones are allowed where they save most instructions a byte, while all together fit
/// options.constant_bytes, or without it while a byte saves kSavedForByte. The fastest of what is left come first, as
/// before. A network without weights has all kernels, and options that come from here stay as they are.
PlanOptions within_flash(const Graph& graph, PlanOptions options);

/// Bytes of constants of a network with weights if every operator had the kernel of options.kernels that takes least.
std::int64_t least_constant_bytes(const Graph& graph, const PlanOptions& options);

}  // namespace ripc
