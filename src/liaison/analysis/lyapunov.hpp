// SPDX-License-Identifier: Apache-2.0
// Lyapunov exponents of any flow: tangent vectors through all events, orthonormalised as they go.
//
//   λ_i = lim (1/T) Σ log R_ii   of the QR factors (Benettin et al. 1980; with saltation: Müller 1995).
// Check in the run: Σ λ_i T = ∫ div f dt + Σ log|det S| over the events, an identity of determinants that holds to the
// accuracy of the integration whatever the motion does. A direction that an event forgets has the exponent −∞; the
// others go on without it.
#pragma once

#include "liaison/base/interrupt.hpp"
#include "liaison/flow/flow.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace liaison::analysis {

struct LyapunovOptions {
    double time = 1000.0; // averaged over
    double settle = 100.0; // dropped before
    double tolerance = 1e-10;
    double interval = 1.0; // between orthonormalisations
    std::size_t blocks = 25; // for the standard error
    base::Interrupt interrupt = nullptr; // raised: what was averaged until then is the answer
    std::function<void(double time, double end)> progress = {};
};

struct Lyapunov {
    bool done = false;
    std::string reason; // why not
    bool interrupted = false; // averaged over a shorter time than was asked for
    std::vector<double> exponents; // descending; −∞ where a direction is forgotten
    std::vector<double> error; // standard error over blocks; 0 for −∞
    double time = 0.0;
    std::uint64_t events = 0;
    double sum = 0.0; // of the exponents
    double expected_sum = 0.0; // by divergence and determinants of the events
    bool autonomous = false; // one exponent is 0: its value is an error estimate
};

[[nodiscard]] Lyapunov lyapunov(const std::shared_ptr<const flow::Flow>& flow,
                                const LyapunovOptions& options);

} // namespace liaison::analysis
