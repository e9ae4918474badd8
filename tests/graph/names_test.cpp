#include "graph/names.h"

#include <gtest/gtest.h>

namespace ripc {
namespace {

using Names = std::vector<std::string>;

TEST(Names, SplitAtCommasUnlessKnownAsAWhole) {
  const auto known = [](const std::string& name) { return name == "a,b"; };
  EXPECT_EQ(names_in({"a,b", "c,d"}, known), (Names{"a,b", "c", "d"}));
  EXPECT_EQ(names_in({",c,,", ""}, known), (Names{"c"}));
}

TEST(Names, TheNearestAreThoseWithFewestEdits) {
  const Names known = {"model/conv1/Relu6", "model/conv2/Relu6", "Softmax", ""};
  EXPECT_EQ(nearest_names("softmax", known), "'Softmax', 'model/conv1/Relu6' or 'model/conv2/Relu6'");
  EXPECT_EQ(nearest_names("conv2", {"model/conv2/Relu6"}), "'model/conv2/Relu6'");
  EXPECT_EQ(nearest_names("x", {}), "");
}

}  // namespace
}  // namespace ripc
