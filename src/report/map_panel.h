// One arena drawn: time across, address up, a rectangle for each block, hatched where two share bytes. Knows offsets
// and lives, and nothing of how they came about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/stage_fill.h"
#include "report/words.h"

namespace ripc {

inline constexpr double kMapLeft = 76, kMapRight = 16;

/// From columns and bytes to the page. Column 0 is the caller writing the inputs, then one an operator, and a last one
/// for the caller reading the outputs. An operator takes the first part of its column; in the rest only what waits for
/// a later one is alive, which is where there is room for its name.
struct MapScale {
  double pitch = 0;   ///< width of a column
  double active = 0;  ///< of it, while the operator runs
  double pixels_per_byte = 0;
  std::size_t columns = 0;

  double x(std::size_t column) const { return kMapLeft + pitch * static_cast<double>(column); }
  double right() const { return x(columns); }
};

/// From one coordinate to a larger one.
struct Stretch {
  double from = 0, to = 0;

  double width() const { return to - from; }
  double middle() const { return (from + to) / 2; }
};

struct MapPanel {
  ArenaView arena;
  std::string heading;     ///< above it
  std::int64_t bytes = 0;  ///< its height
  double top = 0;          ///< where the plot begins; heading and peak mark are above
  bool full = true;  ///< operators named by number and kind, labels for every zoom; false: numbers, and what fits now
  std::int64_t mark = 0;           ///< a dashed line at that many bytes ...
  std::string mark_text{};         ///< ... and what it stands for; empty: none
  std::vector<StageFill> fills{};  ///< of the arena's blocks
};

inline constexpr double kPanelHead = 44;

/// Height of the plot, and of the names of operators below it.
double plot_height(const MapScale& scale, const MapPanel& panel);
double names_height(const MapPanel& panel);

/// The elements of the panel, for an <svg> that has the pattern "hatch" and the style of map_style().
std::string map_panel_svg(const MapScale& scale, const MapPanel& panel);

/// A coordinate, to a tenth of a pixel.
std::string coordinate(double value);

/// A rectangle of a class of map_style(), and what it says of itself, a line each, in its <title>.
std::string rect_element(const std::string& style, const Stretch& across, const Stretch& down,
                         const std::vector<std::string>& details = {});

}  // namespace ripc
