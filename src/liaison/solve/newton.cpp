// SPDX-License-Identifier: Apache-2.0
// The Newton step in a metric, and the sentence of the report.
#include "liaison/solve/newton.hpp"

#include <fmt/format.h>

namespace liaison::solve {

bool NewtonWorkspace::set_metric(const Eigen::Ref<const Matrix>& metric) {
    weighted_ = metric.size() > 0;
    if (!weighted_) return true;
    metric_.compute(metric);
    return metric_.info() == Eigen::Success && metric.allFinite();
}

Vector NewtonWorkspace::step(const Matrix& J, const Vector& r, const RankOptions& options,
                             NewtonReport& report) {
    // J L⁻ᵀ = (L⁻¹ Jᵀ)ᵀ.
    scaled_ = J;
    if (weighted_) scaled_ = metric_.matrixL().solve(J.transpose()).transpose();
    factor_.factor(scaled_, options);
    report.rank = factor_.rank();
    RankFactor::Solution solution = factor_.solve(-r);
    report.contradiction = std::move(solution.contradiction);
    if (weighted_) metric_.matrixU().solveInPlace(solution.x);
    return std::move(solution.x);
}

std::string NewtonReport::explanation() const {
    const std::string where =
        fmt::format("after {} steps the residual is {:.3g}", iterations, residual);
    switch (status) {
    case NewtonStatus::converged: return fmt::format("converged: {}", where);
    case NewtonStatus::inconsistent:
        return fmt::format("the equations contradict each other near the last point: {}", where);
    case NewtonStatus::no_descent:
        return fmt::format("no shorter step reduces the residual: {}, largest in equation {}, "
                           "rank of the Jacobian {}",
                           where, worst_row, rank);
    case NewtonStatus::not_finite:
        return fmt::format("an equation or its derivative is not finite after {} steps",
                           iterations);
    case NewtonStatus::metric_not_definite: return "the metric is not positive definite";
    case NewtonStatus::too_many_iterations:
        return fmt::format("not converged: {}, largest in equation {}", where, worst_row);
    }
    return {};
}

namespace detail {

void note_residual(const Vector& residual, NewtonReport& report) {
    report.residual = 0;
    report.worst_row = -1;
    if (residual.size() > 0) report.residual = residual.cwiseAbs().maxCoeff(&report.worst_row);
    report.history.push_back(report.residual);
}

}  // namespace detail
}  // namespace liaison::solve
