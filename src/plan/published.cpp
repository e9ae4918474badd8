#include "plan/published.h"

namespace ripc {
namespace {

constexpr rip_contract contract(const char* name, rip_tap_order order) {
  return {.kernel = name,
          .order = order,
          .held = INT16_MAX,
          .whole_tensor = 0,
          .alignment = 1,
          .tight = 0,
          .scratch = {},
          .kept = {},
          .any_scratch = 0};
}

constexpr rip_contract kDisjoint = contract("published disjoint", RIP_DISJOINT);
constexpr rip_contract kGatheredFirst = contract("published gathered", RIP_PIXEL_DIRECT);
constexpr rip_contract kChannelPlanes = contract("published channel by channel", RIP_PLANE);
constexpr rip_contract kElements = contract("published elementwise", RIP_ELEMENTWISE);

bool keeps_channel_planes(const Op& op) {
  const auto* depthwise = std::get_if<DepthwiseConv2d>(&op.kind);
  return (depthwise != nullptr && depthwise->multiplier == 1);
}

}  // namespace

std::vector<KernelOption> published_base_kernels(const Graph&, const Op& op) {
  return {{.contract = keeps_channel_planes(op) ? &kChannelPlanes : &kDisjoint}};
}

std::vector<KernelOption> published_rip_kernels(const Graph&, const Op& op) {
  if (keeps_channel_planes(op) || std::holds_alternative<Pool2d>(op.kind)) return {{.contract = &kChannelPlanes}};
  if (std::holds_alternative<Conv2d>(op.kind) || std::holds_alternative<ResizeNearest>(op.kind))
    return {{.contract = &kGatheredFirst}};
  if (std::holds_alternative<Binary>(op.kind) || std::holds_alternative<Unary>(op.kind) ||
      std::holds_alternative<Clamp>(op.kind))
    return {{.contract = &kElements}};
  return {{.contract = &kDisjoint}};
}

}  // namespace ripc
