// SPDX-License-Identifier: Apache-2.0
// Words and numbers shared by the reports of branches.
#include "liaison/analysis/branch_words.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::analysis {

const char* word(const Orbit& orbit) {
    if (!orbit.admissible) return "no motion";
    return orbit.stable ? "stable" : "unstable";
}

std::string spoken(std::string kind) {
    std::replace(kind.begin(), kind.end(), '_', ' ');
    return kind;
}

double largest_multiplier(const Orbit& orbit) {
    if (!orbit.no_multipliers.empty()) return std::numeric_limits<double>::quiet_NaN();
    auto mu = orbit.multipliers;
    std::sort(mu.begin(), mu.end(),
              [](auto a, auto b) { return std::abs(a - 1.0) < std::abs(b - 1.0); });
    double largest = 0.0;
    for (std::size_t i = orbit.trivial; i < mu.size(); ++i)
        largest = std::max(largest, std::abs(mu[i]));
    return largest;
}

std::vector<const Branch*> with_switched(const Branch& root) {
    std::vector<const Branch*> all = {&root};
    for (const Branch& branch : root.switched) {
        const auto more = with_switched(branch);
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

} // namespace liaison::analysis
