#include "sweep/layer_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "ripc/error.h"

namespace ripc {
namespace {

[[noreturn]] void refuse(const std::string& word, const std::string& expected, const std::string& found) {
  throw Error({.fault = Fault::usage, .problem = "cannot read " + word, .expected = expected, .found = found});
}

/// Whole numbers between separators; the empty list if the text is anything else.
std::vector<std::int64_t> numbers(std::string_view text, char separator) {
  std::vector<std::int64_t> values;
  const char* next = text.data();
  const char* const end = text.data() + text.size();
  while (true) {
    std::int64_t value = 0;
    const auto [stop, fault] = std::from_chars(next, end, value);
    if (fault != std::errc{}) return {};
    values.push_back(value);
    if (stop == end) return values;
    if (*stop != separator) return {};
    next = stop + 1;
  }
}

/// `least` to `most` numbers.
std::vector<std::int64_t> numbers(const std::string& word, const std::string& text, char separator, std::size_t least,
                                  std::size_t most, const char* form) {
  const std::vector<std::int64_t> values = numbers(text, separator);
  if (values.size() < least || values.size() > most) refuse(word, form, text);
  return values;
}

void read_pair(const char* word, const std::string& text, std::int64_t& down, std::int64_t& across) {
  const auto values = numbers(word, text, 'x', 1, 2, "N or HEIGHTxWIDTH");
  down = values.front();
  across = values.back();
}

void pad_to_same(Window& window, std::int64_t extent) {
  const std::int64_t outputs = (extent + window.stride - 1) / window.stride;
  const std::int64_t total =
      std::max<std::int64_t>(0, (outputs - 1) * window.stride + effective_kernel(window) - extent);
  window.pad_before = total / 2;
  window.pad_after = total - total / 2;
}

void read_padding(const std::string& text, Layer& layer) {
  if (text == "valid") return;
  if (text == "same") {
    pad_to_same(layer.rows, layer.in_height);
    pad_to_same(layer.columns, layer.in_width);
    return;
  }
  const auto values = numbers("--pad", text, ',', 1, 4, "same, valid, N, or TOP,BOTTOM,LEFT,RIGHT");
  if (values.size() != 1 && values.size() != 4) refuse("--pad", "one number or four", text);
  layer.rows.pad_before = values.front();
  layer.rows.pad_after = values[values.size() == 1 ? 0 : 1];
  layer.columns.pad_before = values[values.size() == 1 ? 0 : 2];
  layer.columns.pad_after = values.back();
}

void set_kernel(Layer& layer, const std::vector<std::int64_t>& values) {
  layer.rows.kernel = values[0];
  layer.columns.kernel = values[1];
}

void read_operator(const LayerText& text, Layer& layer) {
  const auto given = [](const std::string& word) { return word.empty() ? 0 : 1; };
  if (given(text.conv) + given(text.depthwise) + given(text.pool) != 1) {
    throw Error({.fault = Fault::usage, .problem = "give one of --conv, --depthwise and --pool"});
  }
  if (!text.conv.empty()) {
    const auto values = numbers("--conv", text.conv, 'x', 3, 3, "HEIGHTxWIDTHxCHANNELS");
    set_kernel(layer, values);
    layer.out_channels = values[2];
    layer.groups = text.groups;
    return;
  }
  if (text.groups != 1) throw Error({.fault = Fault::usage, .problem = "--groups goes with --conv alone"});
  const bool pool = !text.pool.empty();
  const auto values = pool ? numbers("--pool", text.pool, 'x', 2, 2, "HEIGHTxWIDTH")
                           : numbers("--depthwise", text.depthwise, 'x', 2, 3, "HEIGHTxWIDTH or with xMULTIPLIER");
  set_kernel(layer, values);
  layer.groups = layer.in_channels;
  if (__builtin_mul_overflow(layer.in_channels, values.size() == 3 ? values[2] : 1, &layer.out_channels)) {
    refuse("--depthwise", "output channels that fit 62 bits", text.depthwise);
  }
}

std::string pair_text(std::int64_t down, std::int64_t across) {
  return down == across ? std::to_string(down) : fmt::format("{}x{}", down, across);
}

std::string padding_text(const Layer& layer) {
  const auto& [rows, columns] = std::pair(layer.rows, layer.columns);
  if (rows.pad_before == rows.pad_after && rows.pad_before == columns.pad_before &&
      rows.pad_before == columns.pad_after) {
    return std::to_string(rows.pad_before);
  }
  return fmt::format("{},{},{},{}", rows.pad_before, rows.pad_after, columns.pad_before, columns.pad_after);
}

/// What is not at its default, each as "<prefix>NAME VALUE".
std::string details(const Layer& layer, const char* prefix, const char* padding) {
  std::string text;
  const auto add = [&](const char* name, const std::string& value, const char* default_value) {
    if (value != default_value) text += fmt::format("{}{} {}", prefix, name, value);
  };
  add("stride", pair_text(layer.rows.stride, layer.columns.stride), "1");
  add("dilation", pair_text(layer.rows.dilation, layer.columns.dilation), "1");
  add(padding, padding_text(layer), "0");
  add("groups", std::to_string(layer.groups), "1");
  return text;
}

}  // namespace

Layer parse_layer(const LayerText& text) {
  Layer layer;
  const auto input = numbers("the input", text.input, 'x', 3, 3, "HEIGHTxWIDTHxCHANNELS");
  layer.in_height = input[0];
  layer.in_width = input[1];
  layer.in_channels = input[2];
  read_operator(text, layer);
  read_pair("--stride", text.stride, layer.rows.stride, layer.columns.stride);
  read_pair("--dilation", text.dilation, layer.rows.dilation, layer.columns.dilation);
  const auto bytes = numbers("--element-bytes", text.element_bytes, ',', 1, 2, "N or IN,OUT");
  layer.in_scalar = bytes.front();
  layer.out_scalar = bytes.back();
  try {
    check_layer(layer);  // before `same` divides by a stride, and again with the padding
    read_padding(text.pad, layer);
    check_layer(layer);
  } catch (const Error& error) {
    ErrorContext context = error.context();
    context.fault = Fault::usage;
    throw Error(context);
  }
  if (out_height(layer) * out_width(layer) == 0) {
    throw Error(
        {.fault = Fault::usage, .problem = "the kernel does not fit into the padded input", .found = describe(layer)});
  }
  return layer;
}

Layer parse_layer(const std::string& words) {
  LayerText text;
  std::istringstream stream(words);
  stream >> text.input;
  const std::map<std::string, std::string*> options{{"--conv", &text.conv},
                                                    {"--depthwise", &text.depthwise},
                                                    {"--pool", &text.pool},
                                                    {"--stride", &text.stride},
                                                    {"--dilation", &text.dilation},
                                                    {"--pad", &text.pad},
                                                    {"--element-bytes", &text.element_bytes}};
  for (std::string name, value; stream >> name;) {
    if (!(stream >> value)) refuse(name, "a value", "nothing");
    const auto option = options.find(name);
    if (option != options.end()) {
      *option->second = value;
    } else if (name == "--groups") {
      text.groups = numbers(name, value, 'x', 1, 1, "a number").front();
    } else {
      refuse(name, "an option of `ripc layer`", words);
    }
  }
  return parse_layer(text);
}

std::string layer_command(const Layer& layer) {
  std::string text = fmt::format("ripc layer {}x{}x{} --conv {}x{}x{}", layer.in_height, layer.in_width,
                                 layer.in_channels, layer.rows.kernel, layer.columns.kernel, layer.out_channels);
  text += details(layer, " --", "pad");
  if (layer.in_scalar != 1 || layer.out_scalar != 1) {
    text += fmt::format(" --element-bytes {},{}", layer.in_scalar, layer.out_scalar);
  }
  return text;
}

std::string describe(const Layer& layer) {
  return fmt::format("{}x{}x{} -> {}x{}x{}, kernel {}x{}", layer.in_height, layer.in_width, layer.in_channels,
                     out_height(layer), out_width(layer), layer.out_channels, layer.rows.kernel, layer.columns.kernel) +
         details(layer, ", ", "padding");
}

}  // namespace ripc
