// SPDX-License-Identifier: Apache-2.0
// Resonances of an oscillator with stops: stationary motions of the averaged system over a parameter, and the exact
// periodic motions beside them.
#pragma once

#include "liaison/analysis/averaged_system.hpp"
#include "liaison/base/interrupt.hpp"
#include "liaison/flow/flow.hpp"

#include <array>
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace liaison::analysis {

struct ResonanceOptions {
    std::size_t parameter = 0; // of the model: what the curve runs over
    double low = 0.0;
    double high = 0.0;
    int n = 1; // n ω ≈ k Ω, Ω = 2π/T of the motion from stop to stop
    int k = 1;
    double smallest_speed = 1e-6; // at the stop; curves are looked for between these
    double largest_speed = 1e6;
    std::size_t exact = 24; // exact orbits per curve; 0: none
    double tolerance = 1e-13; // of their integration
    base::Interrupt interrupt = nullptr; // raised: the curves are not complete
};

// The periodic motion of the full equations nearest to a stationary motion of the averaged ones.
struct ExactMotion {
    bool found = false;
    std::string reason; // why not
    bool admissible = false;
    bool stable = false;
    double amplitude = 0.0;
    double speed = 0.0; // mean of the speeds before and after the impacts at the first stop
    double multiplier = 0.0; // largest modulus
};

struct StationaryMotion {
    double parameter = 0.0;
    double frequency = 0.0;
    double speed = 0.0; // u, at the first stop
    double amplitude = 0.0; // largest distance from the first stop
    double phase = 0.0; // θ in (−π, π]
    std::array<std::complex<double>, 2> eigenvalues = {}; // of the averaged system
    bool stable = false;
    // What the small terms change of the speed in one period, as a share of it: averaging supposes that this is small.
    double strength = 0.0;
    std::optional<ExactMotion> exact;
};

struct ResonanceCurve {
    std::vector<StationaryMotion> points;
    bool closed = false;
    bool cut = false; // it goes on to larger or smaller amplitudes
};

struct Resonance {
    int n = 1;
    int k = 1;
    bool isochronous = false; // Ω does not depend on the amplitude
    double natural = 0.0; // Ω at the smallest amplitude of the curves
    double quadrature = 0.0; // error of the means, relative to their terms
    std::vector<ResonanceCurve> curves;
    std::vector<StationaryMotion> limits; // folds: no motion of this kind beyond
    std::vector<StationaryMotion> here; // at the parameter's own value, where it lies in the range
    std::string nothing; // why there is no curve
};

// k of the resonance ω ≈ k Ω at the frequency of the flow's own parameters; 1 where Ω depends on the amplitude.
[[nodiscard]] int nearest_resonance(const ImpactOscillator& oscillator, const flow::Flow& flow);

// `flow`: the full motion of the same model at the parameter values of interest.
[[nodiscard]] Resonance find_resonance(const ImpactOscillator& oscillator,
                                       const std::shared_ptr<const flow::Flow>& flow,
                                       const ResonanceOptions& options);

// The exact motion, started where the averaged one is.
[[nodiscard]] ExactMotion exact_motion(AveragedSystem& averaged, const StationaryMotion& motion,
                                       const flow::Flow& flow, std::size_t parameter,
                                       double tolerance, base::Interrupt interrupt = nullptr);

} // namespace liaison::analysis
