// SPDX-License-Identifier: Apache-2.0
// Quasi-velocities at the start: q' = K(q) v must tell different velocities apart.
#include "liaison/prepare/work.hpp"
#include "liaison/solve/factor.hpp"

#include <fmt/format.h>

#include <cmath>

namespace liaison::prepare {

using base::Code;

// The rates of bodies are known to be sound: γ' = γ × ω has ω along γ in its kernel, and means it.
void check_rates(Work& work) {
    const model::Model& model = work.model;
    std::vector<expr::Expr> rates, velocities;
    std::vector<const model::Velocity*> quasi;
    for (const model::Velocity& v : model.velocities) {
        if (v.coordinate != model::k_none || v.body != model::k_none) continue;
        velocities.push_back(v.v);
        quasi.push_back(&v);
    }
    if (velocities.empty()) return;
    const model::Coordinate* first = nullptr;
    for (const model::Coordinate& c : model.coordinates) {
        if (c.body != model::k_none || !c.rate) continue;
        rates.push_back(c.rate.expr);
        if (first == nullptr) first = &c;
    }
    if (first == nullptr) return;
    const solve::Matrix K = work.jacobian(rates, velocities);
    if (!K.allFinite()) {
        work.diagnostics.report(Code::not_finite, "the rates are not finite at the start")
            .at(first->rate.span, "q' = K(q) v")
            .note("coordinates such as Euler angles fail at some positions: start elsewhere, or "
                  "describe the body by [body.NAME]");
        return;
    }
    solve::RankFactor factor;
    factor.factor(K, {.threshold = 1e-10});
    const solve::Matrix null = factor.null_space();
    if (null.cols() == 0) return;
    std::string idle;
    double largest = 0.0;
    for (Eigen::Index j = 0; j < null.rows(); ++j)
        largest = std::max(largest, std::abs(null(j, 0)));
    for (Eigen::Index j = 0; j < null.rows(); ++j) {
        const double share = null(j, 0) / largest;
        if (std::abs(share) < 1e-9) continue;
        idle += fmt::format("{}{} = {:.4g}", idle.empty() ? "" : ", ",
                            quasi[static_cast<std::size_t>(j)]->name, share);
    }
    work.diagnostics
        .report(Code::singular_mass_matrix,
                fmt::format("the rates do not tell the quasi-velocities apart at the start: K has "
                            "rank {}, not {}",
                            null.rows() - null.cols(), null.rows()))
        .at(first->rate.span, fmt::format("nothing moves with {}", idle))
        .note("q' = K(q) v needs independent columns of K: use as many quasi-velocities as there "
              "are motions, or start where the columns are independent");
}

} // namespace liaison::prepare
