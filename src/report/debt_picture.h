// A figure of one layer that eats its input: where it stands when its debt is largest, and how the debt got there.
#pragma once

#include <string>

#include "ripc/layer.h"
#include "sweep/configuration.h"

namespace ripc {

/// A whole SVG document, for a light page or a dark one. Above, at the step of the largest debt: the output with what
/// is written, the input with what is free, what is live and the taps that are read, and both in the one memory that
/// they share. Below: the debt over the output index, its peak and the gap marked. The layer must make an output.
std::string debt_picture_svg(const Layer& layer, const Configuration& configuration);

}  // namespace ripc
