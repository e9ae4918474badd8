// Two ways of running one network, compared byte by byte: as planned, and with nothing fused and nothing in place.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "cli/golden.h"
#include "cli/options.h"
#include "execute/execute.h"

namespace ripc::cli {

/// `planned` is what is looked at; `apart` runs operator by operator, each tensor in bytes of its own.
struct Pair {
  const Graph& graph;
  Program planned, apart;
  std::int64_t apart_bytes = 0;  ///< its arena
};

struct Counts {
  std::int64_t runs = 0, bytes = 0, ops = 0, golden_ops = 0, golden_bytes = 0;
};

/// Plans the run apart. `options`: those that `plan` was made with.
Pair pair_of(const Graph& graph, const Plan& plan, const NetworkOptions& options);

/// The first byte that differs.
std::size_t first_difference(std::span<const std::byte> a, std::span<const std::byte> b);

/// A byte as the messages show it.
std::string byte_text(std::span<const std::byte> bytes, std::size_t at);

/// Throws ripc::Error: the operator's output is not what it should be.
[[noreturn]] void differs(const Graph& graph, OpId id, const std::string& problem, const std::string& expected,
                          const std::string& found);

/// Runs both and compares every operator's output, and with the golden hashes where there are any (by tensor of the
/// model file). `run` names the inputs in messages. Returns the outputs. Throws ripc::Error at the first difference.
std::vector<Bytes> compare_ops(const Pair& pair, const std::vector<Bytes>& inputs, const std::string& run,
                               const std::map<int, GoldenTensor>& golden, Counts& counts);

}  // namespace ripc::cli
