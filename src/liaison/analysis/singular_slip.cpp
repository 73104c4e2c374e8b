// SPDX-License-Identifier: Apache-2.0
// Corners of the paradox by nested root finding, and their eigenvalues by central differences.
#include "liaison/analysis/singular_slip.hpp"

#include "liaison/solve/scalar_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::analysis {
namespace {

constexpr double k_nothing = std::numeric_limits<double>::quiet_NaN();

// Roots of f in the range, one by sign change of a grid.
template <class F>
std::vector<double> roots(const Variable& range, std::size_t cells, const F& f) {
    std::vector<double> list;
    double a = range.from;
    double at_a = f(a);
    for (std::size_t i = 1; i <= cells; ++i) {
        const double b = range.from + (range.to - range.from) * static_cast<double>(i) /
                                          static_cast<double>(cells);
        const double at_b = f(b);
        if (at_a * at_b < 0.0) {
            const auto found = solve::find_scalar_root(f, a, b);
            if (found.status == solve::ScalarRootStatus::found) list.push_back(found.root);
        }
        a = b;
        at_a = at_b;
    }
    return list;
}

class Search {
  public:
    Search(const SlipScan& scan, const Variable& configuration, const Variable& rate, double sign,
           const std::vector<Variable>& more, const std::vector<double>& values)
        : scan_(scan), sign_(sign), variables_{configuration, rate}, values_{0.0, 0.0} {
        variables_.insert(variables_.end(), more.begin(), more.end());
        values_.insert(values_.end(), values.begin(), values.end());
    }

    std::optional<SlipNumbers> at(double x, double y) {
        values_[0] = x;
        values_[1] = y;
        return scan_.at(variables_, values_, sign_);
    }

    // λ₁ and λ₂ by central differences along q̇ and along the velocities that a normal force gives.
    std::optional<SingularPoint> point(double x, double y) {
        values_[0] = x;
        values_[1] = y;
        const auto here = scan_.place(variables_, values_);
        if (!here) return std::nullopt;
        const auto& contacts = *scan_.realisation().contacts;
        const auto k = static_cast<Eigen::Index>(scan_.side());
        const auto numbers = contacts.at(here->now);
        const double mu = sign_ > 0.0 ? numbers.sliding_plus(k) : numbers.sliding_minus(k);
        const Eigen::VectorXd push =
            numbers.response.col(k) - mu * sign_ * numbers.response.col(contacts.slip_row(k));
        const std::vector<double> moves = contacts.position_rates(here->now);
        const std::size_t n = scan_.realisation().flow.n_positions;
        const auto difference = [&](bool positions) {
            constexpr double k_step = 1e-5;
            double result = 0.0;
            for (const double side : {1.0, -1.0}) {
                flow::Instant now = here->now;
                for (std::size_t i = 0; positions && i < n; ++i)
                    now.state[i] += side * k_step * moves[i];
                for (Eigen::Index i = 0; !positions && i < push.size(); ++i)
                    now.state[n + static_cast<std::size_t>(i)] += side * k_step * push(i);
                const auto s = scan_.at(now, sign_);
                if (!s) return k_nothing;
                result += side * (positions ? s->response : s->free);
            }
            return result / (2.0 * k_step);
        };
        const SingularPoint p{x, y, difference(true), -difference(false)};
        if (!std::isfinite(p.response_rate) || !std::isfinite(p.free_rate)) return std::nullopt;
        return p;
    }

  private:
    const SlipScan& scan_;
    double sign_;
    std::vector<Variable> variables_;
    std::vector<double> values_;
};

} // namespace

std::vector<SingularPoint> singular_points(const SlipScan& scan, const Variable& configuration,
                                           const Variable& rate, double sign,
                                           const std::vector<Variable>& more,
                                           const std::vector<double>& values) {
    constexpr std::size_t k_cells = 60;
    Search search(scan, configuration, rate, sign, more, values);
    std::vector<SingularPoint> list;
    const auto free_at = [&](double x) {
        return roots(rate, k_cells, [&](double y) {
            const auto s = search.at(x, y);
            return s ? s->free : k_nothing;
        });
    };
    const auto response_at = [&](double y) {
        return roots(configuration, k_cells, [&](double x) {
            const auto s = search.at(x, y);
            return s ? s->response : k_nothing;
        });
    };
    // B₁' depends on the configuration alone, unless a parameter is both: then a second look corrects the first.
    for (const double first : response_at(0.5 * (rate.from + rate.to))) {
        for (const double y : free_at(first)) {
            const auto again = response_at(y);
            const auto near = std::ranges::min_element(
                again, {}, [&](double root) { return std::abs(root - first); });
            if (near == again.end()) continue;
            if (const auto p = search.point(*near, y)) list.push_back(*p);
        }
    }
    return list;
}

std::optional<ReachFriction> reach_friction(const SlipScan& scan, const Variable& configuration,
                                            const Variable& rate, const Variable& friction,
                                            double sign) {
    constexpr std::size_t k_cells = 16;
    SingularPoint last;
    // The node whose exponent is least; with less friction than the paradox needs there is none.
    const auto excess = [&](double mu) {
        double least = k_nothing;
        for (const SingularPoint& p :
             singular_points(scan, configuration, rate, sign, {friction}, {mu})) {
            if (!p.node() || !(std::isnan(least) || p.exponent() - 1.0 < least)) continue;
            least = p.exponent() - 1.0;
            last = p;
        }
        return least;
    };
    const auto found = roots(friction, k_cells, excess);
    if (found.empty()) return std::nullopt;
    static_cast<void>(excess(found.front()));
    return ReachFriction{found.front(), last};
}

} // namespace liaison::analysis
