#include "graph/resize.h"

#include <algorithm>
#include <cmath>

namespace ripc {

std::vector<std::int64_t> nearest_map(std::int64_t in, std::int64_t out, const ResizeNearest& resize) {
  const bool align = resize.align_corners && out > 1;
  const float scale = align ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                            : static_cast<float>(in) / static_cast<float>(out);
  const float offset = resize.half_pixel_centers ? 0.5F : 0.0F;
  std::vector<std::int64_t> map;
  for (std::int64_t i = 0; i < out; ++i) {
    const float place = (static_cast<float>(i) + offset) * scale;
    const float index = resize.align_corners ? std::round(place) : std::floor(place);
    map.push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(index), 0, in - 1));
  }
  return map;
}

namespace {

BilinearTaps real_taps(std::int64_t i, std::int64_t in, std::int64_t out, const ResizeBilinear& resize) {
  const bool align = resize.align_corners && out > 1;
  const float scale = align ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                            : static_cast<float>(in) / static_cast<float>(out);
  const auto index = static_cast<float>(i);
  const float place = resize.half_pixel_centers ? (index + 0.5F) * scale - 0.5F : index * scale;
  const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(place)));
  const auto second = std::min(static_cast<std::int64_t>(std::ceil(place)), in - 1);
  return {.first = first, .second = second, .fraction = 0, .part = place - static_cast<float>(first)};
}

}  // namespace

BilinearTaps bilinear_taps(std::int64_t i, std::int64_t in, std::int64_t out, const ResizeBilinear& resize, bool real) {
  if (real) return real_taps(i, in, out, resize);
  constexpr std::int64_t kOne = 1024;
  std::int64_t scale = (kOne * in + out / 2) / out;
  if (resize.align_corners && out > 1) scale = (kOne * (in - 1) + (out - 1) / 2) / (out - 1);
  const std::int64_t place = i * scale + (resize.half_pixel_centers ? scale / 2 - kOne / 2 : 0);
  const std::int64_t first = std::max<std::int64_t>(0, place / kOne);
  return {.first = first, .second = std::min((place + kOne - 1) / kOne, in - 1), .fraction = place - kOne * first};
}

std::vector<BilinearTaps> bilinear_map(std::int64_t in, std::int64_t out, const ResizeBilinear& resize, bool real) {
  std::vector<BilinearTaps> taps;
  for (std::int64_t i = 0; i < out; ++i) taps.push_back(bilinear_taps(i, in, out, resize, real));
  return taps;
}

}  // namespace ripc
