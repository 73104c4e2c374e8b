// SPDX-License-Identifier: Apache-2.0
// What the steps of preparation share: the model, the point so far, where to report.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/expr/node_map.hpp"
#include "liaison/model/total_derivative.hpp"
#include "liaison/prepare/prepare.hpp"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace liaison::prepare {

// An equation of the start: a constraint, or the gap of a contact that starts closed.
struct Condition {
    std::string name;             // "constraint rod", "contact tip"
    model::Formula formula;
    expr::Expr rate;              // its time derivative; empty for nonholonomic constraints
    bool on_velocity = false;     // the formula itself restricts velocities
    std::size_t constraint = model::k_none;
};

class Work {
  public:
    Work(const model::Model& described, base::Diagnostics& collector);

    const model::Model& model;
    base::Diagnostics& diagnostics;
    Evaluator evaluator;
    Start start;

    [[nodiscard]] double at(expr::Expr e) const { return evaluator.at(start.point, e); }
    [[nodiscard]] expr::Expr rate_of(expr::Expr e) { return derivative_.of(e); }
    [[nodiscard]] std::vector<Condition> constraint_conditions();
    [[nodiscard]] std::vector<Condition> closed_conditions();

    // ∂e_i/∂atoms_j at the start.
    [[nodiscard]] Eigen::MatrixXd jacobian(const std::vector<expr::Expr>& expressions,
                                           const std::vector<expr::Expr>& atoms) const;
    // The coordinates that an expression contains.
    [[nodiscard]] std::vector<std::size_t> coordinates_in(expr::Expr e) const;
    // Slopes of an expression in the coordinates it contains.
    [[nodiscard]] std::vector<double> slopes(expr::Expr e) const;
    // A length to compare |f| with: Σ |∂f/∂q| |q| and at least one.
    [[nodiscard]] double scale_of(expr::Expr e) const;
    // "x = 0.8, y = 0.5": the values that go into an expression.
    [[nodiscard]] std::string values_in(expr::Expr e) const;

  private:
    model::TotalDerivative derivative_;
    expr::NodeMap<std::size_t> coordinate_;  // by symbol
};

// start_values.cpp: parameters, [start], defaults of orientations; false if a value is missing.
bool give_values(Work& work, const Options& options);
// start_solve.cpp: `closed` and `solve`, inconsistent starts.
void solve_start(Work& work);
// kinks.cpp: reports a condition whose slope jumps at the start.
bool report_kink(Work& work, const Condition& condition);
// rate_rank.cpp: q' = K(q) v tells different quasi-velocities apart.
void check_rates(Work& work);
// held.cpp: integrals that are known for bodies and to be held are integrals.
void check_held(Work& work);
// constraint_rank.cpp: redundancy, contradictions, degrees of freedom.
void rank_constraints(Work& work);
// Whether constraints disagree that restrict the same motion; reports the combination.
bool contradictory(Work& work, const std::vector<Condition>& constraints);
// servo.cpp: actuators can keep their constraints.
void check_servo(Work& work);
// laws.cpp: laws of violations under which they would grow.
void check_laws(Work& work);
// inertia.cpp: the mass matrix, on what the constraints leave free.
void check_inertia(Work& work);
// The mass matrix at the start where it is positive definite, else an empty matrix.
[[nodiscard]] Eigen::MatrixXd kinetic_metric(const Work& work);
// contact_values.cpp: gaps, restitution, friction, elasticity.
void check_contacts(Work& work);
// gap_metric.cpp: the gaps of rough contacts are lengths as their slips are.
void check_gap_metric(Work& work);
// preload.cpp: contacts with a preload start closed, elastic ones compressed by it.
void press_contacts(Work& work);
// model_values.cpp: finite energies and forces, relays, bodies, the length of the run.
void check_values(Work& work);

} // namespace liaison::prepare
