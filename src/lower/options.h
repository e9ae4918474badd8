// Which kernels can run an operator.
#pragma once

#include "lower/lower.h"

namespace ripc {

/// Bytes that a contract's sum amounts to for a layer.
std::int64_t contract_bytes(const rip_bytes& bytes, const Layer& layer);

/// The words of a strip of rip/dsp.h: columns of the input that an output row needs, padding included.
std::int64_t strip_words(const Layer& layer);

/// Whether a depthwise layer can be made plane by plane with its output over its input, equal starts: no output row
/// reaches past the input rows that are already in the ring, or all of them are.
bool planes_fit(const Layer& layer);

}  // namespace ripc
