// SPDX-License-Identifier: Apache-2.0
// CPU time of this process, and of one run among many.
#pragma once

#include <ctime>

namespace peers {

inline double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// CPU seconds of one run, from as many as fill `least` seconds; the last end state stays in `end`.
template <class Run>
double time_of(Run run, double least = 0.02) {
    run(); // caches, pages
    long n = 0;
    const double begin = cpu_seconds();
    double spent = 0.0;
    do {
        run();
        ++n;
        spent = cpu_seconds() - begin;
    } while (spent < least);
    return spent / static_cast<double>(n);
}

} // namespace peers
