#include "cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "cli/terminal.h"
#include "emit/emit.h"
#include "report/boards.h"
#include "report/bytes.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

std::optional<double> parse_seconds(const std::string& text) {
  double seconds = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || !(seconds >= 0.0)) {
    throw Error({.fault = Fault::usage,
                 .problem = "--time-limit is not a number of seconds",
                 .expected = "0 or more",
                 .found = text});
  }
  return seconds;
}

/// What is left of the flash to weights and tables where kernels are chosen: code takes an eighth, 32 KB at most.
std::int64_t left_by_code(std::int64_t flash) { return flash - std::min<std::int64_t>(flash / 8, std::int64_t{32768}); }

/// The numbers of blocks a row that --blocks names.
std::vector<std::int64_t> blocks_of(const std::string& text) {
  if (text.empty()) return {};
  if (text == "auto") return {kStageBlocks.begin(), kStageBlocks.end()};
  std::int64_t blocks = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), blocks);
  constexpr std::int64_t kMost = 1024;
  if (fault != std::errc{} || end != text.data() + text.size() || blocks < 1 || blocks > kMost) {
    throw Error({.fault = Fault::usage,
                 .problem = "--blocks takes a number of blocks or auto",
                 .expected = fmt::format("1 to {}, or auto", kMost),
                 .found = text});
  }
  if (blocks == 1) return {};
  return {blocks};
}

Optimize optimize_of(const std::string& aim) {
  if (aim == "ram") return Optimize::ram;
  return aim == "balanced" ? Optimize::balanced : Optimize::speed;
}

std::uint32_t parse_seed(const std::string& text) {
  std::uint32_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw Error({.fault = Fault::usage,
                 .problem = "--random-weights is not a seed",
                 .expected = "a number of 32 bits",
                 .found = text});
  }
  return seed;
}

}  // namespace

void add_size_option(Command& app, const std::string& name, std::optional<std::int64_t>& bytes,
                     const std::string& help) {
  app.parsed(
         name, [&bytes, name](const std::string& text) { bytes = parse_bytes(text, name); }, help)
      .type("SIZE");
}

void add_search_options(Command& app, SearchOptions& options) {
  constexpr std::int64_t kMostNodes = 1'000'000'000'000;
  app.text("--placer", options.placer, "how memory is packed; the others are for comparison")
      .one_of(placer_names())
      .type("NAME");
  app.number("--node-limit", options.node_limit, "search steps before the best answer so far is taken")
      .between(0, kMostNodes)
      .shows_default()
      .type("N");
  app.parsed(
         "--time-limit", [&options](const std::string& text) { options.time_limit = parse_seconds(text); },
         "seconds, likewise; the answer may then differ from run to run, unlike with --node-limit")
      .type("S");
}

PlacerOptions placer_options(const SearchOptions& options) {
  PlacerOptions placer;
  placer.node_limit = options.node_limit;
  placer.time_limit = options.time_limit;
  return placer;
}

void add_network_options(Command& app, NetworkOptions& options) {
  app.text("model", options.model, "int8 .tflite model, or a network in JSON").type("MODEL");
  app.text("--io", options.io, "int8: drop float QUANTIZE and DEQUANTIZE at the edges; the caller converts")
      .one_of({"model", "int8"})
      .type("TYPE");
  app.text("--input", options.input, "extern: read the input from the caller's buffer, never write it")
      .one_of({"arena", "extern"})
      .type("PLACE");
  app.flag("--keep-input", options.keep_input, "the input survives the run (it is overwritten otherwise)");
  app.flag("--stream-input", options.stream_input, "the input arrives row by row; C gets functions that take rows");
  app.flag("--steps", options.steps, "C gets a function that runs one step at a time");
  app.texts("--outputs", options.outputs, "tensors to be the outputs: cuts off what comes after them")
      .one_value()
      .type("TENSOR[,TENSOR]");
  app.flag("--disjoint", options.disjoint, "nothing in place: what the best dual buffer does, for comparison");
  app.text("--order", options.order, "of the operators: the one that needs least, or the file's")
      .one_of({"best", "file"})
      .type("ORDER");
  app.text("--stages", options.stages,
           "on: operators may run row by row together, so that most of their tensors never exist as a whole")
      .one_of({"on", "off"})
      .shows_default()
      .type("WHETHER");
  app.text("--blocks", options.blocks,
           "with --stages on: into how many blocks a stage may divide its rows, for less RAM and more calls; auto: "
           "whatever takes least")
      .type("NUMBER|auto");
  app.text("--optimize", options.optimize,
           "what faster kernels may cost: no RAM, a tenth of the arena, whatever they take")
      .one_of({"ram", "balanced", "speed"})
      .type("AIM");
  app.text("--target", options.target, "processor whose own kernels may be used; the bytes are the same on all")
      .one_of(target_names())
      .type("TARGET");
  app.text("--board", options.board, "the board that it is for: its processor, RAM, flash and stack")
      .one_of(board_names())
      .type("BOARD");
  add_size_option(app, "--flash", options.flash,
                  "flash that the constants must fit, e.g. 1M: faster kernels have larger weights as far as it lasts");
  app.parsed(
         "--random-weights", [&options](const std::string& text) { options.random_weights = parse_seed(text); },
         "a network without weights gets pseudo-random ones, so that code can be made and measured")
      .type("SEED");
  app.text("--name", options.name, "what to call the network; default: the file's name").type("NAME");
  add_search_options(app, options.search);
}

