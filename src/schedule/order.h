// The order of the operators for the least memory: a problem as a value, and the search over the orders that can be
// executed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ripc {

/// What is stored: a tensor with its aliases. It lives from the step that writes it to the last step that reads it.
struct OrderTensor {
  std::int64_t bytes = 0;
  bool given = false;  ///< exists before the first step: an input of the network
  bool kept = false;   ///< lives to the end: an output of the network, or an input that survives
};

/// One way of running an operator.
struct OrderWay {
  std::int64_t side_bytes = 0;       ///< beside its tensors: scratch and what it keeps between rows
  std::vector<std::int64_t> shares;  ///< as OrderOp::inputs: bytes that the input and the output may share if it dies
};

struct OrderOp {
  std::vector<int> inputs;  ///< indices into OrderProblem::tensors, each once
  int output = 0;           ///< likewise; no other operator writes it
  std::vector<OrderWay> ways;
};

/// An operator needs the bytes alive before it, its output and what its best way needs beside, less what that way's
/// dying inputs share with the output (never more than the whole output). The peak of an order is the most that a step
/// needs, the inputs before the first step and the outputs after the last included. It is a lower bound of every
/// placement in that order.
struct OrderProblem {
  std::vector<OrderTensor> tensors;
  std::vector<OrderOp> ops;  ///< in an order that can be executed
};

struct OrderOptions {
  /// Steps that the whole search may look at. Some 15 million a second.
  std::int64_t step_limit = 12'000'000;
};

struct Order {
  std::vector<int> ops;  ///< every index into OrderProblem::ops once
  std::int64_t peak = 0;
  std::int64_t lower_bound = 0;  ///< no order has a smaller peak; equal to `peak` if that is proven to be the least
  std::int64_t states = 0;       ///< sets of executed operators that the search went through
  std::int64_t steps = 0;        ///< steps that it looked at, the unit in which work is limited
};

/// The peak of the problem's operators in `order`. Throws std::logic_error if an operator reads what is not yet there.
std::int64_t order_peak(const OrderProblem& problem, std::span<const int> order);

/// An order with a small peak; the least, with its proof, unless the search runs out of work. The order is the
/// problem's own wherever another would not lower the peak. Deterministic.
///
/// Method: operators that no other can run beside cut the network into pieces, which are ordered one by one. In a piece
/// the states are the sets of executed operators. A step that fits and leaves no more alive than before it, alone or
/// with the chain of steps after it, is taken at once: whatever order would do later, it can do as well after that.
Order find_order(const OrderProblem& problem, const OrderOptions& options = {});

}  // namespace ripc
