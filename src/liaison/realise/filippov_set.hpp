// SPDX-License-Identifier: Apache-2.0
// How far Filippov's convex set leaves the motion open where several surfaces are kept at once.
//
// The velocities of the set are Σ λ_k f_k over the vertices of the relays, λ ≥ 0, Σ λ = 1, with Σ λ_k S^(r)_k = 0. The
// range of each component is found among the basic solutions of that small linear program.
#pragma once

#include "liaison/realise/relay_rule.hpp"

#include <string>
#include <vector>

namespace liaison::realise {

struct RateInterval {
    std::size_t state = 0;
    double low = 0.0;
    double high = 0.0;
};

// Components whose range is more than a point, among the first `states`; none where fewer than two relays slide.
[[nodiscard]] std::vector<RateInterval> filippov_set(const RelayRule& rule,
                                                     const flow::Instant& now, std::size_t states);

} // namespace liaison::realise
