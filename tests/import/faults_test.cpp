#include "import/tflite/faults.h"

#include <gtest/gtest.h>

namespace ripc {
namespace {

OpFault fault(int op, const std::string& kind, const std::string& problem) {
  return {op, kind, {.tensor = "t" + std::to_string(op), .problem = problem}};
}

TEST(Faults, OneKeepsItsContext) {
  const ErrorContext context = all_faults({fault(4, "LSTM", "no kernel")}, 9);
  EXPECT_EQ(std::string(Error(context).what()), "op 4: LSTM: tensor 't4': no kernel");
}

TEST(Faults, OperatorsOfOneKindWithOneProblemAreOneEntry) {
  std::vector<OpFault> faults;
  for (int op = 0; op < 200; ++op) faults.push_back(fault(op, op % 2 == 0 ? "LSTM" : "FFT", "no kernel"));
  faults.push_back(fault(200, "LSTM", "bad weights"));
  EXPECT_EQ(all_faults(faults, 300).problem,
            "201 of 300 operators cannot be compiled: LSTM (ops 0, 2, 4 and 97 more): no kernel; "
            "FFT (ops 1, 3, 5 and 97 more): no kernel; LSTM (op 200): tensor 't200': bad weights");
}

}  // namespace
}  // namespace ripc
