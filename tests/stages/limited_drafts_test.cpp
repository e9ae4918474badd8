// A limit may rule out drafts early, but none that keeps within it.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "lower/lower.h"
#include "plan/pipeline.h"
#include "plan/stage_draft.h"
#include "stages/random_networks.h"

namespace ripc {
namespace {

TEST(LimitedDrafts, AreThoseWithoutALimit) {
  int divided = 0, grown = 0, shrunk = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Graph graph = test::random_shapes(seed);
    std::vector<OpId> order(graph.ops.size());
    std::iota(order.begin(), order.end(), OpId{0});
    std::vector<std::vector<KernelOption>> kernels;
    for (const Op& op : graph.ops) kernels.push_back(stage_kernel_options(graph, op));
    const StageDrafts drafts(graph, order, {}, kernels);
    for (std::int64_t begin = 0; begin < std::ssize(order); ++begin) {
      for (std::int64_t end = begin + 1; end <= std::ssize(order) && drafts.can_join(end - 1); ++end) {
        bool divides = true;
        for (std::int64_t i = begin; i < end; ++i) divides = divides && drafts.can_divide(i);
        for (const StageMode& mode : {StageMode{.blocks = 1}, StageMode{.reverse = true, .blocks = 1},
                                      StageMode{.blocks = 3}, StageMode{.reverse = true, .blocks = 100}}) {
          if (mode.blocks > 1 && !divides) continue;
          divided += mode.blocks > 1 ? 1 : 0;
          const StageDraft draft = drafts.draft(begin, end, mode);
          const std::int64_t bytes = draft.bytes;
          ASSERT_GE(bytes, drafts.least_bytes(begin, end, false, draft.inner)) << seed << ' ' << begin << ' ' << end;
          ASSERT_EQ(drafts.draft(begin, end, mode, {}, bytes).bytes, bytes) << seed << ' ' << begin << ' ' << end;
          ASSERT_GE(drafts.draft(begin, end, mode, {}, bytes - 1).bytes, bytes) << seed << ' ' << begin << ' ' << end;
          if (begin == 0 || !drafts.can_join(begin - 1) || (mode.blocks > 1 && !drafts.can_divide(begin - 1))) continue;
          ++(drafts.draft(begin - 1, end, mode).inner < draft.inner ? shrunk : grown);
        }
      }
    }
  }
  EXPECT_GT(divided, 1000);
  EXPECT_LT(20 * shrunk, grown);  // what the search for cuts relies on to be fast
}

}  // namespace
}  // namespace ripc
