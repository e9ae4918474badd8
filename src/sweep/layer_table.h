// Tables of layers with everything that can be said of them, as comma-separated text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ripc/layer.h"
#include "sweep/answers.h"

namespace ripc {

struct LayerRow {
  std::string id, category;  ///< copied as they are
  Layer layer;
};

/// Reads a table whose first line names its columns; the parameter columns id, category, Hin, Win, Cin, Cout, kh, kw,
/// sh, sw, dh, dw, pt, pb, pl, pr and groups must be among them, in any order, and others are not looked at. Throws
/// ripc::Error (usage) that names `path` and the line for a missing column, a wrong number of cells, anything but a
/// whole number, a layer that check_layer refuses, and one that makes no output.
std::vector<LayerRow> parse_layer_table(std::string_view text, const std::string& path);

/// A line of column names, then a line a layer: the parameter columns; Hout, Wout and the scalars of the tensors; the
/// gap of every direction, layout and order; raw gaps ("none": no constraint); gaps with the groups in force, of which
/// the columns before know nothing; the herringbone's gap by frontier liveness, and with inputs held until their last
/// reader where those that nobody reads are freed first (pruned) or never (held). The last two have no closed form and
/// are simulated whatever `source` says, so that a layer that is too large for it is refused. Works on `threads`
/// threads (0: one a core).
std::string layer_table(std::span<const LayerRow> rows, Source source, unsigned threads = 0);

}  // namespace ripc
