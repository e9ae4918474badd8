// What the operators of the audio front end ask of their tensors.
#include <fmt/format.h>

#include <bit>
#include <initializer_list>
#include <limits>

#include "graph/checks.h"

namespace ripc {
namespace {

constexpr std::int64_t kGainEntries = 125;
constexpr std::int64_t kMostWeight = std::numeric_limits<std::int32_t>::max();

class SignalCheck {
 public:
  SignalCheck(const Graph& graph, const Op& op, const Signal& signal) : graph_(graph), op_(op), signal_(signal) {}

  Complaint run() const {
    const bool pair = signal_.kind == SignalKind::square_root || signal_.kind == SignalKind::denoise ||
                      signal_.kind == SignalKind::gain;
    if (op_.inputs.size() != (pair ? 2U : 1U)) {
      return complain("wrong number of inputs", pair ? "2" : "1", fmt::format("{}", op_.inputs.size()));
    }
    for (const Tensor* t : {&input(), &output()}) {
      if (image_shape(*t).channels == element_count(*t)) continue;
      return complain("more than one vector", "as many scalars as the last dimension has", shape_text(t->shape),
                      t->name);
    }
    switch (signal_.kind) {
      case SignalKind::window:
        return window();
      case SignalKind::headroom:
        if (Complaint fault = types(DataType::int16, DataType::int32)) return fault;
        return size_fault(output(), 1);
      case SignalKind::scale:
        if (Complaint fault = types(DataType::int16, DataType::int16)) return fault;
        return size_fault(output(), element_count(input()));
      case SignalKind::rfft:
        return rfft();
      case SignalKind::energy:
        return energy();
      case SignalKind::filter_bank:
        return filter_bank();
      case SignalKind::square_root:
        if (Complaint fault = types(DataType::uint64, DataType::uint32)) return fault;
        if (second().type != DataType::int32) return type_fault(second(), "int32");
        if (Complaint fault = size_fault(second(), 1)) return fault;
        return size_fault(output(), element_count(input()));
      case SignalKind::noise:
        return noise();
      case SignalKind::denoise:
        return denoise();
      case SignalKind::gain:
        return gain();
      case SignalKind::log:
        break;
    }
    if (Complaint fault = types(DataType::uint32, DataType::int16)) return fault;
    if (Complaint fault = range_fault("scale", signal_.scale, 0, kMostWeight)) return fault;
    if (Complaint fault = range_fault("shift", signal_.shift, 0, 31)) return fault;
    return size_fault(output(), element_count(input()));
  }

 private:
  const Tensor& tensor(TensorId id) const { return graph_.tensors[static_cast<std::size_t>(id)]; }
  const Tensor& input() const { return tensor(op_.inputs[0]); }
  const Tensor& second() const { return tensor(op_.inputs[1]); }
  const Tensor& output() const { return tensor(op_.output); }

  Complaint types(DataType in, DataType out) const {
    if (input().type != in) return type_fault(input(), type_name(in));
    return output().type == out ? Complaint{} : type_fault(output(), type_name(out));
  }

  static Complaint size_fault(const Tensor& t, std::int64_t count) {
    if (element_count(t) == count) return {};
    return complain("vector of another size", fmt::format("{}", count), shape_text(t.shape), t.name);
  }

  static Complaint range_fault(const char* what, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value >= least && value <= most) return {};
    return complain(fmt::format("{} out of range", what), fmt::format("{} to {}", least, most),
                    fmt::format("{}", value));
  }

  /// So many constants of int16.
  Complaint constants_fault(std::size_t count) const {
    if (signal_.constants.size() != count) return complain("wrong number of constants");
    for (const TensorId id : signal_.constants) {
      if (tensor(id).type != DataType::int16) return type_fault(tensor(id), "int16");
    }
    return {};
  }

  Complaint window() const {
    if (Complaint fault = types(DataType::int16, DataType::int16)) return fault;
    if (Complaint fault = size_fault(output(), element_count(input()))) return fault;
    if (Complaint fault = constants_fault(1)) return fault;
    if (Complaint fault = range_fault("shift", signal_.shift, 0, 31)) return fault;
    const Tensor& weights = tensor(signal_.constants[0]);
    if (element_count(weights) > 0 && element_count(input()) % element_count(weights) == 0) return {};
    return complain("window that does not divide the samples", fmt::format("{}", element_count(input())),
                    shape_text(weights.shape), weights.name);
  }

