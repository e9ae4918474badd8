#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace ripc::cli {

Argument& Argument::type(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Argument& Argument::required() {
  option_->required();
  return *this;
}

Argument& Argument::one_of(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
  return *this;
}

Argument& Argument::between(std::int64_t least, std::int64_t most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Argument& Argument::one_value() {
  option_->allow_extra_args(false);
  return *this;
}

Argument& Argument::shows_default() {
  option_->capture_default_str();
  return *this;
}

Argument& Argument::needs(const Argument& other) {
  option_->needs(other.option_);
  return *this;
}

Command Command::subcommand(const std::string& name, const std::string& help) {
  return Command(*app_->add_subcommand(name, help));
}

Argument Command::text(const std::string& name, std::string& value, const std::string& help) {
  return Argument(*app_->add_option(name, value, help));
}

Argument Command::texts(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  return Argument(*app_->add_option(name, values, help));
}

Argument Command::number(const std::string& name, std::int64_t& value, const std::string& help) {
  return Argument(*app_->add_option(name, value, help));
}

Argument Command::number(const std::string& name, std::uint64_t& value, const std::string& help) {
  return Argument(*app_->add_option(name, value, help));
}

Argument Command::number(const std::string& name, std::uint32_t& value, const std::string& help) {
  return Argument(*app_->add_option(name, value, help));
}

Argument Command::number(const std::string& name, double& value, const std::string& help) {
  return Argument(*app_->add_option(name, value, help));
}

Argument Command::flag(const std::string& name, bool& value, const std::string& help) {
  return Argument(*app_->add_flag(name, value, help));
}

Argument Command::parsed(const std::string& name, const std::function<void(const std::string&)>& take,
                         const std::string& help) {
  return Argument(*app_->add_option_function<std::string>(name, take, help));
}

void Command::require(const std::string& name) { app_->get_option(name)->required(); }

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::action(std::function<void()> run) { app_->callback(std::move(run)); }

}  // namespace ripc::cli
