// SPDX-License-Identifier: Apache-2.0
// Is there a periodic motion, and is it stable?
#pragma once

#include "liaison/analysis/orbit.hpp"
#include "liaison/ask/answer.hpp"
#include "liaison/ask/control.hpp"
#include "liaison/ask/subject.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace liaison::ask {

struct OrbitQuestion {
    std::vector<Setting> set = {};
    std::optional<double> tolerance = {}; // of the integration
    std::optional<double> settle = {};    // time simulated before the guess is taken
    std::optional<double> longest = {};   // without forcing: how long to wait for a return
    std::optional<int> period = {};       // in periods of the force; found where it is not given
};

struct OrbitAnswer {
    std::shared_ptr<const flow::Flow> flow; // names the states
    analysis::Orbit orbit;
};

[[nodiscard]] Answer<OrbitAnswer> orbit(const model::Model& model,
                                        const OrbitQuestion& question = {},
                                        const Control& control = {},
                                        base::Diagnostics diagnostics = {});

// The flow with its phase condition, and what is asked about its orbits: for questions about families of them.
struct OrbitSubject : Subject {
    analysis::OrbitOptions options_of_orbit;
};
[[nodiscard]] std::optional<OrbitSubject> orbit_subject(const model::Model& model,
                                                        const OrbitQuestion& question,
                                                        const Control& control, Findings& findings);

} // namespace liaison::ask