void add_budget_options(Command& app, Budget& budget) {
  add_size_option(app, "--ram", budget.ram, "RAM that arena and state must fit, e.g. 256K");
  add_size_option(app, "--flash-cache", budget.flash_cache,
                  "cache in front of the flash, e.g. 16K: says how many bytes of constants a run misses in it");
}

std::optional<std::int64_t> ram_of(const Budget& budget, const NetworkOptions& options) {
  const Board* board = find_board(options.board);
  return budget.ram || board == nullptr ? budget.ram : board->ram;
}

std::optional<std::int64_t> flash_of(const NetworkOptions& options) {
  const Board* board = find_board(options.board);
  return options.flash || board == nullptr ? options.flash : board->flash;
}

Target target_of(const NetworkOptions& options) {
  const Board* board = find_board(options.board);
  if (!options.target.empty()) return target_named(options.target);
  return board != nullptr ? target_named(board->target) : kPortable;
}

PlanOptions plan_options(const NetworkOptions& options) {
  if (options.search.placer == "exact-cover" && !options.disjoint) {
    throw Error({.fault = Fault::usage,
                 .problem = "--placer exact-cover cannot place tensors over each other",
                 .remedy = "Add --disjoint, or use another placer"});
  }
  if (options.keep_input && options.stream_input) {
    throw Error({.fault = Fault::usage,
                 .problem = "--keep-input and --stream-input exclude each other: rows that arrive are not kept",
                 .remedy = "Leave one of them out"});
  }
  if (!options.blocks.empty() && options.stages != "on") {
    throw Error({.fault = Fault::usage,
                 .problem = "--blocks divides the rows of stages, and there are none",
                 .remedy = "Add --stages on, or leave --blocks out"});
  }
  PlanOptions plan;
  plan.memory.in_place = !options.disjoint;
  plan.memory.keep_input = options.keep_input;
  plan.memory.external_input = options.input == "extern";
  plan.order = options.order == "file" ? OperatorOrder::file : OperatorOrder::best;
  plan.stages = options.stages == "on" && !options.disjoint;
  plan.stream_input = plan.stages && options.stream_input;
  if (plan.stages) plan.stage_blocks = blocks_of(options.blocks);
  plan.optimize = optimize_of(options.optimize);
  if (const auto flash = flash_of(options)) plan.constant_bytes = left_by_code(*flash);
  plan.kernels = [target = target_of(options)](const Graph& graph, const Op& op) {
    return kernel_options(graph, op, target);
  };
  plan.stage_kernels = [target = target_of(options)](const Graph& graph, const Op& op) {
    return stage_kernel_options(graph, op, target);
  };
  plan.placer = options.search.placer;
  plan.placer_options = placer_options(options.search);
  return plan;
}

std::string flags_text(const NetworkOptions& options) {
  std::vector<std::string> flags;
  if (options.io != "model") flags.push_back("--io " + options.io);
  if (options.input != "arena") flags.push_back("--input " + options.input);
  if (options.keep_input) flags.emplace_back("--keep-input");
  if (options.stream_input) flags.emplace_back("--stream-input");
  if (options.steps) flags.emplace_back("--steps");
  if (options.disjoint) flags.emplace_back("--disjoint");
  for (const std::string& output : options.outputs) flags.push_back("--outputs " + shell_word(output));
  if (options.order != "best") flags.push_back("--order " + options.order);
  if (options.stages != "off") flags.push_back("--stages " + options.stages);
  if (!options.blocks.empty()) flags.push_back("--blocks " + options.blocks);
  if (options.optimize != "ram") flags.push_back("--optimize " + options.optimize);
  if (!options.target.empty()) flags.push_back("--target " + options.target);
  if (options.flash) flags.push_back(fmt::format("--flash {}", *options.flash));
  if (options.random_weights) flags.push_back(fmt::format("--random-weights {}", *options.random_weights));
  if (!options.board.empty()) flags.push_back("--board " + options.board);
  const SearchOptions plain;
  if (options.search.placer != plain.placer) flags.push_back("--placer " + options.search.placer);
  if (options.search.node_limit != plain.node_limit) {
    flags.push_back(fmt::format("--node-limit {}", options.search.node_limit));
  }
  if (options.search.time_limit) flags.push_back(fmt::format("--time-limit {}", *options.search.time_limit));
  return fmt::format("{}", fmt::join(flags, " "));
}

}  // namespace ripc::cli
