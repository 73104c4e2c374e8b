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

// A contact must not go on in this mode: its guard has just said so.
struct Exclusion {
    std::size_t contact = 0;
    laws::ContactMode mode = laws::ContactMode::open;
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
                             const std::vector<Exclusion>& excluded,
                             std::optional<std::size_t> at_boundary, model::Paradox rule);

// What is known about the number of solutions. Nothing where the problem was not decided: the motion ends there and says so.
std::optional<flow::Certificate> certificate_of(const laws::CoulombAnswer& answer);

// Every solution has a mode that is over.
[[nodiscard]] bool all_excluded(const laws::CoulombAnswer& answer,
                                const std::vector<Exclusion>& excluded);

// The first label of the solution that avoids the exclusions, otherwise its best.
const laws::CoulombLabel& choose_label(const laws::CoulombSolution& solution,
                                       const std::vector<Exclusion>& excluded);

} // namespace liaison::realise
