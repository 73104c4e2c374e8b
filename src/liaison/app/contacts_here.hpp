// SPDX-License-Identifier: Apache-2.0
// The contact problem of the start state: cases of the closed contacts and all solutions.
#pragma once

#include "liaison/realise/contact_problem.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace liaison::app {

struct ContactsHere {
    nlohmann::ordered_json json;
    std::string text;
};

// Per closed contact A₁, B₁' and the case of its slip; Delassus' matrix; every solution with its modes and forces.
[[nodiscard]] ContactsHere contacts_here(const realise::ContactProblem& problem,
                                         const realise::ContactNumbers& numbers);

} // namespace liaison::app
