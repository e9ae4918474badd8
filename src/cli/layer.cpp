// `ripc layer`: how much memory one layer needs in place, in every direction, layout and tap order; or a table of
// layers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/terminal.h"
#include "debt/herringbone.h"
#include "debt/other_layers.h"
#include "report/bytes.h"
#include "report/debt_picture.h"
#include "ripc/error.h"
#include "sweep/layer_table.h"
#include "sweep/layer_text.h"
#include "sweep/published_forms.h"

namespace ripc::cli {
namespace {

struct LayerCommand {
  LayerText text;
  std::int64_t alignment = 1;
  bool published = false, check = false, simulate = false;
  std::string csv, svg;
  std::string direction = "row", layout = "dense", order = "gathered";  ///< of the figure
};

/// Words for directions, layouts and orders, in the order of kDirections, kLayouts and kTapOrders.
const std::vector<std::string> kDirectionWords{"row", "row-reverse", "column", "column-reverse"};
const std::vector<std::string> kLayoutWords{"padded", "dense"};
const std::vector<std::string> kOrderWords{"gathered", "direct", "own-tap", "row-direct"};

std::size_t position(const std::vector<std::string>& words, const std::string& word) {
  return static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
}

double percent_less(std::int64_t bytes, std::int64_t other) {
  return 100 * (1 - static_cast<double>(bytes) / static_cast<double>(other));
}

/// Two columns of each layout: the gap and the workspace.
std::string gap_lines(const Layer& layer, std::int64_t alignment) {
  std::string text = fmt::format("{:<33} {:>24} {:>26}\n", "", "dense", "padding stored");
  text += fmt::format("{:<15} {:<17} {:>12} {:>12} {:>13} {:>12}\n", "direction", "taps", "gap", "workspace", "gap",
                      "workspace");
  for (const Direction direction : kDirections) {
    for (const TapOrder order : kTapOrders) {
      const Workspace dense = workspace(layer, direction, order, Layout::dense, alignment);
      const Workspace padded = workspace(layer, direction, order, Layout::padded, alignment);
      text += fmt::format("{:<15} {:<17} {:>12} {:>12} {:>13} {:>12}\n", name_of(direction), name_of(order),
                          grouped(dense.gap), grouped(dense.bytes), grouped(padded.gap), grouped(padded.bytes));
    }
  }
  return text;
}

std::string named_line(const std::string& name, const std::string& gap, std::int64_t bytes) {
  return fmt::format("{:<33} {:>12} {:>12}\n", name, gap, grouped(bytes));
}

/// The least workspace of all, the first of equals.
std::string least_line(const Layer& layer, std::int64_t alignment) {
  Configuration best;
  std::int64_t least = workspace(layer, best.direction, best.order, best.layout, alignment).bytes;
  for (const Configuration& other : kConfigurations) {
    const std::int64_t bytes = workspace(layer, other.direction, other.order, other.layout, alignment).bytes;
    if (bytes >= least) continue;
    least = bytes;
    best = other;
  }
  const std::int64_t dual = dual_buffer_bytes(layer);
  return fmt::format("least: {} bytes, {}, {}, {}: {:.1f} % less than two buffers\n", grouped(least),
                     name_of(best.direction), name_of(best.layout), name_of(best.order), percent_less(least, dual));
}

std::string published_lines(const Layer& layer) {
  const LayerAnswers truth = answers_of(layer, Source::simulation);
  std::string text = fmt::format("\n{:<33} {:>12} {:>12}\n", "gap as published", "says", "simulated");
  for (const PublishedForm& form : kPublishedForms) {
    const std::optional<std::int64_t> says = form.gap(layer);
    if (!says) continue;
    const std::int64_t needed = truth_of(form, truth);
    const char* verdict = *says < needed ? "  unsafe" : *says > needed ? "  loose" : "";
    text += fmt::format("{:<33} {:>12} {:>12}{}\n", form.name, grouped(*says), grouped(needed), verdict);
  }
  return text;
}

/// Throws ripc::Error if a simulator contradicts a formula.
std::string check_lines(const Layer& layer) {
  const LayerAnswers formula = answers_of(layer, Source::formula);
  const LayerAnswers simulation = answers_of(layer, Source::simulation);
  const auto refuse = [](const std::string& where, const std::string& says, const std::string& found) {
    throw Error(
        {.problem = "the formula for " + where + " is wrong", .expected = found + " by simulation", .found = says});
  };
  const auto words = [](std::optional<std::int64_t> raw) { return raw ? std::to_string(*raw) : std::string("none"); };
  for (std::size_t i = 0; i < kConfigurationCount; ++i) {
    if (formula.gaps[i] != simulation.gaps[i]) {
      refuse(column_of(kConfigurations[i]), words(formula.gaps[i].raw), words(simulation.gaps[i].raw));
    }
  }
  if (formula.herringbone != simulation.herringbone) {
    refuse("the herringbone", std::to_string(formula.herringbone), std::to_string(simulation.herringbone));
  }
  // Literal stepping costs a tag check a tap and output channel, eight runs of the dearest orders, each twice, and
  // eight bytes of memory a byte.
  constexpr double kMostChecks = 2e8;
  constexpr std::int64_t kMostBytes = 1 << 26;
  double checks = static_cast<double>(out_bytes(layer)) * static_cast<double>(layer.in_channels * layer.in_scalar);
  checks *= static_cast<double>(layer.rows.kernel) * static_cast<double>(layer.columns.kernel);
  if (checks > kMostChecks || std::max(padded_in_bytes(layer), out_bytes(layer)) > kMostBytes) {
    return fmt::format("\ncheck: {} gaps and the herringbone agree with the simulation by last reads\n",
                       kConfigurationCount);
  }
  for (std::size_t i = 0; i < kConfigurationCount; ++i) {
    if (!literal_run_confirms(layer, kConfigurations[i], formula.gaps[i].raw)) {
      refuse(column_of(kConfigurations[i]), words(formula.gaps[i].raw), "another gap");
    }
  }
  return fmt::format(
      "\ncheck: {} gaps and the herringbone agree with the simulation by last reads; stepped literally, each gap is "
      "exact "
      "and one byte less is not\n",
      kConfigurationCount);
}

std::string table(const LayerCommand& command, const Layer& layer) {
  std::string text = fmt::format("{}\ninput {} bytes ({} with its padding), output {} bytes\n\n", describe(layer),
                                 grouped(in_bytes(layer)), grouped(padded_in_bytes(layer)), grouped(out_bytes(layer)));
  text += gap_lines(layer, command.alignment) + "\n";
  if (layer.in_scalar == layer.out_scalar) {
    const std::int64_t gap = herringbone_gap(layer) * layer.in_scalar;
    text += named_line("herringbone, padding stored", grouped(gap), padded_in_bytes(layer) + gap);
  }
  text += named_line("two buffers", "", dual_buffer_bytes(layer));
  text += named_line("lower bound: the larger tensor", "", replacement_bytes(layer));
  return text + "\n" + least_line(layer, command.alignment);
}

void write_picture(const LayerCommand& command, const Layer& layer) {
  const Configuration configuration{kDirections.at(position(kDirectionWords, command.direction)),
                                    kLayouts.at(position(kLayoutWords, command.layout)),
                                    kTapOrders.at(position(kOrderWords, command.order))};
  const std::string svg = debt_picture_svg(layer, configuration);
  const auto* bytes = reinterpret_cast<const std::byte*>(svg.data());
  write_bytes(command.svg, {bytes, bytes + svg.size()});
}

void answer_file(const LayerCommand& command) {
  const std::vector<LayerRow> rows = parse_layer_table(read_text(command.csv), command.csv);
  print(layer_table(rows, command.simulate ? Source::simulation : Source::formula));
}

void answer_layer(const LayerCommand& command) {
  const Layer layer = parse_layer(command.text);
  if (command.published || command.check || !command.svg.empty()) require_simulable(layer);
  print(table(command, layer));
  if (command.published) print(published_lines(layer));
  if (!command.svg.empty()) write_picture(command, layer);
  if (command.check) print(check_lines(layer));
}

void add_layer_words(Command& app, LayerText& text) {
  app.text("input", text.input, "input tensor").type("HxWxC");
  app.text("--conv", text.conv, "convolution: kernel and output channels").type("KHxKWxC");
  app.text("--depthwise", text.depthwise, "depthwise convolution, channel multiplier M").type("KHxKW[xM]");
  app.text("--pool", text.pool, "pooling").type("KHxKW");
  app.text("--stride", text.stride, "default 1").type("S or SHxSW");
  app.text("--dilation", text.dilation, "default 1").type("D or DHxDW");
  app.text("--pad", text.pad, "valid (the default), same, a number, or four of them").type("PAD or T,B,L,R");
  app.number("--groups", text.groups, "of a convolution").type("N");
  app.text("--element-bytes", text.element_bytes, "bytes of a scalar").type("N or IN,OUT");
}

}  // namespace

void add_layer(Command& app) {
  auto command = std::make_shared<LayerCommand>();
  Command layer_app = app.subcommand("layer", "the memory that one layer needs in place, every way of running it");
  add_layer_words(layer_app, command->text);
  layer_app.number("--align", command->alignment, "bytes that the upper tensor's start is a multiple of")
      .between(1, std::int64_t{1} << 20)
      .type("BYTES");
  layer_app.flag("--published", command->published, "the forms of the publication beside the simulation");
  layer_app.flag("--check", command->check, "hold the table against the simulators; exit 1 if one disagrees");
  layer_app.text("--svg", command->svg, "draw the run at its largest debt, and the debt over the output").type("FILE");
  const auto choice = [&layer_app](const char* name, std::string& word, const std::vector<std::string>& words) {
    layer_app.text(name, word, "of the figure; default " + word).one_of(words).type("NAME");
  };
  choice("--direction", command->direction, kDirectionWords);
  choice("--layout", command->layout, kLayoutWords);
  choice("--order", command->order, kOrderWords);
  const Argument csv = layer_app.text("--csv", command->csv, "answer for a file of layers").type("FILE");
  layer_app.flag("--simulate", command->simulate, "with --csv: by simulation, not by formula").needs(csv);
  layer_app.footer(
      "Examples: ripc layer 14x14x1 --conv 3x3x5 --pad same --svg layer.svg --check\n"
      "          ripc layer 17x17x128 --conv 7x1x192 --pad 3,3,0,0 --published\n"
      "          ripc layer --csv layers.csv --simulate\n\n"
      "A file of layers is comma-separated; its first line names the columns, among them id, category, Hin, Win,\n"
      "Cin, Cout, kh, kw, sh, sw, dh, dw, pt, pb, pl, pr (padding: top, bottom, left, right) and groups.");
  layer_app.action([command] {
    if (command->csv.empty() == command->text.input.empty()) {
      throw Error({.fault = Fault::usage,
                   .problem = "give a layer or --csv FILE, not both",
                   .remedy = "See ripc layer --help"});
    }
    command->csv.empty() ? answer_layer(*command) : answer_file(*command);
  });
}

}  // namespace ripc::cli
