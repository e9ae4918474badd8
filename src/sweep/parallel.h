// Independent pieces of work on every core.
#pragma once

#include <cstdint>
#include <functional>

namespace ripc {

/// Calls work(i) once for each i of [0, count) on `threads` threads (0: one a core), in no particular order.
/// `progress(done)` runs on the calling thread after each piece that this thread did. Throws what a piece threw, after
/// all threads have stopped.
void parallel_for(std::int64_t count, unsigned threads, const std::function<void(std::int64_t)>& work,
                  const std::function<void(std::int64_t)>& progress = {});

}  // namespace ripc
