// How the terms of the axes and of the pixel make one gap. Shared by windowed layers and by layers that map pixels.
#pragma once

#include <cstdint>

#include "debt/axis.h"
#include "ripc/gap.h"
#include "ripc/layer.h"

namespace ripc {

/// What is written at the last read of a pixel's taps, in bytes above output pixel * out pitch, less the address of the
/// taps' channels within their input pixel.
struct PixelDebt {
  Debt own;       ///< where the pixel itself has begun to write: holds for every pixel
  Debt previous;  ///< where it has not: up to the end of the pixel before, so that the first pixel constrains nothing
};

/// The channels, scalar sizes and pitches of `layer` under `order`; its windows play no part except, in a row-direct
/// order, through the `out_width` pixels of an output row.
PixelDebt pixel_debt(const Layer& layer, TapOrder order, std::int64_t out_width);

/// Bytes of a pixel's pitch that hold no scalar of it. They lie after the scalars, so a mirrored run sees them before.
std::int64_t mirror_shift(const Layer& layer);

/// The raw gap: the largest, over all pixels, of row term + column term + pixel term.
Debt combined(const AxisDebt& rows, const AxisDebt& columns, const PixelDebt& pixel);

}  // namespace ripc
