// Operators of TensorFlow Lite that move scalars and compute nothing: slices, splits, transposes, gathers.
#pragma once

#include "import/tflite/operators.h"

namespace ripc {

/// The most that one index, block or number of repetitions may be.
inline constexpr std::int64_t kMaxStep = std::int64_t{1} << 31;

Complaint read_slice(const TfliteOp& op, OpKind& kind);
Complaint read_strided_slice(const TfliteOp& op, OpKind& kind);
Complaint read_split(const TfliteOp& op, OpKind& kind);
Complaint read_split_v(const TfliteOp& op, OpKind& kind);
Complaint read_unpack(const TfliteOp& op, OpKind& kind);
Complaint read_pack(const TfliteOp& op, OpKind& kind);
Complaint read_transpose(const TfliteOp& op, OpKind& kind);
Complaint read_gather(const TfliteOp& op, OpKind& kind);
Complaint read_depth_to_space(const TfliteOp& op, OpKind& kind);
Complaint read_space_to_depth(const TfliteOp& op, OpKind& kind);
Complaint read_mirror_pad(const TfliteOp& op, OpKind& kind);
Complaint read_reverse(const TfliteOp& op, OpKind& kind);
Complaint read_tile(const TfliteOp& op, OpKind& kind);
Complaint read_broadcast_to(const TfliteOp& op, OpKind& kind);

}  // namespace ripc
