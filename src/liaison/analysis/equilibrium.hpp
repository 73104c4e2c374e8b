// SPDX-License-Identifier: Apache-2.0
// Rest positions of a model with everything that may hold it there, their small motions and their stability.
//
// From every start and for every choice of closed contacts and relay sides the equations of rest are solved by Newton's
// method; a solution counts if open gaps are open, closed ones pressed, friction inside its bound and relays on the
// side they were taken on. Rest by friction is a set: its dimension is told, and its ends where it is a line.
#pragma once

#include "liaison/analysis/rest_equations.hpp"
#include "liaison/analysis/small_motions.hpp"
#include "liaison/base/interrupt.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

enum class Verdict { asymptotically_stable, stable, unstable, not_decided };
[[nodiscard]] std::string_view name(Verdict verdict);

// Where a line of rest positions ends: friction or a relay at the end of what it can hold.
struct SetEnd {
    std::vector<double> q;
    std::string at; // the support that gives way
};

struct Equilibrium {
    std::vector<double> q;
    SupportStates states;
    std::vector<double> forces; // Λ, by support
    std::vector<double> bound; // of friction forces and relays, by support; infinite where none
    std::vector<double> gaps; // by support; of normal ones
    double residual = 0.0;
    bool degenerate =
        false; // Newton's method converged only linearly: several rest positions meet here
    std::size_t dimension = 0; // of the set of rest positions it belongs to
    std::vector<SetEnd> ends; // where that is a line and the end was found
    SmallMotions motions;
    Verdict verdict = Verdict::not_decided;
    std::string reason;
};

struct EquilibriumOptions {
    // More starts: a box in some coordinates, searched at this many points.
    struct Side {
        std::size_t coordinate = 0;
        double from = 0.0;
        double to = 0.0;
    };
    std::vector<Side> box;
    std::size_t starts = 1;
    double tolerance = 1e-11; // of the balance, as a share of the forces
    std::size_t most_cases = 512; // choices of closed contacts and relay sides
    base::Interrupt interrupt = nullptr; // raised: those that were found until then
};

struct Equilibria {
    std::vector<Equilibrium> found; // by coordinates
    std::string reason; // why none was found, with what to try
    std::size_t tried = 0; // Newton iterations started
    double best_residual = 0.0; // of those that did not converge
    std::string worst; // the balance it is in
    std::string violation; // why a balance that was found is no rest position
    bool cases_left_out = false; // too many contacts to try every choice
};

class EquilibriumSearch {
  public:
    EquilibriumSearch(const model::Model& model, const prepare::Point& start);

    [[nodiscard]] const RestEquations& rest() const { return rest_; }
    void set_parameters(const std::vector<double>& values);
    // `also`: starts besides those of the options (rest positions of a neighbouring parameter value).
    [[nodiscard]] Equilibria find(const EquilibriumOptions& options,
                                  const std::vector<std::vector<double>>& also = {}) const;

  private:
    struct Attempt;
    [[nodiscard]] std::vector<SupportStates> cases(const EquilibriumOptions& options,
                                                   bool& left_out) const;
    [[nodiscard]] Attempt solve(const SupportStates& states, const std::vector<double>& q,
                                double tolerance) const;
    // Why a solution is no rest position; empty: it is one.
    [[nodiscard]] std::string violation(const SupportStates& states, const Eigen::VectorXd& X,
                                        double scale) const;
    [[nodiscard]] Equilibrium describe(const SupportStates& states, const Attempt& attempt,
                                       const EquilibriumOptions& options) const;
    void judge(Equilibrium& e) const;

    const model::Model& model_;
    prepare::Point start_;
    RestEquations rest_;
};

} // namespace liaison::analysis
