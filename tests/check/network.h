// Small networks and plans made by hand, with kernels of every contract, so that each number of a plan can be bent.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "check/check.h"
#include "ripc/error.h"

namespace ripc::test {

/// Kernels that exist only here: one a tap order, and some that need more than tensors.
inline const rip_contract* find_test_contract(const char* kernel) {
  constexpr std::int16_t kPixel = std::numeric_limits<std::int16_t>::max();
  static const rip_contract contracts[] = {
      {"disjoint", RIP_DISJOINT, 0, 0, 1, 0, {}, {}, 0},
      {"row_direct", RIP_ROW_DIRECT, 0, 0, 1, 1, {}, {}, 0},
      {"elementwise", RIP_ELEMENTWISE, 0, 0, 1, 1, {}, {}, 0},
      {"gathered", RIP_PIXEL_DIRECT, kPixel, 0, 1, 1, {}, {}, 0},
      {"direct", RIP_PIXEL_DIRECT, 1, 0, 1, 1, {}, {}, 0},
      {"held2", RIP_PIXEL_DIRECT, 2, 0, 1, 1, {}, {}, 0},
      {"channel_local", RIP_CHANNEL_LOCAL, 0, 0, 1, 1, {}, {}, 0},
      {"plane", RIP_PLANE, 0, 1, 1, 1, {0, 0, 0, 0, 1, 0, 0, 0}, {}, 0},
      {"whole", RIP_PIXEL_DIRECT, kPixel, 1, 1, 1, {}, {}, 0},
      {"aligned", RIP_PIXEL_DIRECT, kPixel, 0, 4, 1, {}, {}, 0},
      {"with_scratch", RIP_PIXEL_DIRECT, kPixel, 0, 1, 1, {0, 0, 0, 1, 0, 0, 0, 0}, {}, 0},
      {"any_scratch", RIP_PIXEL_DIRECT, kPixel, 0, 1, 1, {0, 0, 0, 1, 0, 0, 0, 0}, {}, 1},
      {"with_kept", RIP_PIXEL_DIRECT, kPixel, 0, 1, 1, {}, {8, 0, 0, 0, 0, 0, 0, 0}, 0},
  };
  for (const rip_contract& contract : contracts) {
    if (std::string(contract.kernel) == kernel) return &contract;
  }
  return nullptr;
}

/// A graph and its plan, built side by side.
struct Network {
  Graph graph;
  Plan plan;

  /// A tensor that lies at `offset` of the arena; in a ring if it has fewer slots than rows. Offset -1: not stored.
  TensorId tensor(const std::string& name, const ImageShape& shape, std::int64_t offset, std::int64_t slots = 0,
                  DataType type = DataType::int8) {
    const auto id = static_cast<TensorId>(graph.tensors.size());
    Tensor made;
    made.name = name;
    made.type = type;
    made.shape = {1, shape.height, shape.width, shape.channels};
    graph.tensors.push_back(made);
    if (offset >= 0) {
      plan.storages.push_back({.tensor = id,
                               .offset = offset,
                               .row_bytes = byte_count(made) / shape.height,
                               .slots = slots == 0 ? shape.height : slots});
    }
    return id;
  }

  /// An operator with its kernel, in no stage yet.
  OpId op(OpKind kind, std::vector<TensorId> inputs, TensorId output, const std::string& kernel) {
    const auto id = static_cast<OpId>(graph.ops.size());
    graph.ops.push_back({.kind = std::move(kind), .inputs = std::move(inputs), .output = output, .source = id});
    plan.ops.push_back({.op = id, .kernel = kernel, .scratch = {}, .kept = {}});
    return id;
  }

  /// An operator that is a stage of its own.
  OpId stage(OpKind kind, std::vector<TensorId> inputs, TensorId output, const std::string& kernel,
             bool reverse = false) {
    const OpId id = op(std::move(kind), std::move(inputs), output, kernel);
    const std::int64_t rows = row_count(graph, graph.ops.back());
    plan.schedule.stages.push_back({.ops = {id}, .reverse = reverse, .steps = {{1, {{0, rows}}}}});
    return id;
  }

  Storage& storage(TensorId tensor) {
    for (Storage& stored : plan.storages) {
      if (stored.tensor == tensor) return stored;
    }
    throw std::out_of_range("no storage");
  }

  CheckReport check() const { return check_plan(graph, plan, find_test_contract); }
};

/// The message of the fault that the checker finds; empty if it finds none.
inline std::string fault_of(const Network& network) {
  try {
    network.check();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

inline void expect_right(const Network& network) { EXPECT_EQ(fault_of(network), ""); }

/// The checker must find a fault whose message holds `words`.
inline void expect_fault(const Network& network, const std::string& words) {
  const std::string fault = fault_of(network);
  EXPECT_NE(fault.find(words), std::string::npos) << "fault: " << (fault.empty() ? "none" : fault);
}

/// A network of one operator. `distance` is input start - output start forward, output end - input end in reverse.
inline Network one_op(const OpKind& kind, const ImageShape& in, const ImageShape& out, const std::string& kernel,
                      std::int64_t distance, bool reverse = false, DataType in_type = DataType::int8,
                      DataType out_type = DataType::int8) {
  const auto bytes = [](const ImageShape& image, DataType type) {
    return image.height * image.width * image.channels * static_cast<std::int64_t>(scalar_bytes(type));
  };
  const std::int64_t in_bytes = bytes(in, in_type);
  const std::int64_t out_bytes = bytes(out, out_type);
  const std::int64_t in_above = reverse ? out_bytes - in_bytes - distance : distance;  // input start - output start
  const std::int64_t out_offset = std::max<std::int64_t>(0, -in_above);
  Network network;
  network.plan.alignment = 8;
  const TensorId input = network.tensor("in", in, out_offset + in_above, 0, in_type);
  const TensorId output = network.tensor("out", out, out_offset, 0, out_type);
  network.graph.inputs = {input};
  network.graph.outputs = {output};
  network.stage(kind, {input}, output, kernel, reverse);
  network.plan.arena_bytes = out_offset + std::max(in_above + in_bytes, out_bytes);
  return network;
}

/// A window of `kernel` taps that keeps the extent.
inline Window same_window(std::int64_t kernel) {
  return {.kernel = kernel, .stride = 1, .dilation = 1, .pad_before = kernel / 2, .pad_after = kernel / 2};
}

inline Conv2d conv(std::int64_t kernel) { return {.rows = same_window(kernel), .columns = same_window(kernel)}; }

inline DepthwiseConv2d depthwise(std::int64_t kernel) {
  return {.rows = same_window(kernel), .columns = same_window(kernel)};
}

}  // namespace ripc::test
