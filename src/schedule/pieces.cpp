#include "schedule/pieces.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace ripc::order {
namespace {

/// By operator: the first that reads its output, the last that writes one of its inputs.
struct Neighbours {
  std::vector<int> first_reader, last_writer;
};

Neighbours neighbours_of(const OrderProblem& problem) {
  const std::size_t n = problem.ops.size();
  Neighbours neighbours{.first_reader = std::vector<int>(n, std::numeric_limits<int>::max()),
                        .last_writer = std::vector<int>(n, -1)};
  std::vector<int> writer(problem.tensors.size(), -1);
  for (std::size_t op = 0; op < n; ++op) {
    for (const int input : problem.ops[op].inputs) {
      const int before = writer[static_cast<std::size_t>(input)];
      if (before < 0) continue;
      int& first = neighbours.first_reader[static_cast<std::size_t>(before)];
      first = std::min(first, static_cast<int>(op));
      neighbours.last_writer[op] = std::max(neighbours.last_writer[op], before);
    }
    writer[static_cast<std::size_t>(problem.ops[op].output)] = static_cast<int>(op);
  }
  return neighbours;
}

/// An operator runs after all before it if these have no sink but it, and before all after it if they have no source
/// but it.
std::vector<bool> cuts_of(const OrderProblem& problem) {
  const std::size_t n = problem.ops.size();
  const Neighbours neighbours = neighbours_of(problem);
  std::vector<int> changes(n + 1, 0);  // by operator: how many more other sinks and sources than at the one before
  for (std::size_t op = 0; op < n; ++op) {
    ++changes[op + 1];
    --changes[std::min(n, static_cast<std::size_t>(neighbours.first_reader[op]))];
    ++changes[static_cast<std::size_t>(neighbours.last_writer[op] + 1)];
    --changes[op];
  }
  std::vector<bool> cuts(n);
  int others = 0;
  for (std::size_t op = 0; op < n; ++op) {
    others += changes[op];
    cuts[op] = others == 0;
  }
  return cuts;
}

/// Builds one piece after the other and keeps count of what is alive between them.
class Cutter {
 public:
  explicit Cutter(const OrderProblem& problem) : problem_(problem), remaining_(problem.tensors.size(), 0) {
    for (const OrderOp& op : problem.ops) {
      for (const int input : op.inputs) ++remaining_[static_cast<std::size_t>(input)];
    }
    for (std::size_t id = 0; id < problem.tensors.size(); ++id) {
      const OrderTensor& tensor = problem.tensors[id];
      if (tensor.given && is_alive(id)) live_ += tensor.bytes;
    }
  }

  Piece cut(std::size_t from, std::size_t to) {
    Piece piece;
    piece.first = static_cast<int>(from);
    piece.base = live_;
    std::unordered_map<int, int> places;
    const auto place = [&](int id, bool given) {
      const auto [at, fresh] = places.try_emplace(id, static_cast<int>(piece.tensors.size()));
      if (fresh) {
        Piece::Tensor& tensor = piece.tensors.emplace_back();
        tensor.bytes = problem_.tensors[static_cast<std::size_t>(id)].bytes;
        tensor.given = given;
        if (given) piece.base -= tensor.bytes;
      }
      return at->second;
    };
    for (std::size_t i = from; i < to; ++i) {
      OrderOp op = problem_.ops[i];
      const auto local = static_cast<int>(i - from);
      for (int& input : op.inputs) {
        --remaining_[static_cast<std::size_t>(input)];
        input = place(input, true);
        piece.tensor(input).readers.push_back(local);
      }
      op.output = place(op.output, false);
      piece.tensor(op.output).writer = local;
      piece.ops.push_back(std::move(op));
    }
    live_ = piece.base;
    for (const auto& [id, local] : places) {
      Piece::Tensor& tensor = piece.tensor(local);
      tensor.kept = is_alive(static_cast<std::size_t>(id));
      if (tensor.kept) live_ += tensor.bytes;
    }
    return piece;
  }

 private:
  bool is_alive(std::size_t id) const { return problem_.tensors[id].kept || remaining_[id] > 0; }

  const OrderProblem& problem_;
  std::vector<int> remaining_;  ///< readers by tensor
  std::int64_t live_ = 0;
};

/// Which operators run before each, in any order; a row of bits an operator.
class Ancestors {
 public:
  explicit Ancestors(const Piece& piece)
      : words_((static_cast<std::size_t>(piece.size()) + 63) / 64),
        bits_(words_ * static_cast<std::size_t>(piece.size())) {
    for (int id = 0; id < piece.size(); ++id) {
      for (const int input : piece.op(id).inputs) {
        const int writer = piece.tensor(input).writer;
        if (writer < 0) continue;
        for (std::size_t w = 0; w < words_; ++w) row(id)[w] |= row(writer)[w];
        row(id)[static_cast<std::size_t>(writer) / 64] |= std::uint64_t{1} << (writer % 64);
      }
    }
  }

  bool before(int earlier, int later) const {
    return (bits_[static_cast<std::size_t>(later) * words_ + static_cast<std::size_t>(earlier) / 64] >> (earlier % 64) &
            1U) != 0;
  }

