// Which kernels make the rows of a stage, and where each of them can put its rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "lower/lower.h"
#include "schedule/stage_flow.h"
#include "schedule/stage_rings.h"

namespace ripc {

/// Whether a kernel makes row after row, wherever its rows lie.
bool makes_rows(const rip_contract& contract);

/// Whether it makes any columns of a row by themselves.
bool makes_blocks(const rip_contract& contract);

/// By OpId, those of `kernels` that do so.
std::vector<std::vector<KernelOption>> kernels_for_blocks(std::vector<std::vector<KernelOption>> kernels);

/// By OpId, those of `kernels` that make row after row, in the same order. What can sum up its input row by row does
/// only that, where the sums take less than the rows that would have to wait.
std::vector<std::vector<KernelOption>> kernels_for_rows(const Graph& graph,
                                                        std::vector<std::vector<KernelOption>> kernels);

/// By OpId, whether the operator sums up its input row by row.
std::vector<bool> sums_of(const std::vector<std::vector<KernelOption>>& kernels);

/// The kernel of least side memory for a kind of home; null if there is none.
const KernelOption* kernel_for(const Graph& graph, const FlowOp& made, std::span<const KernelOption> kernels,
                               RowHome home);

/// The fastest kernel for a kind of home that needs no more than `scratch` and changes nothing else.
const KernelOption& fastest_for(const Graph& graph, const FlowOp& made, std::span<const KernelOption> kernels,
                                RowHome home, std::int64_t scratch, const KernelOption& least);

/// What the kernels can do with an input row that the operator reads for the last time.
RowSharing sharing_of(const Graph& graph, const FlowOp& made, std::span<const KernelOption> kernels);

}  // namespace ripc
