// The constants of a program as C arrays.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emit/text.h"
#include "execute/program.h"

namespace ripc::emit {

/// Every array in flash under one name; operators with equal arrays share one.
class ConstantPool {
 public:
  ConstantPool(const Program& program, const Names& names);

  struct Entry {
    std::string name;
    const Constant* constant;
    OpId op;  ///< the first that uses it
  };
  const std::vector<Entry>& entries() const { return entries_; }

  /// The name of the array that starts at `data`, NULL for a null pointer. Throws std::logic_error if no constant
  /// starts there.
  const std::string& name_of(const void* data) const;

 private:
  std::vector<Entry> entries_;
  std::map<const void*, std::string> by_address_;
};

/// Scalars of a constant. Throws std::logic_error for an element type that C code cannot have.
std::int64_t scalar_count(const Constant& constant);

/// Appends the elements as decimal numbers, some to a line.
void append_elements(std::string& out, const Constant& constant);

}  // namespace ripc::emit
