// SPDX-License-Identifier: Apache-2.0
// The contact problem with Coulomb friction for several contacts together: all its solutions.
//
//   a = b + D λ,   a = (g̈ of the normals, v̇ of the slips),   λ = (normal forces, friction forces)
//   open   λ_N = 0, g̈ ≥ 0        closed  g̈ = 0, λ_N ≥ 0
//   stick  v̇ = 0, |λ_T| ≤ μ_s λ_N  slip   λ_T = −μ λ_N s, with s = v/|v| known, or s·v̇ > 0 at the onset
//
// Every assignment of modes is a linear system and a set of inequalities; a rank-deficient system is decided by
// the polyhedron of its solutions, not by one member. Assignments with the same accelerations are one solution
// (theory of many contacts, §3.2). Where there are too many of them one solution is searched (coulomb_search.hpp).
// With velocities in place of accelerations the same problem is the impact law of
// Moreau: b = (γ⁻ + e min(γ⁻, 0), v⁻).
#pragma once

#include <Eigen/Core>

#include <optional>
#include <string>
#include <vector>

namespace liaison::laws {

enum class ContactMode { open, closed, stick, slip_plus, slip_minus };

struct CoulombContact {
    Eigen::Index normal = 0; // row of the gap
    Eigen::Index slip = 0; // first row of the slips
    int slips = 0; // 0: no friction, 1: planar, 2: spatial
    double sliding_plus = 0.0; // μ for s = +1 (any direction of a spatial contact)
    double sliding_minus = 0.0; // μ for s = −1
    double sticking = 0.0; // μ_s
    bool moving = false; // v ≠ 0: the direction of slip is known
    Eigen::Vector2d direction = Eigen::Vector2d::Zero(); // v/|v| then
    bool bilateral = false; // a constraint: always closed, either sign of the reaction

    [[nodiscard]] double sliding(double sign) const {
        return sign < 0.0 ? sliding_minus : sliding_plus;
    }
};

// One assignment of modes and the forces that belong to it.
struct CoulombLabel {
    std::vector<ContactMode> mode;
    std::vector<int> side; // sign of the reaction, −1 only for bilateral contacts
    std::vector<Eigen::Vector2d> direction; // of slip, by contact
    Eigen::VectorXd force; // by row; an even share where admissible, else of least norm
    int dimension = 0; // of the set of admissible forces
    bool even =
        true; // dependent contacts that slip share their load by the rule of self_stress.hpp
};

struct CoulombSolution {
    Eigen::VectorXd acceleration; // by row
    std::vector<CoulombLabel> labels; // most sticking, then most closed contacts first
    [[nodiscard]] const CoulombLabel& best() const { return labels.front(); }
    [[nodiscard]] bool forces_unique() const;
};

struct CoulombAnswer {
    std::vector<CoulombSolution> solutions;
    bool complete = true; // all solutions are known: only then "unique" and "none" may be said
    std::string note; // why not
    bool by_matrix = false; // complete without enumeration: the matrix has one solution for any b
    [[nodiscard]] bool unique() const { return complete && solutions.size() == 1; }
    [[nodiscard]] bool none() const { return complete && solutions.empty(); }
};

struct CoulombOptions {
    std::size_t max_modes = 4096;
    double tolerance = 1e-10; // relative to the largest |b| and the force that belongs to it
    // By contact, or empty: it sticks (or stays closed, without friction) under this normal force (stated_forces.hpp).
    std::vector<std::optional<double>> stated = {};
};

[[nodiscard]] CoulombAnswer solve_coulomb(const Eigen::MatrixXd& D, const Eigen::VectorXd& b,
                                          const std::vector<CoulombContact>& contacts,
                                          const CoulombOptions& options = {});

// The letters of a label: o open, c closed, s stick, + and − slip.
[[nodiscard]] std::string letters(const CoulombLabel& label);

} // namespace liaison::laws
