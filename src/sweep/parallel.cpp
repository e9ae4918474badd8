#include "sweep/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ripc {

void parallel_for(std::int64_t count, unsigned threads, const std::function<void(std::int64_t)>& work,
                  const std::function<void(std::int64_t)>& progress) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  std::atomic<std::int64_t> next = 0, done = 0;
  std::exception_ptr fault;
  std::mutex fault_mutex;
  const auto take_pieces = [&](bool reports) {
    try {
      for (std::int64_t i = next++; i < count; i = next++) {
        work(i);
        const std::int64_t finished = ++done;
        if (reports && progress) progress(finished);
      }
    } catch (...) {
      const std::lock_guard lock(fault_mutex);
      fault = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < threads; ++t) others.emplace_back(take_pieces, false);
    take_pieces(true);
  }
  if (fault) std::rethrow_exception(fault);
}

}  // namespace ripc
