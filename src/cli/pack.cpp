// `ripc pack`: buffers with life times from a CSV file into the least memory; nothing of networks.
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "placement/csv.h"
#include "placement/placers.h"
#include "report/bytes.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

struct PackCommand {
  std::string file, out;
  std::optional<std::int64_t> capacity;
  SearchOptions search;
  std::int64_t cell = 1;
};

Problem load(const PackCommand& command) {
  const std::string text = command.file == "-" ? read_standard_input() : read_text(command.file);
  return naming(command.file, [&] {
    Problem problem = read_csv(text);
    problem.capacity = command.capacity;
    return problem;
  });
}

/// Two buffers whose fixed offsets contradict each other, in words; empty if there are none.
std::string clash(const Problem& problem) {
  const auto& buffers = problem.buffers;
  for (const Buffer& a : buffers) {
    for (const Buffer& b : buffers) {
      if (&a >= &b || !a.offset || !b.offset || a.first > b.last || b.first > a.last) continue;
      if (*a.offset + a.bytes <= *b.offset || *b.offset + b.bytes <= *a.offset) continue;
      return fmt::format("'{}' at {} overlaps '{}' at {} while both live", a.name, *a.offset, b.name, *b.offset);
    }
  }
  return {};
}

[[noreturn]] void refuse(const PackCommand& command, const Problem& problem, const Placement& placement) {
  const bool exact = command.search.placer == placer_names().front();
  constexpr std::int64_t kNowhere = std::int64_t{1} << 62;  // a bound this high stands for no capacity at all
  ErrorContext context{.fault = command.capacity ? Fault::does_not_fit : Fault::model, .file = command.file};
  const std::string least = grouped(placement.lower_bound);
  if (placement.proof != Proof::infeasible) {
    context.problem = command.capacity ? "no placement within --capacity was found; there may be one"
                                       : "no placement was found; there may be one";
    if (command.capacity) context.expected = fmt::format("at most {} bytes", grouped(*command.capacity));
    context.found = placement.offsets.empty()
                        ? fmt::format("none; at least {} bytes are needed", least)
                        : fmt::format("{} bytes; at least {} are needed", grouped(placement.peak), least);
    context.remedy = exact ? "Raise --node-limit, which is " + grouped(command.search.node_limit)
                           : "Use the placer " + placer_names().front();
  } else if (command.capacity && placement.lower_bound > *command.capacity && placement.lower_bound < kNowhere) {
    context.problem = "proven: no placement fits --capacity";
    context.expected = fmt::format("at most {} bytes", grouped(*command.capacity));
    context.found = fmt::format("at least {} bytes are needed", least);
  } else {
    context.fault = Fault::model;
    context.problem = "proven: no placement exists";
    context.found = clash(problem);
    context.remedy = "Free a fixed offset: leave it empty or write -1";
  }
  throw Error(std::move(context));
}

std::string proof_line(const PackCommand& command, const Placement& placement) {
  if (placement.proof == Proof::optimal) return "proven: no placement is smaller";
  const std::string open = fmt::format("not proven: {} may be possible", grouped(placement.lower_bound));
  if (placement.proof == Proof::heuristic) return open + "; this placer does not prove anything";
  if (command.capacity) return open + "; it fits, and less was not asked for";
  return open + "; a limit ended the search";
}

std::string summary(const PackCommand& command, const Problem& problem, const Placement& placement, double seconds) {
  const bool searches = placement.proof != Proof::heuristic;
  std::string text = fmt::format("{}: {} buffers, placer {}\n", command.file, grouped(std::ssize(problem.buffers)),
                                 command.search.placer);
  text += fmt::format("  peak         {}\n", exact_and_human(placement.peak));
  if (command.capacity) text += fmt::format("  capacity     {}\n", exact_and_human(*command.capacity));
  text += fmt::format("  lower bound  {}\n", exact_and_human(placement.lower_bound));
  text += fmt::format("  proof        {}\n", proof_line(command, placement));
  if (searches) {
    text += fmt::format("  nodes        {} of {}\n", grouped(placement.nodes), grouped(command.search.node_limit));
  }
  text += fmt::format("  time         {:.3f} s of the processor\n", seconds);
  if (!command.out.empty()) text += fmt::format("  wrote        {}\n", command.out);
  return text;
}

void pack(const PackCommand& command) {
  const Problem problem = load(command);
  PlacerOptions options = placer_options(command.search);
  options.coarsening = command.cell;
  const std::clock_t start = std::clock();
  const Placement placement = place(problem, command.search.placer, options);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (placement.offsets.empty() || placement.proof == Proof::infeasible ||
      placement.peak > command.capacity.value_or(placement.peak)) {
    refuse(command, problem, placement);
  }
  if (const std::string fault = validate_placement(problem, placement); !fault.empty()) {
    throw Error({.file = command.file,
                 .problem = "placer '" + command.search.placer + "' gave a wrong placement: " + fault,
                 .remedy = "This is a fault of ripc; choose another with --placer and report it"});
  }
  const bool to_output = command.out == "-";
  if (!command.out.empty()) {
    const std::string csv = write_csv(problem, &placement);
    if (to_output) {
      print_data(csv);
    } else {
      write_text(command.out, csv);
    }
  }
  const std::string text = summary(command, problem, placement, seconds);
  if (to_output) {
    std::fputs(text.c_str(), stderr);
  } else {
    print(text);
  }
}

}  // namespace

void add_pack(Command& app) {
  auto command = std::make_shared<PackCommand>();
  Command pack_app = app.subcommand("pack", "give buffers with life times their places in the least memory");
  pack_app
      .text("file", command->file,
            "CSV, one buffer a line: columns id, lower, upper, size, and if wanted alignment and offset; - reads the "
            "standard input")
      .required()
      .type("FILE");
  add_size_option(pack_app, "--capacity", command->capacity,
                  "memory that there is, e.g. 1M: stop at the first placement that fits");
  add_search_options(pack_app, command->search);
  pack_app.number("--cell", command->cell, "placer exact-cover: bytes of a cell")
      .between(1, std::int64_t{1} << 40)
      .shows_default()
      .type("BYTES");
  pack_app.text("-o,--out", command->out, "CSV to write, with an offset for each buffer; - is the standard output")
      .type("FILE");
  pack_app.footer(
      "A buffer lives from step lower up to, not including, step upper. Two that live at one step do not overlap;\n"
      "others may share their bytes. An offset in the file is kept; an empty or negative one is free.\n"
      "The output is checked before it is written.\n"
      "Example: ripc pack buffers.csv --capacity 1M -o placed.csv\n"
      "Exit codes: 0 done, 1 no placement exists or the file is wrong, 2 wrong usage, 3 does not fit --capacity\n"
      "(the message says whether that is proven or only none was found).");
  pack_app.action([command] { pack(*command); });
}

}  // namespace ripc::cli
