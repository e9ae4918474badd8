#include "debt/herringbone.h"

#include <algorithm>

namespace ripc {

namespace {

// The largest value on the integers from `low` to `high` of a function whose second difference is constant.
template <typename Quadratic>
std::int64_t largest(std::int64_t low, std::int64_t high, Quadratic f) {
  std::int64_t most = std::max(f(low), f(high));
  const std::int64_t rise = f(low + 1) - f(low);
  const std::int64_t bend = f(low + 2) - f(low + 1) - rise;
  if (rise > 0 && bend < 0) {
    // The first step up that is none: rise + (x - low) * bend <= 0.
    const std::int64_t top = low + (rise - bend - 1) / -bend;
    most = std::max(most, f(std::min(top, high)));
  }
  return most;
}

}  // namespace

std::int64_t herringbone_gap(const Layer& layer) {
  if (out_height(layer) > out_width(layer)) return herringbone_gap(transposed(layer));
  const Layer stored = padding_stored(layer);
  const std::int64_t rows = out_height(stored), columns = out_width(stored);
  if (rows == 0) return 0;
  const std::int64_t sh = stored.rows.stride, sw = stored.columns.stride;
  const std::int64_t height = stored.in_height, width = stored.in_width;

  // Outputs made and inputs returned before leg `leg`: all but the rectangle from (leg, leg) on.
  const auto debt = [&](std::int64_t leg, std::int64_t more_outputs, std::int64_t more_inputs) {
    const std::int64_t outputs = rows * columns - (rows - leg) * (columns - leg) + more_outputs;
    const std::int64_t inputs = height * width - (height - leg * sh) * (width - leg * sw) + more_inputs;
    return outputs * stored.out_channels - inputs * stored.in_channels;
  };
  // Along a part every pixel returns as much, so that the debt is largest at one of its ends. A pixel of the row part
  // returns one stride of each axis; its last pixel, and with it the row, is still out when the part ends.
  const auto row_start = [&](std::int64_t leg) { return debt(leg, 1, 0); };
  const auto row_end = [&](std::int64_t leg) { return debt(leg, columns - leg, (columns - 1 - leg) * sw * sh); };
  // The column part starts when the row part has returned the whole of its rows of input.
  const auto column_start = [&](std::int64_t leg) { return debt(leg, columns - leg + 1, (width - leg * sw) * sh); };
  const auto column_end = [&](std::int64_t leg) {
    return debt(leg, columns - leg + rows - leg - 1, (width - leg * sw) * sh + (rows - leg - 2) * sh * sw);
  };

  // The last leg is a row alone, under which nothing is needed: a pixel returns all that lies below it.
  const std::int64_t last = rows - 1;
  const std::int64_t last_end = debt(last, columns - last, (columns - 1 - last) * sw * (height - last * sh));
  std::int64_t gap = std::max(row_start(last), last_end);
  if (last > 0) {
    gap = std::max({gap, largest(0, last - 1, row_start), largest(0, last - 1, row_end),
                    largest(0, last - 1, column_start), largest(0, last - 1, column_end)});
  }
  return gap;
}

}  // namespace ripc
