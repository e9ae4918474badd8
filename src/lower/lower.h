// From an operator of the graph to a kernel of the runtime: which kernels can run it, and that kernel's parameters and
// tables.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "graph/graph.h"
#include "lower/target.h"
#include "rip/contract.h"
#include "rip/kernels.h"
#include "rip/node.h"

namespace ripc {

/// A kernel that can run an operator, its contract filled in with the operator's numbers.
struct KernelOption {
  const rip_contract* contract = nullptr;
  std::int64_t scratch_bytes = 0;
  std::int64_t kept_bytes = 0;
  std::int64_t instructions = 0;  ///< about: see lower/instructions.h
};

/// The kernels that can run `op` exactly on the target, the one with the fewest instructions first: its own family's,
/// then portable ones. Never empty for a validated graph.
std::vector<KernelOption> kernel_options(const Graph& graph, const Op& op, const Target& target = kPortable);

/// These and, after them, those that only pay in a stage: they write over a row that they read, or take their input row
/// by row.
std::vector<KernelOption> stage_kernel_options(const Graph& graph, const Op& op, const Target& target = kPortable);

/// An array in flash. The bytes are little endian.
struct Constant {
  std::string role;  ///< "weights", "bias", "multiplier", "table", ...
  std::string type;  ///< C type of an element: int8_t, int16_t, uint16_t, int32_t, int64_t, float
  std::vector<std::byte> data;
};

/// Parameters of a kernel: exactly the struct that ships, its pointers into `LoweredOp::constants`.
using KernelParams =
    std::variant<rip_conv2d_s8, rip_conv2d_dsp, rip_depthwise_dsp, rip_add_dsp, rip_add_table, rip_conv2d_m0,
                 rip_depthwise_m0, rip_depthwise_s8, rip_pool_s8, rip_add, rip_mul, rip_minmax, rip_prelu_s8,
                 rip_pair_f32, rip_pair_s32, rip_unary_f32, rip_sigmoid_s16, rip_slopes_s16, rip_cast, rip_mean_s8,
                 rip_pad, rip_softmax_s8, rip_table_s8, rip_table_f32, rip_quantize_f32, rip_resize_nearest, rip_concat,
                 rip_rearrange, rip_resize_bilinear_s8, rip_transpose_conv_s8, rip_transpose_conv_s16,
                 rip_transpose_conv_f32, rip_lstm_f32, rip_sum_s8, rip_extreme_s8, rip_l2_normalize_s8, rip_copy,
                 rip_lstm_s8, rip_svdf_s8, rip_conv2d_f32, rip_conv2d_s16, rip_depthwise_f32, rip_depthwise_s16,
                 rip_pool_f32, rip_mean_f32, rip_softmax_f32, rip_softmax_s16, rip_dequantize_s16, rip_rescale,
                 rip_signal_window, rip_signal_vector, rip_signal_rfft, rip_signal_filter_bank, rip_signal_noise,
                 rip_signal_gain, rip_signal_log, rip_load, rip_log_softmax_s8, rip_resize_bilinear_f32, rip_sum_f32>;

/// rip_view::space of an operand in flash.
inline constexpr std::int32_t kConstantSpace = RIP_CONSTANT;

/// To be moved, not copied: the parameters point into its own constants.
struct LoweredOp {
  std::string kernel;  ///< as in its contract
  KernelParams params;
  std::deque<Constant> constants;            ///< deque: addresses stay put while it grows
  std::vector<rip_view> in{};                ///< the node's input views: to be set with view_inputs
  std::optional<rip_view> constant_view{};   ///< of an operand in flash, complete
  bool constant_first = false;               ///< it is the left operand
  std::vector<rip_column_blocks> blocks{};   ///< one, or none: a call makes a whole row; set with divide
  std::vector<rip_scratch> scratch_steps{};  ///< by step, or none: it stays where it is; set with move_scratch
  rip_node node{};  ///< geometry only: rows, stride, height, width, row_map, constant; views, step and scratch are the
                    ///< plan's

  /// The node makes its rows in such blocks. Moving the object is safe.
  void divide(const rip_column_blocks& how) {
    blocks = {how};
    node.blocks = blocks.data();
  }

  /// The node's scratch lies there. Moving the object is safe.
  void move_scratch(std::vector<rip_scratch> steps) {
    scratch_steps = std::move(steps);
    node.scratch_steps = scratch_steps.empty() ? nullptr : scratch_steps.data();
  }

  /// The node's activations lie there. The node points into this object; moving it is safe.
  void view_inputs(std::vector<rip_view> views) {
    in = std::move(views);
    if (constant_view) in.insert(constant_first ? in.begin() : in.end(), *constant_view);
    node.in = in.data();
  }
};

/// Whether output pixel i is made of input pixel i and of no other.
bool is_pixelwise(const Graph& graph, const Op& op);

/// Lowers `op` for the kernel of that name. `whole` says that the operator runs by itself on whole tensors: a 1x1
/// stride-1 kernel then sees one row of height * width pixels. Throws ripc::Error if a constant has no data (a network
/// without weights).
LoweredOp lower(const Graph& graph, const Op& op, const std::string& kernel, bool whole);

/// Bytes of all its arrays in flash.
std::int64_t constant_bytes(const LoweredOp& op);

/// Calls the kernel of `op` with `call`.
void call_kernel(const LoweredOp& op, const rip_row_call& call);

}  // namespace ripc
