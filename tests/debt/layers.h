// How tests name layers and runs.
#pragma once

#include <array>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

#include "ripc/gap.h"
#include "ripc/layer.h"

namespace ripc {

inline std::ostream& operator<<(std::ostream& out, const Window& window) {
  return out << "k" << window.kernel << " s" << window.stride << " d" << window.dilation << " p" << window.pad_before
             << "," << window.pad_after;
}

inline std::ostream& operator<<(std::ostream& out, const Layer& layer) {
  return out << layer.in_height << "x" << layer.in_width << " " << layer.in_channels << "->" << layer.out_channels
             << " groups " << layer.groups << " rows {" << layer.rows << "} columns {" << layer.columns << "} bytes "
             << layer.in_scalar << "," << layer.out_scalar << " pitch " << layer.in_pitch << "," << layer.out_pitch;
}

inline std::ostream& operator<<(std::ostream& out, TapOrder order) {
  if (order.row_direct) return out << "row-direct";
  return order == kGathered ? out << "gathered" : out << "held " << order.held_channels;
}

namespace test {

inline constexpr std::array kDirections{Direction::row_forward, Direction::row_reverse, Direction::column_forward,
                                        Direction::column_reverse};
inline constexpr std::array kLayouts{Layout::padded, Layout::dense};

/// "rf_pad" and so on, as in the columns of layers.csv.
inline std::string run_name(Direction direction, Layout layout) {
  constexpr std::array kNames{"rf", "rr", "cf", "cr"};
  return std::string(kNames.at(static_cast<std::size_t>(direction))) + (layout == Layout::padded ? "_pad" : "_den");
}

inline std::string describe(const Layer& layer, Direction direction, TapOrder order, Layout layout) {
  std::ostringstream text;
  text << layer << ", " << run_name(direction, layout) << ", " << order;
  return text.str();
}

/// Height and width, input and output channels, and one window for both axes or two.
inline Layer layer(std::pair<int, int> size, std::pair<int, int> channels, Window rows, Window columns) {
  Layer result;
  result.in_height = size.first;
  result.in_width = size.second;
  result.in_channels = channels.first;
  result.out_channels = channels.second;
  result.rows = rows;
  result.columns = columns;
  return result;
}

inline Layer layer(std::pair<int, int> size, std::pair<int, int> channels, Window window) {
  return layer(size, channels, window, window);
}

}  // namespace test
}  // namespace ripc
