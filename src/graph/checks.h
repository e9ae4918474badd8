// The conditions that operators of several kinds ask of their tensors. Each returns what is wrong, or nothing.
#pragma once

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
