// The processors that code is made for, as far as the choice of kernels goes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ripc {

struct Target {
  std::string_view name;
  bool dsp = false;     ///< multiplies two pairs of 16-bit halves at once: Arm's DSP extension
  bool m0 = false;      ///< multiplies 32 bits by 32 to no more than 32: Arm's Cortex-M0 and M0+
  bool pairs = false;   ///< has registers enough for the sums of two pixels: RISC-V
  bool tables = false;  ///< reads two words of flash in less time than it takes to requantize

  bool operator==(const Target&) const = default;
};

/// Kernels of portable C only.
inline constexpr Target kPortable{.name = "portable"};

/// Whatever kernels there are: what can be run, rather than what is fast.
inline constexpr Target kEveryKernel{.name = "every kernel", .dsp = true, .m0 = true, .pairs = true, .tables = true};

std::vector<std::string> target_names();

/// The target of one of target_names(); throws ripc::Error (usage) for any other name.
Target target_named(std::string_view name);

}  // namespace ripc
