// SPDX-License-Identifier: Apache-2.0
// The same work on several threads, where the build has them.
#pragma once

#include <cstddef>
#include <functional>

namespace liaison::analysis {

// Threads that make sense here: cores of the machine, or one in a build without threads.
[[nodiscard]] std::size_t available_threads();

// Calls work(0) … work(n − 1), each on a thread of its own where the build has threads, one after the other otherwise.
// Exceptions of the workers reach the caller.
void run_parallel(std::size_t n, const std::function<void(std::size_t)>& work);

} // namespace liaison::analysis
