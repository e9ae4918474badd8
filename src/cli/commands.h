// The subcommands. Each adds itself to the application; what it does runs while the command line is parsed, and throws
// ripc::Error.
#pragma once

#include <CLI/CLI.hpp>

namespace ripc::cli {

void add_compile(CLI::App& app);
void add_plan(CLI::App& app);
void add_run(CLI::App& app);
void add_verify(CLI::App& app);
void add_check(CLI::App& app);
void add_layer(CLI::App& app);
void add_sweep(CLI::App& app);

/// `ripc MODEL` without a subcommand: one screen that answers "how much memory does it need?".
void add_overview(CLI::App& app);

}  // namespace ripc::cli
