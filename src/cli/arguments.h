// What a command takes, declared without the argument parser's own header, which is too heavy for every subcommand.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ripc::cli {

/// One argument, to be described further.
class Argument {
 public:
  explicit Argument(CLI::Option& option) : option_(&option) {}

  Argument& type(const std::string& name);  ///< what the help calls its value
  Argument& required();
  Argument& one_of(const std::vector<std::string>& words);
  Argument& between(std::int64_t least, std::int64_t most);
  Argument& one_value();  ///< of a list: each mention takes one value
  Argument& shows_default();
  Argument& needs(const Argument& other);

 private:
  CLI::Option* option_;
};

/// A command. A name with dashes is an option, one without is positional. The values live as long as the command.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command subcommand(const std::string& name, const std::string& help);

  Argument text(const std::string& name, std::string& value, const std::string& help);
  Argument texts(const std::string& name, std::vector<std::string>& values, const std::string& help);
  Argument number(const std::string& name, std::int64_t& value, const std::string& help);
  Argument number(const std::string& name, std::uint64_t& value, const std::string& help);
  Argument number(const std::string& name, std::uint32_t& value, const std::string& help);
  Argument number(const std::string& name, double& value, const std::string& help);
  Argument flag(const std::string& name, bool& value, const std::string& help);
  /// `take` parses the text, and throws ripc::Error if it cannot.
  Argument parsed(const std::string& name, const std::function<void(const std::string&)>& take,
                  const std::string& help);

  void require(const std::string& name);  ///< an argument that was declared before
  void footer(const std::string& text);
  void action(std::function<void()> run);

  CLI::App& app() { return *app_; }

 private:
  CLI::App* app_;
};

}  // namespace ripc::cli
