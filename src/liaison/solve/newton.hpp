// SPDX-License-Identifier: Apache-2.0
// Damped Newton for r(x) = 0 of any shape and rank, with a report that says why it stopped.
//
// Step d: the least-norm solution of min |J d + r|, in the norm of a metric M if one is given:
//   d = −W Jᵀ (J W Jᵀ)⁻¹ r,  W = M⁻¹,
// the projection onto the linearised constraint that moves least kinetic energy. With M = L Lᵀ, y = Lᵀd this is
// the least-norm solution of (J L⁻ᵀ) y = −r, so rank is decided by orthogonal factors, never by normal equations.
// Damping: α is halved until |r(x + α d)| ≤ (1 − α/4)|r| (Armijo; Dennis, Schnabel 1983, §6.3).
#pragma once

#include "liaison/solve/factor.hpp"

#include <string>
#include <vector>

namespace liaison::solve {

enum class NewtonStatus {
    converged,
    inconsistent, // linearised equations contradict each other: see NewtonReport::contradiction
    no_descent, // |r| does not decrease along the step, however short: a local minimum or rounding
    not_finite, // the residual or Jacobian is not finite at the start
    metric_not_definite, // M has no Cholesky factor
    too_many_iterations
};

struct NewtonOptions {
    double tolerance = 1e-12; // on max |r_i|, in the units of r
    int max_iterations = 50;
    int max_halvings = 30;
    RankOptions rank{};
};

struct NewtonReport {
    NewtonStatus status = NewtonStatus::converged;
    int iterations = 0;
    int evaluations = 0;
    double residual = 0; // max |r_i| at the returned x
    Eigen::Index worst_row = -1; // where it is attained
    Eigen::Index rank = 0; // of the last Jacobian
    std::vector<double> history; // max |r_i| before each step and at the end
    Vector contradiction; // weights of the rows that cannot all be satisfied

    [[nodiscard]] bool converged() const { return status == NewtonStatus::converged; }
    // One sentence for people.
    [[nodiscard]] std::string explanation() const;
};

// Step computation and memory, independent of the functor type.
class NewtonWorkspace {
  public:
    // Prepares the metric; false if it is not positive definite. An empty matrix means the unit metric.
    [[nodiscard]] bool set_metric(const Eigen::Ref<const Matrix>& metric);
    // The step at J, r; reports rank, and the contradiction if |J d + r| stays large.
    Vector step(const Matrix& J, const Vector& r, const RankOptions& options, NewtonReport& report);

    Vector residual;
    Vector trial_residual;
    Vector trial;
    Matrix jacobian;

  private:
    Eigen::LLT<Matrix> metric_;
    bool weighted_ = false;
    RankFactor factor_;
    Matrix scaled_;
};

namespace detail {

void note_residual(const Vector& residual, NewtonReport& report);

// Shortens d until the residual norm falls; true if x, residual were moved.
template <class Function>
bool damped_move(Function& f, const Vector& d, Vector& x, NewtonWorkspace& work, int max_halvings,
                 NewtonReport& report) {
    const double before = work.residual.norm();
    double alpha = 1;
    for (int i = 0; i <= max_halvings; ++i, alpha *= 0.5) {
        work.trial = x + alpha * d;
        f(work.trial, work.trial_residual, nullptr);
        ++report.evaluations;
        const double after = work.trial_residual.norm();
        if (work.trial_residual.allFinite() && after <= (1 - 0.25 * alpha) * before) {
            x.swap(work.trial);
            work.residual.swap(work.trial_residual);
            return true;
        }
    }
    return false;
}

} // namespace detail

// f(x, r, J): fills r = r(x), and *J = ∂r/∂x unless J is null. x enters as the start and leaves as the result.
// metric: symmetric positive definite M, or an empty matrix.
template <class Function>
NewtonReport newton(Function&& f, Vector& x, NewtonWorkspace& work,
                    const NewtonOptions& options = {},
                    const Eigen::Ref<const Matrix>& metric = Matrix()) {
    NewtonReport report;
    if (!work.set_metric(metric)) {
        report.status = NewtonStatus::metric_not_definite;
        return report;
    }
    f(x, work.residual, &work.jacobian);
    ++report.evaluations;
    detail::note_residual(work.residual, report);
    const auto finite = [&] { return work.residual.allFinite() && work.jacobian.allFinite(); };
    while (report.residual > options.tolerance || !finite()) {
        if (!finite()) {
            report.status = NewtonStatus::not_finite;
            return report;
        }
        if (report.iterations == options.max_iterations) {
            report.status = NewtonStatus::too_many_iterations;
            return report;
        }
        const Vector d = work.step(work.jacobian, work.residual, options.rank, report);
        if (!detail::damped_move(f, d, x, work, options.max_halvings, report)) {
            report.status = report.contradiction.size() > 0 ? NewtonStatus::inconsistent
                                                            : NewtonStatus::no_descent;
            return report;
        }
        ++report.iterations;
        f(x, work.residual, &work.jacobian);
        ++report.evaluations;
        detail::note_residual(work.residual, report);
    }
    return report;
}

} // namespace liaison::solve
