#include "import/json/fields.h"

#include <stdexcept>
#include <utility>

#include "graph/limits.h"

namespace ripc {
namespace {

/// A value in a message: short, and in one line.
std::string excerpt(const nlohmann::json& value) {
  constexpr std::size_t kMost = 40;
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  if (value.is_object()) return "an object";
  const std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

}  // namespace

Fields::Fields(const nlohmann::json& object, Refuse refuse) : object_(object), refuse_(std::move(refuse)) {
  if (!object.is_object()) refuse_("no JSON object", "{...}", excerpt(object));
}

void Fields::wrong(const std::string& key, const std::string& expected, const nlohmann::json& found) const {
  refuse_("bad value of '" + key + "'", expected, excerpt(found));
  throw std::logic_error("refuse returned");
}

const nlohmann::json& Fields::raw(const std::string& key) {
  read_.insert(key);
  const auto found = object_.find(key);
  if (found == object_.end()) refuse_("'" + key + "' is missing", {}, {});
  return *found;
}

std::int64_t Fields::integer(const std::string& key, const nlohmann::json& value, std::int64_t least) const {
  const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() <= std::uint64_t{kMaxTensorBytes};
  const auto number = fits ? value.get<std::int64_t>() : -1;
  if (number < least) wrong(key, least == 0 ? "a number from 0 to 2^31 - 1" : "a number from 1 to 2^31 - 1", value);
  return number;
}

std::string Fields::text(const std::string& key) {
  const auto& value = raw(key);
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) wrong(key, "a string", value);
  return value.get<std::string>();
}

bool Fields::flag(const std::string& key, bool otherwise) {
  if (!has(key)) return otherwise;
  const auto& value = raw(key);
  if (!value.is_boolean()) wrong(key, "true or false", value);
  return value.get<bool>();
}

std::int64_t Fields::count(const std::string& key) { return integer(key, raw(key), 1); }

std::array<std::int64_t, 2> Fields::pair(const std::string& key) {
  const auto& value = raw(key);
  if (!value.is_array()) {
    const std::int64_t both = integer(key, value, 1);
    return {both, both};
  }
  if (value.size() != 2) wrong(key, "[rows, columns]", value);
  return {integer(key, value[0], 1), integer(key, value[1], 1)};
}

std::array<std::int64_t, 2> Fields::pair(const std::string& key, std::int64_t otherwise) {
  return has(key) ? pair(key) : std::array{otherwise, otherwise};
}

std::vector<std::int64_t> Fields::numbers(const std::string& key) {
  const auto& value = raw(key);
  if (!value.is_array()) return {integer(key, value, 0)};
  std::vector<std::int64_t> numbers;
  for (const auto& element : value) numbers.push_back(integer(key, element, 0));
  return numbers;
}

std::vector<std::string> Fields::texts(const std::string& key) {
  const auto& value = raw(key);
  if (value.is_string()) return {text(key)};
  if (!value.is_array() || value.empty()) wrong(key, "a string or a list of strings", value);
  std::vector<std::string> texts;
  for (const auto& element : value) {
    if (!element.is_string()) wrong(key, "a list of strings", element);
    texts.push_back(element.get<std::string>());
  }
  return texts;
}

void Fields::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (!read_.contains(key)) refuse_("unknown field '" + key + "'", {}, excerpt(value));
  }
}

}  // namespace ripc
