// What the picture shows, said in words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "report/account.h"

namespace ripc {

/// "op 5 DEPTHWISE_CONV_2D".
std::string op_text(const OpRow& row);

/// "at op 5 DEPTHWISE_CONV_2D: input 18,432 + output 18,432 + scratch 48 - shared in place 18,000", the parts adding up
/// to `arena_bytes`.
std::string peak_text(const OpRow& peak, std::int64_t arena_bytes);

/// Where the peak of this plan is and why, and what the best dual buffer needs: a sentence each.
std::vector<std::string> account_sentences(const Account& account);

/// One arena, for the details of what is in it.
struct ArenaView {
  const Graph& graph;
  const std::vector<Block>& blocks;
  const std::vector<OpRow>& rows;
  const std::vector<Overlap>& overlaps;  ///< of `blocks`
};

/// Name of a tensor, or whose scratch it is; as long as the model has it.
std::string block_name(const ArenaView& arena, const Block& block);

/// "1x14x14x5 int8", or what kind of side buffer it is.
std::string block_shape(const ArenaView& arena, const Block& block);

/// All there is to say of a block, a line each: name; shape, type and bytes; addresses; life; who writes and reads it;
/// with whom it shares bytes.
std::vector<std::string> block_details(const ArenaView& arena, std::size_t block);

/// The same of two blocks that share bytes, and of an operator.
std::vector<std::string> overlap_details(const ArenaView& arena, const Overlap& overlap);
std::vector<std::string> op_details(const OpRow& row);

}  // namespace ripc
