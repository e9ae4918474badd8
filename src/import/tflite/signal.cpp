#include "import/tflite/signal.h"

#include <flatbuffers/flexbuffers.h>
#include <fmt/format.h>

#include <optional>

namespace ripc {
namespace {

struct SignalName {
  const char* name;
  SignalKind kind;
  std::size_t activations, constants;
  std::size_t outputs = 1;
};

constexpr SignalName kNames[] = {{"CUSTOM:SignalWindow", SignalKind::window, 1, 1},
                                 {"CUSTOM:SignalFftAutoScale", SignalKind::scale, 1, 0, 2},
                                 {"CUSTOM:SignalRfft", SignalKind::rfft, 1, 0},
                                 {"CUSTOM:SignalEnergy", SignalKind::energy, 1, 0},
                                 {"CUSTOM:SignalFilterBank", SignalKind::filter_bank, 1, 5},
                                 {"CUSTOM:SignalFilterBankSquareRoot", SignalKind::square_root, 2, 0},
                                 {"CUSTOM:SignalFilterBankSpectralSubtraction", SignalKind::denoise, 1, 0, 2},
                                 {"CUSTOM:SignalPCAN", SignalKind::gain, 2, 1},
                                 {"CUSTOM:SignalFilterBankLog", SignalKind::log, 1, 0}};

const SignalName* find(const std::string& kind) {
  for (const SignalName& name : kNames) {
    if (kind == name.name) return &name;
  }
  return nullptr;
}

/// The options of a custom operator: numbers by name. The first one that is missing is kept as a complaint.
class Options {
 public:
  explicit Options(std::span<const std::byte> bytes) : bytes_(bytes.begin(), bytes.end()) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes_.data());
    std::vector<std::uint8_t> reused;
    if (bytes_.size() < 3 || !flexbuffers::VerifyBuffer(data, bytes_.size(), &reused)) return;
    const flexbuffers::Reference root = flexbuffers::GetRoot(data, bytes_.size());
    if (root.IsMap()) map_ = root.AsMap();
  }

  std::int64_t number(const char* key) {
    const flexbuffers::Reference value = map_ ? (*map_)[key] : flexbuffers::Reference();
    if ((value.IsInt() || value.IsUInt() || value.IsBool()) && !value.IsNull()) return value.AsInt64();
    if (!missing_) missing_ = complain("option is missing", key);
    return 0;
  }

  Complaint missing() const { return missing_; }

 private:
  std::vector<std::byte> bytes_;  // aligned
  std::optional<flexbuffers::Map> map_;
  Complaint missing_;
};

SignalNoise read_noise(Options& options) {
  SignalNoise noise;
  noise.even_weight = options.number("smoothing");
  noise.even_rest = options.number("one_minus_smoothing");
  noise.odd_weight = options.number("alternate_smoothing");
  noise.odd_rest = options.number("alternate_one_minus_smoothing");
  noise.smoothing_bits = options.number("smoothing_bits");
  noise.weight_bits = options.number("spectral_subtraction_bits");
  noise.least_part = options.number("min_signal_remaining");
  noise.clamps = options.number("clamping") != 0;
  return noise;
}

Complaint read_options(std::span<const std::byte> bytes, Signal& signal) {
  Options options(bytes);
  switch (signal.kind) {
    case SignalKind::window:
      signal.shift = options.number("shift");
      break;
    case SignalKind::energy:
      signal.first = options.number("start_index");
      signal.end = options.number("end_index");
      break;
    case SignalKind::denoise:
      signal.noise = read_noise(options);
      break;
    case SignalKind::gain:
      signal.shift = options.number("snr_shift");
      break;
    case SignalKind::log:
      signal.shift = options.number("input_correction_bits");
      signal.scale = options.number("output_scale");
      break;
    default:
      break;
  }
  return options.missing();
}

}  // namespace

bool is_signal(const std::string& kind) { return find(kind) != nullptr; }

Complaint read_signal(const RecurrentContext& context, const tflite::Operator& source, std::vector<Op>& ops) {
  const SignalName* name = find(context.reader.kind(source));
  const std::vector<int> inputs = TfliteReader::indices(source.inputs());
  const std::vector<int> outputs = TfliteReader::indices(source.outputs());
  if (name == nullptr || inputs.size() != name->activations + name->constants || outputs.size() != name->outputs) {
    return complain("wrong number of inputs or outputs", {}, fmt::format("{} and {}", inputs.size(), outputs.size()));
  }
  Signal signal{.kind = name->kind};
  Op op;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!context.reader.is_tensor(inputs[i])) return complain("input that is no tensor");
    const bool constant = i >= name->activations;
    if (constant && !context.reader.has_data(inputs[i])) {
      return complain("computed weights", "a constant", {}, context.reader.name(inputs[i]));
    }
    TensorId& id = (constant ? signal.constants : op.inputs).emplace_back();
    if (Complaint complaint = context.tensor(inputs[i], constant, id)) return complaint;
  }
  std::vector<TensorId> made;
  for (const int output : outputs) {
    if (!context.reader.is_tensor(output)) return complain("output that is no tensor");
    if (Complaint complaint = context.tensor(output, false, made.emplace_back())) return complaint;
  }
  const auto options = context.reader.custom_options(source);
  if (Complaint complaint = context.reader.spend(options.size(), {})) return complaint;
  if (Complaint complaint = read_options(options, signal)) return complaint;

  const auto add = [&](Signal kind, std::vector<TensorId> from, TensorId to) -> Complaint {
    ops.push_back({.kind = std::move(kind), .inputs = std::move(from), .output = to, .source = op.source});
    return fault_of(context.graph, ops.back());
  };
  if (signal.kind == SignalKind::scale) {
    if (Complaint complaint = add({.kind = SignalKind::headroom}, op.inputs, made[1])) return complaint;
  }
  if (signal.kind == SignalKind::denoise) {
    Signal noise = signal;
    noise.kind = SignalKind::noise;
    noise.state = static_cast<StateId>(context.graph.states.size());
    const Tensor& estimate = context.graph.tensors[static_cast<std::size_t>(made[1])];
    if (Complaint complaint = context.reader.spend_state(estimate)) return complaint;
    const auto bytes = static_cast<std::size_t>(byte_count(estimate));
    context.graph.states.push_back(
        {.name = estimate.name, .alignment = 4, .initial = std::vector<std::byte>(bytes, std::byte{0})});
    if (Complaint complaint = add(std::move(noise), op.inputs, made[1])) return complaint;
    op.inputs.push_back(made[1]);
  }
  return add(std::move(signal), op.inputs, made[0]);
}

}  // namespace ripc
