#include "report/bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "ripc/error.h"

namespace ripc {
namespace {

constexpr std::int64_t kMebi = std::int64_t{1} << 20;
constexpr std::int64_t kLargest = std::int64_t{1} << 40;

[[noreturn]] void refuse(const std::string& text, const std::string& option) {
  throw Error({.fault = Fault::usage,
               .problem = option + " is no size",
               .expected = "bytes such as 262144, 256K or 1M",
               .found = "'" + text + "'"});
}

/// The factor that a unit stands for; 0 if it is none.
std::int64_t unit_factor(std::string unit) {
  std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (unit.empty() || unit == "B") return 1;
  if (unit == "K" || unit == "KB" || unit == "KIB") return 1024;
  if (unit == "M" || unit == "MB" || unit == "MIB") return kMebi;
  return 0;
}

}  // namespace

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string human_bytes(std::int64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  if (bytes < kMebi) return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024);
  return fmt::format("{:.2f} MiB", static_cast<double>(bytes) / kMebi);
}

std::string exact_and_human(std::int64_t bytes) {
  return grouped(bytes) + " bytes" + (bytes < 1024 ? "" : " (" + human_bytes(bytes) + ")");
}

std::int64_t parse_bytes(const std::string& text, const std::string& option) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::int64_t factor = unit_factor(text.substr(end));
  const std::string number = text.substr(0, end);
  const std::size_t dot = std::min(number.find('.'), number.size());
  const std::string whole = number.substr(0, dot);
  const std::string part = dot < number.size() ? number.substr(dot + 1) : "";
  if (factor == 0 || whole.empty() || whole.size() > 13 || part.size() > 3 || part.find('.') != std::string::npos) {
    refuse(text, option);
  }
  if (dot < number.size() && part.empty()) refuse(text, option);
  std::int64_t scale = 1;
  for (std::size_t i = 0; i < part.size(); ++i) scale *= 10;
  const std::int64_t numerator = std::stoll(whole + part);
  if (numerator > kLargest || numerator * factor % scale != 0) refuse(text, option);
  const std::int64_t bytes = numerator * factor / scale;
  if (bytes <= 0 || bytes > kLargest) refuse(text, option);
  return bytes;
}

}  // namespace ripc
