// The pieces of a network that are ordered one by one, and what a set of executed operators of a piece stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "schedule/order.h"

namespace ripc::order {

/// Consecutive operators of a problem, in its order, that run after all before them and before all after them. Indices
/// of operators and tensors are the piece's own.
struct Piece {
  struct Tensor {
    std::int64_t bytes = 0;
    bool given = false;  ///< alive before the piece
    bool kept = false;   ///< alive after it
    std::vector<int> readers;
    int writer = -1;
  };

  int first = 0;          ///< of its operators in the problem
  std::int64_t base = 0;  ///< bytes alive all the time that the piece does not touch
  std::vector<Tensor> tensors;
  std::vector<OrderOp> ops;

  int size() const { return static_cast<int>(ops.size()); }
  Tensor& tensor(int id) { return tensors[static_cast<std::size_t>(id)]; }
  const Tensor& tensor(int id) const { return tensors[static_cast<std::size_t>(id)]; }
  const OrderOp& op(int id) const { return ops[static_cast<std::size_t>(id)]; }
};

/// Cuts the problem at every operator that each other must run before or after, whatever the order; such an operator is
/// the last of its piece. Linear in the size of the problem.
std::vector<Piece> pieces_of(const OrderProblem& problem);

/// The operators from index `from` to before `to` as a piece: those before them run first, those after them last.
Piece stretch_of(const OrderProblem& problem, std::size_t from, std::size_t to);

/// All of the problem as one piece, uncut.
Piece whole_piece(const OrderProblem& problem);

/// A lower bound of the peak of a piece in any order: at each operator, what must be alive because it was written by
/// what runs before and is read by what runs after.
std::int64_t least_peak(const Piece& piece);

/// What one step does.
struct Step {
  std::int64_t need = 0;   ///< bytes alive during it
  std::int64_t after = 0;  ///< bytes alive after it
};

/// A piece with some of its operators executed.
class Progress {
 public:
  explicit Progress(const Piece& piece);

  /// A bit an operator, 64 a word: executed.
  using Bits = std::vector<std::uint64_t>;
  void load(const std::uint64_t* bits);
  const Bits& bits() const { return bits_; }

  std::int64_t live() const { return live_; }
  int executed() const { return executed_; }
  bool finished() const { return executed_ == piece_->size(); }
  bool is_ready(int op) const { return missing_[static_cast<std::size_t>(op)] == 0 && !is_done(op); }

  Step step(int op) const;
  void run(int op);
  void undo(int op);  ///< the last that ran

 private:
  bool is_done(int op) const { return (bits_[static_cast<std::size_t>(op) / 64] >> (op % 64) & 1U) != 0; }

  const Piece* piece_;
  Bits bits_;
  std::vector<int> missing_;    ///< by operator: inputs that are not yet written
  std::vector<int> remaining_;  ///< by tensor: readers that have not run
  std::int64_t live_ = 0;
  int executed_ = 0;
};

}  // namespace ripc::order
