#include "report/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

extern char** environ;

namespace ripc::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Two file descriptors that no later program inherits, and that are not 3 or 4 themselves.
std::array<int, 2> make_pipe() {
  std::array<int, 2> low{};
  if (pipe(low.data()) != 0) throw std::runtime_error("no pipe");
  std::array<int, 2> ends{};
  for (std::size_t i = 0; i < 2; ++i) {
    ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 10);
    close(low[i]);
  }
  return ends;
}

}  // namespace

std::optional<std::string> chromium() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program = folder + "/chromium";
    if (access(program.c_str(), X_OK) == 0) return program;
  }
  return std::nullopt;
}

Browser::Browser(const std::string& program, const fs::path& profile) {
  signal(SIGPIPE, SIG_IGN);
  const auto [their_in, our_out] = make_pipe();
  const auto [our_in, their_out] = make_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, their_in, 3);
  posix_spawn_file_actions_adddup2(&actions, their_out, 4);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> arguments = {program,
                                        "--headless=new",
                                        "--no-sandbox",
                                        "--disable-gpu",
                                        "--disable-dev-shm-usage",
                                        "--no-first-run",
                                        "--disable-extensions",
                                        "--disable-background-networking",
                                        "--window-size=1280,1600",
                                        "--user-data-dir=" + profile.string(),
                                        "--remote-debugging-pipe"};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const int fault = posix_spawn(&process_, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(their_in);
  close(their_out);
  to_ = our_out;
  from_ = our_in;
  if (fault != 0) throw std::runtime_error("cannot run " + program);
  const Json target = call("Target.createTarget", {{"url", "about:blank"}});
  const Json attached = call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}});
  session_ = attached.at("sessionId");
  for (const char* domain : {"Page", "Runtime", "Log", "Network"}) call(std::string(domain) + ".enable");
}

Browser::~Browser() {
  try {
    session_.clear();
    call("Browser.close");
  } catch (const std::exception&) {
    kill(process_, SIGKILL);
  }
  close(to_);
  close(from_);
  waitpid(process_, nullptr, 0);
}

Json Browser::receive() {
  std::size_t end = 0;
  while ((end = pending_.find('\0')) == std::string::npos) {
    constexpr int kPatience = 180'000;  // a hang, not slowness
    pollfd waiting{.fd = from_, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, kPatience) <= 0) throw std::runtime_error("the browser says nothing");
    std::array<char, 65536> block{};
    const ssize_t count = read(from_, block.data(), block.size());
    if (count <= 0) throw std::runtime_error("the browser is gone");
    pending_.append(block.data(), static_cast<std::size_t>(count));
  }
  Json message = Json::parse(pending_.substr(0, end));
  pending_.erase(0, end + 1);
  return message;
}

void Browser::note(const Json& event) {
  const std::string method = event.value("method", "");
  const Json parameters = event.value("params", Json::object());
  if (method == "Page.loadEventFired") loaded_ = true;
  if (method == "Runtime.exceptionThrown") faults_.push_back(parameters.dump());
  if (method == "Runtime.consoleAPICalled" && parameters.at("type") != "log") faults_.push_back(parameters.dump());
  if (method == "Log.entryAdded") faults_.push_back(parameters.dump());
  if (method == "Network.requestWillBeSent") {
    const std::string url = parameters.at("request").at("url");
    if (!url.starts_with("file:///")) faults_.push_back("asked for " + url);
  }
}

Json Browser::call(const std::string& method, Json parameters) {
  Json message = {{"id", ++last_id_}, {"method", method}, {"params", std::move(parameters)}};
  if (!session_.empty()) message["sessionId"] = session_;
  const std::string text = message.dump() + '\0';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(to_, text.data() + sent, text.size() - sent);
    if (count <= 0) throw std::runtime_error("the browser does not listen");
    sent += static_cast<std::size_t>(count);
  }
  for (;;) {
    const Json answer = receive();
    if (!answer.contains("id")) {
      note(answer);
    } else if (answer.at("id") == last_id_) {
      if (answer.contains("error")) throw std::runtime_error(method + ": " + answer.at("error").dump());
      return answer.at("result");
    }
  }
}

void Browser::open(const fs::path& file, const std::string& scheme, bool script) {
  call("Emulation.setEmulatedMedia", {{"features", {{{"name", "prefers-color-scheme"}, {"value", scheme}}}}});
  call("Emulation.setScriptExecutionDisabled", {{"value", !script}});
  faults_.clear();
  loaded_ = false;
  const Json answer = call("Page.navigate", {{"url", "file://" + file.string()}});
  if (answer.contains("errorText")) throw std::runtime_error(answer.at("errorText").get<std::string>());
  while (!loaded_) note(receive());
}

Json Browser::ask(const std::string& expression) {
  const Json answer = call("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails")) throw std::runtime_error(answer.at("exceptionDetails").dump());
  return answer.at("result").value("value", Json());
}

void Browser::mouse(const char* type, double x, double y) {
  const bool pressing = std::string(type) != "mouseMoved";
  call("Input.dispatchMouseEvent",
       {{"type", type}, {"x", x}, {"y", y}, {"button", pressing ? "left" : "none"}, {"clickCount", pressing ? 1 : 0}});
}

void Browser::point_at(double x, double y) { mouse("mouseMoved", x, y); }

void Browser::click(double x, double y) {
  point_at(x, y);
  mouse("mousePressed", x, y);
  mouse("mouseReleased", x, y);
}

void Browser::press(const std::string& key) {
  for (const char* type : {"keyDown", "keyUp"}) call("Input.dispatchKeyEvent", {{"type", type}, {"key", key}});
}

}  // namespace ripc::test
