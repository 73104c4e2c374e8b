// SPDX-License-Identifier: Apache-2.0
// The contact problem of the start state: cases of the closed contacts and all solutions.
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/realise/contact_problem.hpp"
#include "liaison/realise/realise.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace liaison::ask {

struct ContactsHere {
    nlohmann::ordered_json json;
    std::string text;
};

// The stiffness K of the spring that a contact of the model stands for, by side; NaN where none is given.
[[nodiscard]] std::vector<double> contact_stiffness(const model::Model& model,
                                                    const realise::Realisation& realised,
                                                    const realise::ContactNumbers& numbers,
                                                    const flow::Instant& now);

// Per closed contact A₁, B₁' and the case of its slip; Delassus' matrix; every solution with its modes and forces. With a
// stiffness the indeterminate case has the approach ε_cr = A₁/√(|B₁'| K) that decides it (theory of friction §9).
[[nodiscard]] ContactsHere contacts_here(const realise::ContactProblem& problem,
                                         const realise::ContactNumbers& numbers,
                                         const std::vector<double>& stiffness);

} // namespace liaison::ask
