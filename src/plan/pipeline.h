// The search over plans: kernel variants, directions, placement, for the least arena.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "placement/placers.h"
#include "plan/plan.h"
#include "plan/problem_of.h"
#include "schedule/order.h"

namespace ripc {

/// The kernels among which the planner may choose for an operator, the fastest first.
using KernelSource = std::function<std::vector<KernelOption>(const Graph&, const Op&)>;

/// Whether the operators run as the file lists them, or in the order that needs least.
enum class OperatorOrder : std::uint8_t { file, best };

/// What the fastest kernels may cost in memory: nothing beyond the least possible arena, at most a tenth of it, or
/// whatever they take.
enum class Optimize : std::uint8_t { ram, balanced, speed };

/// Numbers of blocks a row among which a plan finds what takes least.
inline constexpr std::array<std::int64_t, 3> kStageBlocks{4, 8, 16};

struct PlanOptions {
  MemoryOptions memory;
  Optimize optimize = Optimize::ram;
  std::optional<std::int64_t> constant_bytes;  ///< that weights and tables may take in flash; see plan/flash.h
  bool within_flash = false;                   ///< `kernels` and `stage_kernels` have only what the flash has room for
  OperatorOrder order = OperatorOrder::best;
  bool stages = false;  ///< operators may run row by row together
  /// Into how many blocks a stage may divide its rows, where that takes less than whole rows.
  std::vector<std::int64_t> stage_blocks{};
  bool stream_input = false;  ///< with stages: rows of the input arrive while the first of them runs
  OrderOptions order_options;
  std::string placer = "exact";
  PlacerOptions placer_options;
  KernelSource kernels = [](const Graph& graph, const Op& op) { return kernel_options(graph, op); };
  /// In a stage of several operators.
  KernelSource stage_kernels = [](const Graph& graph, const Op& op) { return stage_kernel_options(graph, op); };
};

/// Bytes that no plan of the graph with these options can do without: what some step of every order needs. 0 with
/// options.stages.
std::int64_t least_arena(const Graph& graph, const PlanOptions& options);

/// Plans a canonical graph: an order of its operators, and what plan_in_order finds for it. Never a larger arena than
/// in the graph's own order, which is kept on a tie, and where tensors share the place of a state. With options.stages
/// the smallest of this and the staged plans in either order (plan/stages.h). Throws as plan_in_order.
Plan make_plan(const Graph& graph, const PlanOptions& options);

/// Plans a schedule of one operator a stage: for each operator the fastest kernel that `options.optimize` allows, a
/// direction, and offsets. The answer has passed validate_placement; it says nothing of other orders.
/// Throws ripc::Error if no placement exists (fixed offsets) or the placer refuses.
Plan plan_in_order(const Graph& graph, const Schedule& schedule, const PlanOptions& options);

}  // namespace ripc
