// SPDX-License-Identifier: Apache-2.0
// One assignment of modes to contacts with friction: its linear system, its inequalities, the forces that belong to it.
#pragma once

#include "liaison/laws/coulomb_problem.hpp"
#include "liaison/solve/factor.hpp"

#include <optional>

namespace liaison::laws {

// What a contact may do.
struct ModeChoice {
    ContactMode mode = ContactMode::open;
    Eigen::Vector2d direction = Eigen::Vector2d::Zero(); // of slip
    int side = 1; // sign of the reaction of a bilateral contact
};
using ModeChoices = std::vector<ModeChoice>; // by contact

// All choices of one contact. The direction of a slip in space that starts from rest is left open (zero).
[[nodiscard]] ModeChoices choices(const CoulombContact& contact);
[[nodiscard]] bool is_slip(ContactMode mode);

class CoulombAssignment {
  public:
    CoulombAssignment(const Eigen::MatrixXd& D, const Eigen::VectorXd& b,
                      const std::vector<CoulombContact>& contacts, const CoulombOptions& options);

    struct Found {
        CoulombLabel label;
        Eigen::VectorXd acceleration;
    };
    // Nothing: the assignment has no admissible forces. `undecided` is set where that could not be told.
    std::optional<Found> examine(const ModeChoices& modes, bool& undecided);
    // Accelerations, or forces by row, without regard to signs; nothing where the forces are not determined.
    std::optional<Eigen::VectorXd> accelerations(const ModeChoices& modes);
    std::optional<Eigen::VectorXd> forces(const ModeChoices& modes);

    // Scales of the problem.
    [[nodiscard]] double acceleration() const { return acceleration_; }
    [[nodiscard]] double largest() const { return largest_; }
    [[nodiscard]] double force() const { return force_; }

  private:
    void columns(const ModeChoices& modes);
    // The system of the modes, with the rule of self_stress.hpp where contacts slip; false: no solution.
    bool solve(const ModeChoices& modes, Eigen::VectorXd& z);
    // Equations λ_N = stated, below those of the modes.
    void add_stated(Eigen::MatrixXd& A, Eigen::VectorXd& rhs) const;
    [[nodiscard]] const Eigen::MatrixXd& stress_of(const ModeChoices& modes);
    [[nodiscard]] bool admissible(const ModeChoices& modes, const Eigen::VectorXd& z) const;
    void inequalities(const ModeChoices& modes, const Eigen::VectorXd& z, const Eigen::MatrixXd& N);
    [[nodiscard]] bool add_cuts(const ModeChoices& modes, const Eigen::VectorXd& z,
                                const Eigen::MatrixXd& N, const Eigen::VectorXd& y);
    [[nodiscard]] bool outside_round_cones(const ModeChoices& modes) const;
    // By a margin, or up to the tolerance.
    [[nodiscard]] bool in_cones(const ModeChoices& modes, const Eigen::VectorXd& z,
                                double margin = 0.0) const;
    [[nodiscard]] bool along(const ModeChoices& modes, const Eigen::VectorXd& acceleration) const;
    // The rule of self_stress.hpp: no contact that the closed ones hold is left out although it would press.
    [[nodiscard]] bool left_out(const ModeChoices& modes, const Found& found) const;
    [[nodiscard]] Found found(const ModeChoices& modes, const Eigen::VectorXd& z,
                              int dimension) const;

    const Eigen::MatrixXd& D_;
    const Eigen::VectorXd& b_;
    const std::vector<CoulombContact>& contacts_;
    CoulombOptions options_;
    std::vector<Eigen::Index> rows_; // accelerations that vanish
    Eigen::MatrixXd spread_; // forces on all rows by unknown
    Eigen::MatrixXd response_; // D spread_: accelerations of all rows by unknown
    Eigen::MatrixXd A_; // of the unknowns alone
    Eigen::VectorXd known_;
    Eigen::RowVectorXd row_, row_slope_; // of one inequality, in passing
    Eigen::MatrixXd slope_; // slope y + offset ≥ 0
    Eigen::VectorXd offset_;
    bool determined_ = true; // the modes leave one value of the unknowns
    solve::RankFactor factor_;
    solve::RankFactor ruled_;
    std::vector<Eigen::Index> pressing_;
    std::vector<char> slips_; // normals and unknowns that `stress_` is for
    Eigen::MatrixXd stress_; // self-stress of the contacts that are closed
    double largest_ = 0.0;
    double acceleration_ = 0.0;
    double force_ = 0.0;
};

} // namespace liaison::laws
