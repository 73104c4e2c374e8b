// SPDX-License-Identifier: Apache-2.0
// Contacts that stick under normal forces that were stated: a jam.
//
// Where the friction cones are not pointed (a wedge in a groove, W λ = 0 with λ ≠ 0 in the cones) contacts that rest may hold
// each other with any force, and the contact problem has the jam beside the motion that leaves it. The forces between them
// are a state that the rigid model does not have (theory of many contacts §5.5). Stated, λ_N,i = P_i, they must be in
// balance with the load, D λ = −b on all rows that rest, with every λ in its cone. Of forces that are still not determined
// those are taken that need the least friction: the largest |λ_T|/(μ λ_N) is as small as it can be.
#pragma once

#include "liaison/laws/coulomb_problem.hpp"

namespace liaison::laws {

struct StatedForces {
    enum class Problem {
        none,
        moves, // a contact slips already
        cannot_rest, // no forces keep all of them at rest
        determined, // the balance alone determines the force of a contact, and it is another one
        unbalanced, // no forces balance together with the stated ones
        friction, // balance needs forces outside the cones
    };
    CoulombAnswer answer; // solutions with the stated forces, where there is no problem
    Problem problem = Problem::none;
    std::size_t contact = 0; // the one that shows it
    double value = 0.0; // its force by the balance; of `friction`: the friction that it would need
    double limit = 0.0; // of `friction`: the largest it has
    std::optional<double> factor; // of `friction`: with forces so many times as large it would hold
    std::vector<char> determined; // by contact: stated, and known without that
};

// `stated` by contact. Values that miss the balance by rounding are put there.
[[nodiscard]] StatedForces state_forces(const Eigen::MatrixXd& D, const Eigen::VectorXd& b,
                                        const std::vector<CoulombContact>& contacts,
                                        std::vector<std::optional<double>> stated);

} // namespace liaison::laws
