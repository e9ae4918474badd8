// The invariants of a graph.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/complaint.h"
#include "graph/limits.h"

namespace ripc {
namespace {

Complaint shape_fault(const Tensor& tensor) {
  if (tensor.shape.size() > kMaxRank) {
    return complain("too many axes", fmt::format("at most {}", kMaxRank), fmt::format("{}", tensor.shape.size()),
                    tensor.name);
  }
  std::int64_t bytes = static_cast<std::int64_t>(scalar_bytes(tensor.type));
  for (const std::int64_t extent : tensor.shape) {
    if (extent < 1) return complain("empty shape", "positive extents", shape_text(tensor.shape), tensor.name);
    if (extent > kMaxTensorBytes / bytes) {
      return complain("tensor too large", "at most 2^31 - 1 bytes", shape_text(tensor.shape), tensor.name);
    }
    bytes *= extent;
  }
  if (!tensor.data.empty() && static_cast<std::int64_t>(tensor.data.size()) != bytes) {
    return complain("constant of the wrong size", fmt::format("{} bytes", bytes), fmt::format("{}", tensor.data.size()),
                    tensor.name);
  }
  if (!tensor.data.empty() && !tensor.constant) return complain("activation with constant data", {}, {}, tensor.name);
  return {};
}

bool zero_point_fits(DataType type, std::int32_t zero_point) {
  switch (type) {
    case DataType::int8:
      return zero_point >= std::numeric_limits<std::int8_t>::min() &&
             zero_point <= std::numeric_limits<std::int8_t>::max();
    case DataType::uint8:
      return zero_point >= 0 && zero_point <= std::numeric_limits<std::uint8_t>::max();
    case DataType::int16:
      return zero_point >= std::numeric_limits<std::int16_t>::min() &&
             zero_point <= std::numeric_limits<std::int16_t>::max();
    default:
      return zero_point == 0;
  }
}

Complaint quantization_fault(const Tensor& tensor) {
  const Quantization& q = tensor.quantization;
  if (q.scale.size() != q.zero_point.size()) {
    return complain("quantisation with unequal lists", fmt::format("{} zero points", q.scale.size()),
                    fmt::format("{}", q.zero_point.size()), tensor.name);
  }
  for (const float scale : q.scale) {
    if (!std::isfinite(scale)) return complain("bad scale", "a finite number", fmt::format("{}", scale), tensor.name);
  }
  for (const std::int32_t zero_point : q.zero_point) {
    if (!zero_point_fits(tensor.type, zero_point)) {
      return complain("zero point out of range", fmt::format("one that {} holds", type_name(tensor.type)),
                      fmt::format("{}", zero_point), tensor.name);
    }
  }
  return {};
}

/// Walks the operators in order and keeps which tensors have been written.
class Validator {
 public:
  explicit Validator(const Graph& graph)
      : graph_(graph), written_(graph.tensors.size(), false), has_writer_(written_), states_(graph.states.size()) {}

  Complaint run() {
    for (const Tensor& tensor : graph_.tensors) {
      if (Complaint fault = fault_of(tensor)) return fault;
    }
    for (const Tensor& tensor : graph_.tensors) {
      if (Complaint fault = alias_fault(tensor)) return fault;
      if (Complaint fault = state_fault(tensor)) return fault;
    }
    for (const TensorId input : graph_.inputs) {
      if (Complaint fault = id_fault(input)) return fault;
      if (Complaint fault = write(input)) return fault;
    }
    for (const Op& op : graph_.ops) {
      if (!id_fault(op.output)) has_writer_[static_cast<std::size_t>(op.output)] = true;
    }
    for (const Op& op : graph_.ops) {
      Complaint fault = ids_fault(op);
      if (!fault) fault = fault_of(graph_, op);
      if (!fault) fault = own_state_fault(op);
      if (!fault) fault = write(op.output);
      if (!fault) continue;
      fault->op_index = op.source;
      fault->op_kind = kind_name(op);
      return fault;
    }
    if (graph_.outputs.empty()) return complain("the network has no output");
    for (const TensorId output : graph_.outputs) {
      if (Complaint fault = id_fault(output)) return fault;
      if (Complaint fault = read_fault(output)) return fault;
      if (tensor(storage_of(graph_, output)).state != kNoState) {
        return complain("a state is an output of the network", {}, {}, tensor(output).name);
      }
    }
    return {};
  }

 private:
  const Tensor& tensor(TensorId id) const { return graph_.tensors[static_cast<std::size_t>(id)]; }

  Complaint id_fault(TensorId id) const {
    if (id >= 0 && static_cast<std::size_t>(id) < graph_.tensors.size()) return {};
    return complain("no such tensor", fmt::format("an index below {}", graph_.tensors.size()), fmt::format("{}", id));
  }

  Complaint alias_fault(const Tensor& alias) const {
    if (alias.alias_of == kNoTensor) return {};
    if (Complaint fault = id_fault(alias.alias_of)) return fault;
    const Tensor& root = tensor(alias.alias_of);
    if (root.alias_of != kNoTensor) return complain("alias of an alias", {}, {}, alias.name);
    if (root.type == alias.type && byte_count(root) == byte_count(alias)) return {};
    return complain("alias of another size or type", fmt::format("{} {}", type_name(root.type), shape_text(root.shape)),
                    fmt::format("{} {}", type_name(alias.type), shape_text(alias.shape)), alias.name);
  }

