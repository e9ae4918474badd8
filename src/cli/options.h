// The options that subcommands share: which network, what the caller sees of its memory, and what it must fit into.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "lower/target.h"
#include "plan/pipeline.h"

namespace ripc::cli {

/// How placements are searched for.
struct SearchOptions {
  std::string placer = "exact";
  std::int64_t node_limit = PlacerOptions{}.node_limit;
  std::optional<double> time_limit;  ///< seconds
};

/// What the user asked for; value-initialised as the defaults.
struct NetworkOptions {
  std::string model;
  std::string name;                  ///< of the network; empty: the model's file name without its extension
  std::vector<std::string> outputs;  ///< empty: the model's own
  std::string io = "model";          ///< "model" or "int8"
  std::string input = "arena";       ///< "arena" or "extern"
  bool keep_input = false;
  bool stream_input = false;                    ///< the input arrives row by row
  bool steps = false;                           ///< the caller runs the network step by step
  bool disjoint = false;                        ///< no two live tensors share a byte
  std::string order = "best";                   ///< "file" or "best"
  std::string blocks{};                         ///< of a row in a stage: a number, "auto", or empty for whole rows
  std::string stages = "off";                   ///< "on": operators may run row by row together
  std::string optimize = "ram";                 ///< "ram", "balanced" or "speed"
  std::string target;                           ///< one of target_names(); empty: the board's, or portable C
  std::string board;                            ///< one of board_names(); empty: none
  std::optional<std::int64_t> flash;            ///< bytes that the constants must fit; empty: the board's
  std::optional<std::uint32_t> random_weights;  ///< seed of those of a network that has none
  SearchOptions search;
};

struct Budget {
  std::optional<std::int64_t> ram;          ///< bytes
  std::optional<std::int64_t> flash_cache;  ///< bytes of the cache in front of the flash
};

/// The model as a positional argument, --io, --input, --keep-input, --stream-input, --steps, --outputs, --disjoint,
/// --order, --stages, --optimize, --target, --board, --flash, --random-weights, --name, and those of
/// add_search_options.
void add_network_options(Command& app, NetworkOptions& options);

/// --ram and --flash-cache.
void add_budget_options(Command& app, Budget& budget);

/// The RAM that was asked for, or that the board's chip has.
std::optional<std::int64_t> ram_of(const Budget& budget, const NetworkOptions& options);

/// The flash that was asked for, or that the board's chip has.
std::optional<std::int64_t> flash_of(const NetworkOptions& options);

/// The processor whose kernels may be used: the one asked for, or the board's.
Target target_of(const NetworkOptions& options);

/// --placer, --node-limit and --time-limit.
void add_search_options(Command& app, SearchOptions& options);
PlacerOptions placer_options(const SearchOptions& options);

/// An option that takes bytes, "256K" or "1M".
void add_size_option(Command& app, const std::string& name, std::optional<std::int64_t>& bytes,
                     const std::string& help);

/// Throws ripc::Error (usage) for a placer that cannot do what is asked.
PlanOptions plan_options(const NetworkOptions& options);

/// The options that change what is compiled, as the user would type them; no path. For the record in generated files.
std::string flags_text(const NetworkOptions& options);

}  // namespace ripc::cli
