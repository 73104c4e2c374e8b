// SPDX-License-Identifier: Apache-2.0
// Threads by oneTBB.
#include "liaison/analysis/parallel.hpp"

#include "liaison/base/features.hpp"

#include <algorithm>

#if LIAISON_WITH_THREADS
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace liaison::analysis {

std::size_t available_threads() {
#if LIAISON_WITH_THREADS
    return static_cast<std::size_t>(std::max(1, tbb::info::default_concurrency()));
#else
    return 1;
#endif
}

void run_parallel(std::size_t n, const std::function<void(std::size_t)>& work) {
#if LIAISON_WITH_THREADS
    if (n > 1) {
        // More threads than cores where that is asked for: results must not depend on it, and tests try.
        const tbb::global_control more(tbb::global_control::max_allowed_parallelism, n);
        tbb::task_arena arena(static_cast<int>(n));
        arena.execute(
            [&] { tbb::parallel_for(std::size_t{0}, n, work, tbb::simple_partitioner{}); });
        return;
    }
#endif
    for (std::size_t i = 0; i < n; ++i) work(i);
}

} // namespace liaison::analysis
