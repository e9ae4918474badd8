// The canonical graph: the same bytes out of fewer operators. Every pass is a function from a valid graph to a valid
// graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace ripc {

struct PassOptions {
  bool fold_pads = true;
  bool fuse_clamps = true;
  bool io_int8 = false;  ///< quantised inputs and outputs instead of float ones
};

/// Gives the constants of a network without weights pseudo-random values, for measurements: scales are such that
/// activations neither vanish nor saturate from layer to layer. Constants that have values keep them.
Graph fill_weights(Graph graph, std::uint32_t seed);

/// All passes that `options` ask for, in an order in which none undoes another. Surviving tensors keep name and source;
/// the result holds no RESHAPE.
Graph canonicalize(Graph graph, const PassOptions& options = {});

/// Turns outputs of RESHAPE, and of other operators that leave every byte where it is, into aliases of the input, and
/// drops the operators.
Graph alias_reshapes(Graph graph);

/// Drops a PAD whose readers can all skip the padding themselves: convolutions, since the reference fills with the zero
/// point, and max pooling where the zero point is the least value. Padding of channels, padding with another
/// quantisation than the input's, and padding that a whole window can lie in stay.
Graph fold_pads(Graph graph);

/// Moves a RELU, RELU6 or RELU_N1_TO_1 into the operator before it, if that has no activation yet and no other reader.
/// Exact only if both tensors have the same quantisation: then the operator's multiplier is one.
Graph fuse_clamps(Graph graph);

/// Drops the QUANTIZE after a float input that nothing else reads, and the DEQUANTIZE before a float output.
Graph quantize_edges(Graph graph);

/// Lets an operator write a state at once that is assigned from its output, where all readers of the state's old value
/// come before it, and drops the copy.
Graph place_states(Graph graph);

/// Drops operators that neither an output needs nor a state that is read, and tensors and states that nothing refers
/// to. Inputs stay.
Graph drop_dead(Graph graph);

/// Makes the tensors of those names (graph/names.h) the outputs, and drops the operators and inputs that they do not
/// need. Throws ripc::Error (wrong usage) at a name that no operator writes.
Graph keep_outputs(Graph graph, const std::vector<std::string>& names);

}  // namespace ripc
