// The fields of one JSON object, read by name; what is left over is an error.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace ripc {

class Fields {
 public:
  /// `refuse` throws: problem, expected, found.
  using Refuse = std::function<void(std::string, std::string, std::string)>;

  Fields(const nlohmann::json& object, Refuse refuse);

  bool has(const std::string& key) const { return object_.contains(key); }
  std::string text(const std::string& key);
  bool flag(const std::string& key, bool otherwise);
  std::int64_t count(const std::string& key);  ///< positive
  std::int64_t count(const std::string& key, std::int64_t otherwise) { return has(key) ? count(key) : otherwise; }
  /// One number for rows and columns, or [rows, columns]. All positive.
  std::array<std::int64_t, 2> pair(const std::string& key);
  std::array<std::int64_t, 2> pair(const std::string& key, std::int64_t otherwise);
  /// Numbers from 0.
  std::vector<std::int64_t> numbers(const std::string& key);
  /// One string, or a list of strings.
  std::vector<std::string> texts(const std::string& key);
  const nlohmann::json& raw(const std::string& key);

  /// Refuses fields that nothing has read: a misspelt name must not pass as a default.
  void finish() const;

 private:
  std::int64_t integer(const std::string& key, const nlohmann::json& value, std::int64_t least) const;
  [[noreturn]] void wrong(const std::string& key, const std::string& expected, const nlohmann::json& found) const;

  const nlohmann::json& object_;
  Refuse refuse_;
  std::set<std::string> read_;
};

}  // namespace ripc
