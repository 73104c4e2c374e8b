// SPDX-License-Identifier: Apache-2.0
// Slopes of the balance on both sides of every kink that passes through rest; surfaces of events there.
#include "liaison/analysis/rest_surroundings.hpp"

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double k_here = 1e-9; // a surface this close passes through the rest position

// How much the balance and its slopes differ between both sides of a surface, at the distance h along its gradient.
double jump(const RestEquations& rest, const VectorXd& X, const std::vector<double>& gradient,
            double length, double h) {
    const std::size_t n_q = rest.n_positions();
    std::array<std::vector<double>, 2> sides;
    for (std::size_t side = 0; side < 2; ++side) {
        const double by = (side == 0 ? h : -h) / length;
        VectorXd moved = X;
        std::vector<double> v(gradient.size() - n_q, 0.0);
        for (std::size_t i = 0; i < n_q; ++i) moved(static_cast<Index>(i)) += by * gradient[i];
        for (std::size_t i = 0; i < v.size(); ++i) v[i] = by * gradient[n_q + i];
        sides[side] = rest.balance_near(moved, v);
    }
    double largest = 0.0;
    double size = 1e-300;
    for (std::size_t i = 0; i < sides[0].size(); ++i) {
        largest = std::max(largest, std::abs(sides[0][i] - sides[1][i]));
        size = std::max({size, std::abs(sides[0][i]), std::abs(sides[1][i])});
    }
    return largest / size;
}

// A smooth balance differs between the sides by terms of the order of their distance; at a kink the difference stays.
bool kinks(const RestEquations& rest, const VectorXd& X, const model::Switch& s) {
    const std::vector<double> gradient = rest.slopes(s.surface, X);
    double length = 0.0;
    for (const double g : gradient) length = std::hypot(length, g);
    if (!(length > 0.0) || !std::isfinite(length)) return false;
    constexpr double k_far = 1e-4;
    constexpr double k_near = 1e-6;
    const double far = jump(rest, X, gradient, length, k_far);
    const double near = jump(rest, X, gradient, length, k_near);
    return near > k_here && near > 0.1 * far;
}

bool passes_here(const RestEquations& rest, const VectorXd& X, const model::Switch& s) {
    const double value = rest.value(s.surface, X);
    return std::abs(s.op == expr::Op::floor ? std::remainder(value, 1.0) : value) < k_here;
}

// Of a condition: where one of its comparisons changes.
bool happens_here(const RestEquations& rest, const VectorXd& X, const model::Event& event) {
    if (!event.condition) return std::abs(rest.value(event.when.expr, X)) < k_here;
    const std::array roots{event.when.expr};
    const auto nodes = expr::reachable(roots);
    return std::any_of(nodes.begin(), nodes.end(), [&](const expr::Node* node) {
        if (node->op != expr::Op::less && node->op != expr::Op::less_equal) return false;
        const expr::Expr comparison(node);
        return std::abs(rest.value(comparison.arg(1) - comparison.arg(0), X)) < k_here;
    });
}

} // namespace

std::string rough_surroundings(const model::Model& model, const RestEquations& rest,
                               const VectorXd& X) {
    for (const model::Event& event : model.events) {
        if (event.sets.empty()) continue;
        if (expr::depends_on(event.when.expr, model.t))
            return fmt::format("the event {} depends on time and may set it going", event.name);
        if (happens_here(rest, X, event))
            return fmt::format("the event {} happens at this very place: what it does to small "
                               "motions is not told by linearisation",
                               event.name);
    }
    for (const model::Switch& s : model.switches) {
        // Jumps by sign() are relays: their supports tell.
        if (s.op == expr::Op::sign || s.op == expr::Op::table || !s.surface) continue;
        if (passes_here(rest, X, s) && kinks(rest, X, s))
            return fmt::format("{} has a kink here, where {} changes: small motions are not those "
                               "of a linearisation",
                               s.where, expr::print(s.node));
    }
    return {};
}

} // namespace liaison::analysis