  Complaint rfft() const {
    if (Complaint fault = types(DataType::int16, DataType::int16)) return fault;
    // The complex transform has half as many points as there are samples; its spectrum has one more.
    const std::int64_t points = element_count(output()) / 2 - 1;
    if (points < 2 || !std::has_single_bit(static_cast<std::uint64_t>(points)) || element_count(output()) % 2 != 0) {
      return complain("transform whose length is no power of two", "at least 4 points", fmt::format("{}", 2 * points),
                      output().name);
    }
    if (element_count(input()) <= 2 * points) return {};
    return complain("more samples than the transform has points", fmt::format("{}", 2 * points),
                    shape_text(input().shape), input().name);
  }

  Complaint energy() const {
    if (Complaint fault = types(DataType::int16, DataType::uint32)) return fault;
    if (Complaint fault = size_fault(input(), 2 * element_count(output()))) return fault;
    if (Complaint fault = range_fault("first point", signal_.first, 0, element_count(output()))) return fault;
    return range_fault("last point", signal_.end, signal_.first, element_count(output()));
  }

  Complaint filter_bank() const {
    if (Complaint fault = types(DataType::uint32, DataType::uint64)) return fault;
    if (Complaint fault = constants_fault(5)) return fault;
    for (std::size_t i = 2; i < 5; ++i) {
      if (Complaint fault = size_fault(tensor(signal_.constants[i]), element_count(output()) + 1)) return fault;
    }
    return size_fault(tensor(signal_.constants[1]), element_count(tensor(signal_.constants[0])));
  }

  Complaint noise_parameters() const {
    const SignalNoise& n = signal_.noise;
    for (const std::int64_t weight : {n.even_weight, n.even_rest, n.odd_weight, n.odd_rest, n.least_part}) {
      if (Complaint fault = range_fault("weight", weight, 0, kMostWeight)) return fault;
    }
    if (Complaint fault = range_fault("bits of smoothing", n.smoothing_bits, 0, 31)) return fault;
    return range_fault("bits of weights", n.weight_bits, 0, 63);
  }

  Complaint noise() const {
    if (Complaint fault = types(DataType::uint32, DataType::uint32)) return fault;
    if (Complaint fault = size_fault(output(), element_count(input()))) return fault;
    if (signal_.state < 0 || static_cast<std::size_t>(signal_.state) >= graph_.states.size()) {
      return complain("no such state");
    }
    const State& state = graph_.states[static_cast<std::size_t>(signal_.state)];
    if (std::ssize(state.initial) != byte_count(output())) {
      return complain("state of the wrong size", fmt::format("{} bytes", byte_count(output())),
                      fmt::format("{}", state.initial.size()), state.name);
    }
    return noise_parameters();
  }

  Complaint denoise() const {
    if (Complaint fault = pair()) return fault;
    return noise_parameters();
  }

  Complaint pair() const {
    if (Complaint fault = types(DataType::uint32, DataType::uint32)) return fault;
    if (second().type != DataType::uint32) return type_fault(second(), "uint32");
    if (Complaint fault = size_fault(second(), element_count(input()))) return fault;
    return size_fault(output(), element_count(input()));
  }

  Complaint gain() const {
    if (Complaint fault = pair()) return fault;
    if (Complaint fault = constants_fault(1)) return fault;
    if (Complaint fault = range_fault("shift", signal_.shift, 0, 63)) return fault;
    const Tensor& table = tensor(signal_.constants[0]);
    if (element_count(table) >= kGainEntries) return {};
    return complain("gain function that is too short", fmt::format("{} entries", kGainEntries), shape_text(table.shape),
                    table.name);
  }

  const Graph& graph_;
  const Op& op_;
  const Signal& signal_;
};

}  // namespace

Complaint signal_fault(const Graph& graph, const Op& op, const Signal& signal) {
  return SignalCheck(graph, op, signal).run();
}

}  // namespace ripc
