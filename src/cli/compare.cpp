#include "cli/compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/fnv.h"
#include "plan/pipeline.h"
#include "ripc/error.h"

namespace ripc::cli {

Pair pair_of(const Graph& graph, const Plan& plan, const NetworkOptions& options) {
  PlanOptions apart = plan_options(options);
  apart.memory.in_place = apart.stages = apart.stream_input = false;
  const Plan plain = make_plan(graph, apart);
  return {.graph = graph, .planned = link(graph, plan), .apart = link(graph, plain), .apart_bytes = plain.arena_bytes};
}

std::size_t first_difference(std::span<const std::byte> a, std::span<const std::byte> b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

[[noreturn]] void differs(const Graph& graph, OpId id, const std::string& problem, const std::string& expected,
                          const std::string& found) {
  const Op& op = graph.ops[static_cast<std::size_t>(id)];
  throw Error({.op_index = op.source,
               .op_kind = kind_name(op),
               .tensor = graph.tensors[static_cast<std::size_t>(op.output)].name,
               .problem = problem,
               .expected = expected,
               .found = found});
}

std::string byte_text(std::span<const std::byte> bytes, std::size_t at) {
  return fmt::format("0x{:02x}", std::to_integer<unsigned>(bytes[at]));
}

std::vector<Bytes> compare_ops(const Pair& pair, const std::vector<Bytes>& inputs, const std::string& run,
                               const std::map<int, GoldenTensor>& golden, Counts& counts) {
  std::map<OpId, Bytes> wanted;
  const std::vector<bool> unwritten = partly_unwritten(pair.graph);
  const RunResult apart = execute(pair.apart, inputs, [&](OpId id, std::span<const std::byte> bytes) {
    wanted[id] = Bytes(bytes.begin(), bytes.end());
  });
  const RunResult planned = execute(pair.planned, inputs, [&](OpId id, std::span<const std::byte> bytes) {
    const Bytes& other = wanted.at(id);
    if (!std::ranges::equal(bytes, other)) {
      const std::size_t at = first_difference(bytes, other);
      differs(pair.graph, id, fmt::format("{}: byte {} differs in place", run, at), byte_text(other, at),
              byte_text(bytes, at));
    }
    ++counts.ops;
    counts.bytes += std::ssize(bytes);
    const Op& op = pair.graph.ops[static_cast<std::size_t>(id)];
    const auto reference = golden.find(pair.graph.tensors[static_cast<std::size_t>(op.output)].source);
    if (reference == golden.end() || unwritten[static_cast<std::size_t>(op.output)]) return;
    if (reference->second.bytes != std::ssize(bytes)) {
      differs(pair.graph, id, run + ": another size than the golden tensor",
              fmt::format("{} bytes", reference->second.bytes), fmt::format("{} bytes", bytes.size()));
    }
    if (const std::uint64_t hash = fnv1a64(bytes); hash != reference->second.hash) {
      differs(pair.graph, id, run + ": differs from the golden tensor",
              fmt::format("fnv1a64 {:016x}", reference->second.hash), fmt::format("{:016x}", hash));
    }
    ++counts.golden_ops;
  });
  for (std::size_t i = 0; i < apart.outputs.size(); ++i) {
    if (apart.outputs[i] == planned.outputs[i]) continue;
    throw Error({.tensor = pair.graph.tensors[static_cast<std::size_t>(pair.graph.outputs[i])].name,
                 .problem = run + ": the output was overwritten after it was made"});
  }
  ++counts.runs;
  return planned.outputs;
}

}  // namespace ripc::cli
