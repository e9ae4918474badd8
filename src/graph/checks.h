// The conditions that operators of several kinds ask of their tensors. Each returns what is wrong, or nothing.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "graph/complaint.h"

namespace ripc {

Complaint type_fault(const Tensor& tensor, const std::string& expected);

/// One scale for the whole tensor, and above zero.
Complaint one_scale_fault(const Tensor& tensor);

/// The same, and the zero point 0 of the int16 that kernels compute with.
Complaint scale_fault(const Tensor& tensor);

/// Fixed-point multipliers shift left by less than 31.
Complaint multiplier_fault(double value);

/// A real limit becomes an integer of 32 bits at the scale of the tensor.
Complaint limit_fault(float value, const Tensor& tensor);

Complaint activation_fault(Activation limits, const Tensor& output);

/// Input and output with equally many channels.
Complaint channels_fault(const Tensor& input, const Tensor& output);

/// Single images, of which the output is what the windows make of the input.
Complaint window_fault(const Tensor& input, const Tensor& output, const Window& rows, const Window& columns);

/// The convolution that a transposed one turns around leads from its output to its input.
Complaint transposed_window_fault(const Tensor& input, const Tensor& output, const Window& rows, const Window& columns);

/// Single images of equally many channels, not too large for the tables of a resize.
Complaint resized_image_fault(const Tensor& input, const Tensor& output);

/// Weights of that shape: float32 for float32 activations, else int8 and symmetric, with one scale or one for each
/// index along `axis`. Scales may be zero or negative, as folded batch normalisation can leave them: the multiplier
/// takes the sign.
Complaint weights_fault(const Tensor& input, const Tensor& weights, int axis,
                        std::initializer_list<std::int64_t> shape);

/// The bias, unless it is kNoTensor, and what makes the output of the sums.
Complaint after_weights_fault(const Graph& graph, const Op& op, TensorId weights, TensorId bias, Activation limits);

/// The reference refuses a bias that was quantised with other scales than its sum.
Complaint connected_bias_fault(const Graph& graph, const Op& op, const FullyConnected& connected);

/// What OperatorCheck asks of elementwise operators.
Complaint elementwise_fault(const Graph& graph, const Op& op, const Unary& unary);
Complaint elementwise_fault(const Graph& graph, const Op& op, const Binary& binary);

/// The same of operators that move scalars: every one comes from inside of the input.
Complaint movement_fault(const Tensor& input, const Tensor& output, const Rearrange& move);

/// The same of operators that keep a state, whose input and output are known to be of one type.
Complaint recurrent_fault(const Graph& graph, const Op& op, const Svdf& svdf);
Complaint recurrent_fault(const Graph& graph, const Op& op, const Lstm& lstm);

/// The same of the audio front end.
Complaint signal_fault(const Graph& graph, const Op& op, const Signal& signal);

}  // namespace ripc
