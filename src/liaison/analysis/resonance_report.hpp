// SPDX-License-Identifier: Apache-2.0
// Resonances told to people, to programs and in a picture.
#pragma once

#include "liaison/analysis/resonance.hpp"
#include "liaison/record/svg.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace liaison::analysis {

struct ResonanceStudy {
    std::string model;
    std::string realisation;
    std::string over; // name of the parameter
    std::vector<std::string> small; // names
    ImpactOscillator oscillator;
    std::vector<Resonance> resonances;
};

// n forcing frequencies are m frequencies of the oscillation. With one stop that is the oscillation without the stop
// folded in, two impacts in its period (Zhuravlev); with two stops the motion there and back.
struct Ratio {
    int n = 1;
    int m = 1;
};
[[nodiscard]] Ratio ratio_of(const Resonance& resonance, const ImpactOscillator& oscillator);
// n ω = k Ω of the folded motion, from the ratio of the unfolded one.
[[nodiscard]] std::pair<int, int> folded(Ratio ratio, const ImpactOscillator& oscillator);

[[nodiscard]] nlohmann::ordered_json to_json(const ResonanceStudy& study);
[[nodiscard]] std::string to_text(const ResonanceStudy& study);
// One row per stationary motion.
[[nodiscard]] std::string to_csv(const ResonanceStudy& study);
// Amplitude and phase over the parameter: stable motions drawn through, unstable ones dashed, exact orbits as dots.
[[nodiscard]] record::Figure figure(const ResonanceStudy& study);

} // namespace liaison::analysis
