#include "cli/app.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

constexpr const char* kVersion = "ripc " RIPC_VERSION;

int fail(Fault fault, const std::string& message) {
  fmt::print(stderr, "ripc: {}\n", one_line(message));
  return static_cast<int>(fault);
}

bool is_subcommand(const CLI::App& app, const std::string& name) {
  const auto named = app.get_subcommands([&](const CLI::App* subcommand) { return subcommand->get_name() == name; });
  return !named.empty();
}

/// What CLI11 found: a request for help or the version, or wrong usage.
int answer(const CLI::App& app, const CLI::ParseError& error, const std::string& first_argument) {
  if (error.get_exit_code() != 0) {
    std::error_code reason;
    const bool unknown = !first_argument.empty() && first_argument.front() != '-' &&
                         !is_subcommand(app, first_argument) && !std::filesystem::exists(first_argument, reason);
    const std::string problem = unknown ? "no such command or file: " + first_argument : error.what();
    return fail(Fault::usage, problem + " (see ripc --help)");
  }
  const bool all = error.get_name() == "CallForAllHelp";
  print(error.get_name() == "CallForVersion"
            ? std::string(kVersion) + "\n"
            : app.help("", all ? CLI::AppFormatMode::All : CLI::AppFormatMode::Normal));
  finish_output();
  return 0;
}

int run_app(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    finish_output();
    return 0;
  } catch (const CLI::ParseError& error) {
    return answer(app, error, argc > 1 ? argv[1] : "");
  }
}

}  // namespace

int run(int argc, const char* const* argv) {
  try {
    CLI::App app(
        "ripc compiles an int8 network into C99 that runs in place, in the least RAM, with the same output bytes.",
        "ripc");
    app.set_version_flag("--version", kVersion);
    app.require_subcommand(0, 1);
    app.get_formatter()->column_width(34);
    Command command(app);
    add_overview(command);
    add_compile(command);
    add_plan(command);
    add_run(command);
    add_verify(command);
    add_check(command);
    add_pack(command);
    add_layer(command);
    add_sweep(command);
    return run_app(app, argc, argv);
  } catch (const Error& error) {
    return fail(error.context().fault, error.what());
  } catch (const std::bad_alloc&) {
    return fail(Fault::model, "internal fault: out of memory");
  } catch (const std::exception& error) {
    return fail(Fault::model, std::string("internal fault, please report it: ") + error.what());
  }
}

}  // namespace ripc::cli
