// SPDX-License-Identifier: Apache-2.0
// Which solution of the contact problem the motion takes: regular, or a paradox and the rule that resolves it.
#pragma once

#include "liaison/flow/decisions.hpp"
#include "liaison/laws/coulomb_problem.hpp"
#include "liaison/model/run_options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::realise {

// A contact must not go on in this mode: its guard has just said so. It speaks of the forces as they were: a motion in which
// the force is not at that end has another one.
struct Exclusion {
    std::size_t contact = 0;
    laws::ContactMode mode = laws::ContactMode::open;
    int bound = 0; // of friction, forwards or backwards; 0: the normal force has come to zero
};

// What cannot be chosen at this instant.
struct Ended {
    std::vector<Exclusion> modes;
    std::vector<std::vector<laws::ContactMode>> tried; // assignments that would end at once
    double force = 0.0; // what the load would ask for: says what is small where nothing presses

    [[nodiscard]] bool empty() const { return modes.empty() && tried.empty(); }
    [[nodiscard]] bool allows(const laws::CoulombLabel& label,
                              const std::vector<laws::CoulombContact>& contacts) const;
};

// Cases of theory 02 §5: regular sliding or rest, separation, no solution, several.
struct FrictionChoice {
    const laws::CoulombSolution* solution = nullptr; // the one to take
    std::optional<std::size_t> tangential; // or: this contact takes a tangential impact first
    // or: all of them together do (laws/tangential_limit.hpp); where that has no limit the solution is taken, if there is one
    bool together = false;
    bool stop = false; // or: the user wants to be asked; what would be done otherwise is told above
    std::string case_name; // empty where the choice was unique
    std::string rule;
};

// B₁' of a moving planar contact relative to D_nn, 1 for others.
double relative_response(const Eigen::MatrixXd& D, const laws::CoulombContact& contact);

// `present`: modes before the event, in the order of `contacts`, empty where there is nothing to continue (start,
// after an impact); they are continued where that is possible. `at_boundary`: this contact slid up to B₁' = 0.
FrictionChoice choose_motion(const laws::CoulombAnswer& answer, const Eigen::MatrixXd& D,
                             const std::vector<laws::CoulombContact>& contacts,
                             const std::vector<std::optional<laws::ContactMode>>& present,
                             const Ended& ended, std::optional<std::size_t> at_boundary,
                             model::Paradox rule);

// What is known about the number of solutions. Nothing where the problem was not decided: the motion ends there and says so.
std::optional<flow::Certificate> certificate_of(const laws::CoulombAnswer& answer);

// Every solution has a mode that is over.
[[nodiscard]] bool all_ended(const laws::CoulombAnswer& answer,
                             const std::vector<laws::CoulombContact>& contacts, const Ended& ended);

// The first label of the solution that has not ended, otherwise its best.
const laws::CoulombLabel& choose_label(const laws::CoulombSolution& solution,
                                       const std::vector<laws::CoulombContact>& contacts,
                                       const Ended& ended);

} // namespace liaison::realise