 private:
  std::uint64_t* row(int id) { return bits_.data() + static_cast<std::size_t>(id) * words_; }

  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// What the best way needs beside the tensors, less what it may share with the inputs that `dies` names.
template <typename Dies>
std::int64_t least_beside(const Piece& piece, const OrderOp& op, Dies dies) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const OrderWay& way : op.ways) {
    std::int64_t shared = 0;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      if (dies(op.inputs[i])) shared += way.shares[i];
    }
    least = std::min(least, way.side_bytes - std::min(shared, piece.tensor(op.output).bytes));
  }
  return least;
}

}  // namespace

std::vector<Piece> pieces_of(const OrderProblem& problem) {
  const std::vector<bool> cuts = cuts_of(problem);
  Cutter cutter(problem);
  std::vector<Piece> pieces;
  std::size_t from = 0;
  for (std::size_t op = 0; op < cuts.size(); ++op) {
    if (!cuts[op] && op + 1 < cuts.size()) continue;
    pieces.push_back(cutter.cut(from, op + 1));
    from = op + 1;
  }
  return pieces;
}

Piece stretch_of(const OrderProblem& problem, std::size_t from, std::size_t to) {
  Cutter cutter(problem);
  cutter.cut(0, from);
  return cutter.cut(from, to);
}

Piece whole_piece(const OrderProblem& problem) { return stretch_of(problem, 0, problem.ops.size()); }

std::int64_t least_peak(const Piece& piece) {
  constexpr int kMostOps = 4096;  // the table of ancestors has a bit a pair; a larger piece gets a weaker bound
  if (piece.size() > kMostOps) {
    std::int64_t bound = 0;
    for (const OrderOp& op : piece.ops) {
      std::int64_t own = piece.base + piece.tensor(op.output).bytes;
      for (const int input : op.inputs) own += piece.tensor(input).bytes;
      bound = std::max(bound, own + least_beside(piece, op, [&](int id) { return !piece.tensor(id).kept; }));
    }
    return bound;
  }
  const Ancestors ancestors(piece);
  std::int64_t bound = 0;
  for (int id = 0; id < piece.size(); ++id) {
    const OrderOp& op = piece.op(id);
    const auto read_later = [&](const Piece::Tensor& tensor) {
      return tensor.kept ||
             std::ranges::any_of(tensor.readers, [&](int reader) { return ancestors.before(id, reader); });
    };
    std::int64_t bytes = piece.base + piece.tensor(op.output).bytes;
    for (const Piece::Tensor& tensor : piece.tensors) {
      const bool there = tensor.writer < 0 || ancestors.before(tensor.writer, id);
      const bool read_here = std::ranges::find(tensor.readers, id) != tensor.readers.end();
      if (there && (read_here || read_later(tensor))) bytes += tensor.bytes;
    }
    bytes += least_beside(piece, op, [&](int input) { return !read_later(piece.tensor(input)); });
    bound = std::max(bound, bytes);
  }
  return bound;
}

Progress::Progress(const Piece& piece)
    : piece_(&piece),
      bits_((piece.ops.size() + 63) / 64),
      missing_(piece.ops.size()),
      remaining_(piece.tensors.size()) {
  load(Bits(bits_.size()).data());
}

void Progress::load(const std::uint64_t* bits) {
  bits_.assign(bits, bits + bits_.size());
  executed_ = 0;
  live_ = piece_->base;
  for (std::size_t id = 0; id < piece_->tensors.size(); ++id) {
    const Piece::Tensor& tensor = piece_->tensors[id];
    remaining_[id] = static_cast<int>(std::ranges::count_if(tensor.readers, [&](int op) { return !is_done(op); }));
    const bool there = tensor.writer < 0 || is_done(tensor.writer);
    if (there && (tensor.kept || remaining_[id] > 0)) live_ += tensor.bytes;
  }
  for (int id = 0; id < piece_->size(); ++id) {
    executed_ += is_done(id) ? 1 : 0;
    missing_[static_cast<std::size_t>(id)] = static_cast<int>(std::ranges::count_if(piece_->op(id).inputs, [&](int t) {
      const int writer = piece_->tensor(t).writer;
      return writer >= 0 && !is_done(writer);
    }));
  }
}

Step Progress::step(int id) const {
  const OrderOp& op = piece_->op(id);
  const Piece::Tensor& output = piece_->tensor(op.output);
  const auto dies = [&](int input) {
    return remaining_[static_cast<std::size_t>(input)] == 1 && !piece_->tensor(input).kept;
  };
  Step step{.need = live_ + output.bytes + least_beside(*piece_, op, dies), .after = live_};
  if (output.kept || !output.readers.empty()) step.after += output.bytes;
  for (const int input : op.inputs) {
    if (dies(input)) step.after -= piece_->tensor(input).bytes;
  }
  return step;
}

void Progress::run(int id) {
  live_ = step(id).after;
  const OrderOp& op = piece_->op(id);
  for (const int input : op.inputs) --remaining_[static_cast<std::size_t>(input)];
  for (const int reader : piece_->tensor(op.output).readers) --missing_[static_cast<std::size_t>(reader)];
  bits_[static_cast<std::size_t>(id) / 64] |= std::uint64_t{1} << (id % 64);
  ++executed_;
}

void Progress::undo(int id) {
  const OrderOp& op = piece_->op(id);
  bits_[static_cast<std::size_t>(id) / 64] &= ~(std::uint64_t{1} << (id % 64));
  --executed_;
  for (const int reader : piece_->tensor(op.output).readers) ++missing_[static_cast<std::size_t>(reader)];
  for (const int input : op.inputs) ++remaining_[static_cast<std::size_t>(input)];
  live_ -= step(id).after - live_;
}

}  // namespace ripc::order
