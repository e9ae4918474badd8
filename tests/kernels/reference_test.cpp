// Every kernel, in both directions and by rows or whole, against the reference arithmetic.
#include "kernels/reference.h"

#include <gtest/gtest.h>

#include "kernels/run.h"

namespace ripc::test {
namespace {

class EveryKernel : public testing::TestWithParam<Family> {};

TEST_P(EveryKernel, MakesTheBytesOfTheReference) {
  Random random(1);
  for (int i = 0; i < 400; ++i) {
    const OpCase op_case = GetParam().make(random);
    ASSERT_NO_THROW(validate(op_case.graph));
    const Bytes expected = reference(op_case);
    for (const KernelOption& option : every_kernel(op_case)) {
      for (const bool reverse : {false, true}) {
        for (const bool whole : {false, true}) {
          const Bytes output = run_kernel(op_case, option, side_by_side(op_case), reverse, whole);
          ASSERT_EQ(output, expected) << "case " << i << ", " << option.contract->kernel
                                      << (reverse ? ", reverse" : ", forward") << (whole ? ", whole" : ", by rows");
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, EveryKernel, testing::ValuesIn(families()),
                         [](const auto& family) { return family.param.name; });

}  // namespace
}  // namespace ripc::test
