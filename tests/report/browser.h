// A Chromium without a window, driven through its debugging pipe: open a file, point at things, ask the page.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ripc::test {

/// The program, if there is one on the path.
std::optional<std::string> chromium();

class Browser {
 public:
  /// Throws std::runtime_error if it does not start. `profile` is a folder for its files.
  Browser(const std::string& program, const std::filesystem::path& profile);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Loads a file and waits until it is there. `scheme` is "light" or "dark"; without `script` the page's own does not
  /// run.
  void open(const std::filesystem::path& file, const std::string& scheme, bool script = true);

  /// The value of an expression in the page.
  nlohmann::json ask(const std::string& expression);

  void point_at(double x, double y);
  void click(double x, double y);
  void press(const std::string& key);

  /// What went wrong since the page was opened: exceptions, console errors and warnings, requests other than the file.
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  nlohmann::json call(const std::string& method, nlohmann::json parameters = nlohmann::json::object());
  nlohmann::json receive();
  void note(const nlohmann::json& event);
  void mouse(const char* type, double x, double y);

  pid_t process_ = -1;
  int to_ = -1, from_ = -1, last_id_ = 0;
  bool loaded_ = false;
  std::string session_, pending_;
  std::vector<std::string> faults_;
};

}  // namespace ripc::test