  Complaint write(TensorId id) {
    const Tensor& target = tensor(id);
    if (target.constant) return complain("a constant is written", {}, {}, target.name);
    if (target.alias_of != kNoTensor) return complain("an alias is written", {}, {}, target.name);
    if (written_[static_cast<std::size_t>(id)]) return complain("written more than once", {}, {}, target.name);
    written_[static_cast<std::size_t>(id)] = true;
    if (target.state == kNoState) return {};
    StateUse& use = states_[static_cast<std::size_t>(target.state)];
    if (use.after != kNoTensor) return complain("state written more than once", {}, {}, target.name);
    use.after = id;
    return {};
  }

  /// What is known of a state so far.
  struct StateUse {
    TensorId after = kNoTensor;  ///< the tensor that has been written to it
    bool owned = false;          ///< by an operator
    bool seen = false;           ///< as a tensor
  };

  Complaint state_fault(const Tensor& tensor) {
    if (tensor.state == kNoState) return {};
    if (tensor.state < 0 || static_cast<std::size_t>(tensor.state) >= graph_.states.size()) {
      return complain("no such state", {}, fmt::format("{}", tensor.state), tensor.name);
    }
    states_[static_cast<std::size_t>(tensor.state)].seen = true;
    const State& state = graph_.states[static_cast<std::size_t>(tensor.state)];
    if (tensor.constant || tensor.alias_of != kNoTensor) {
      return complain("state that is an alias or a constant", {}, {}, tensor.name);
    }
    const bool fits = std::ssize(state.initial) == byte_count(tensor) &&
                      state.alignment == static_cast<std::int64_t>(scalar_bytes(tensor.type));
    return fits ? Complaint{}
                : complain("state of another size or type", fmt::format("{} bytes", byte_count(tensor)),
                           fmt::format("{}", state.initial.size()), tensor.name);
  }

  Complaint own_state_fault(const Op& op) {
    const StateId id = own_state(op);
    if (id == kNoState) return {};
    StateUse& use = states_[static_cast<std::size_t>(id)];
    if (use.owned || use.seen) return complain("state of more than one operator");
    use.owned = true;
    return {};
  }

  /// A state that is read: before the operator that writes it, unless it is what that operator wrote.
  Complaint state_read_fault(TensorId root) const {
    const StateUse& use = states_[static_cast<std::size_t>(tensor(root).state)];
    if (use.after == kNoTensor || use.after == root) return {};
    return complain("state read after it has been overwritten", {}, {}, tensor(root).name);
  }

  Complaint read_fault(TensorId id) const {
    const TensorId root = storage_of(graph_, id);
    if (tensor(root).constant) {
      return complain("constant where an activation is expected", {}, {}, tensor(id).name);
    }
    if (tensor(root).state != kNoState) {
      if (Complaint fault = state_read_fault(root)) return fault;
      // Never written by anyone: the state before the run.
      if (!has_writer_[static_cast<std::size_t>(root)]) return {};
    }
    if (written_[static_cast<std::size_t>(root)]) return {};
    return complain("read before it is written", {}, {}, tensor(id).name);
  }

  Complaint constant_fault(TensorId id) const {
    if (id == kNoTensor) return {};
    if (Complaint fault = id_fault(id)) return fault;
    if (!tensor(id).constant)
      return complain("computed weights, bias or constant operand", "a constant", {}, tensor(id).name);
    return {};
  }

  Complaint ids_fault(const Op& op) const {
    for (const TensorId input : op.inputs) {
      if (Complaint fault = id_fault(input)) return fault;
      if (Complaint fault = read_fault(input)) return fault;
    }
    if (Complaint fault = id_fault(op.output)) return fault;
    return std::visit(
        [&](const auto& kind) -> Complaint {
          if constexpr (requires { kind.weights; }) {
            if (kind.weights == kNoTensor) return complain("no weights");
            if (Complaint fault = constant_fault(kind.weights)) return fault;
            return constant_fault(kind.bias);
          } else if constexpr (requires { kind.constant; }) {
            return constant_fault(kind.constant);
          } else if constexpr (requires { kind.constants; }) {
            for (const TensorId id : kind.constants) {
              if (id == kNoTensor) return complain("no weights");
              if (Complaint fault = constant_fault(id)) return fault;
            }
            return {};
          } else {
            return {};
          }
        },
        op.kind);
  }

  const Graph& graph_;
  std::vector<bool> written_;     ///< so far
  std::vector<bool> has_writer_;  ///< sooner or later
  std::vector<StateUse> states_;
};

}  // namespace

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return shape.empty() ? "a scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

Complaint fault_of(const Tensor& tensor) {
  if (Complaint fault = shape_fault(tensor)) return fault;
  return quantization_fault(tensor);
}

Complaint fault_of(const Graph& graph) { return Validator(graph).run(); }

void validate(const Graph& graph) {
  Complaint fault = fault_of(graph);
  if (!fault) return;
  fault->file = graph.name;
  throw Error(std::move(*fault));
}

}  // namespace ripc
