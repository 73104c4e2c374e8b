// SPDX-License-Identifier: Apache-2.0
// Scans of the normal response, its roots and its least critical friction.
#include "liaison/analysis/painleve.hpp"

#include "liaison/solve/scalar_root.hpp"

#include <boost/math/tools/minima.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::analysis {
namespace {

constexpr std::size_t k_points = 400;

double value_at(const Variable& v, std::size_t i, std::size_t n) {
    return v.from + (v.to - v.from) * static_cast<double>(i) / static_cast<double>(n);
}

} // namespace

std::string_view name(SlipCase c) {
    switch (c) {
    case SlipCase::regular: return "regular";
    case SlipCase::separation: return "separation";
    case SlipCase::inconsistent: return "inconsistent";
    case SlipCase::indeterminate: return "indeterminate";
    }
    return "regular";
}

SlipCase SlipNumbers::slip_case() const {
    if (response > 0.0) return free > 0.0 ? SlipCase::separation : SlipCase::regular;
    return free > 0.0 ? SlipCase::indeterminate : SlipCase::inconsistent;
}

double SlipNumbers::critical() const {
    return coupling > 0.0 ? normal / coupling : std::numeric_limits<double>::infinity();
}

SlipScan::SlipScan(const model::Model& model, const prepare::Options& options, std::size_t side)
    : model_(model), options_(options), side_(side) {
    base::Diagnostics quiet;
    const auto start = prepare::prepare(model, options, quiet);
    if (start) realisation_ = realise::realise(model, start->point);
}

std::optional<realise::ContactNumbers> SlipScan::numbers(const std::vector<Variable>& variables,
                                                         const std::vector<double>& values) const {
    const auto here = place(variables, values);
    if (!here) return std::nullopt;
    return realisation_.contacts->at(here->now);
}

std::optional<SlipScan::Place> SlipScan::place(const std::vector<Variable>& variables,
                                               const std::vector<double>& values) const {
    if (!realisation_.contacts) return std::nullopt;
    prepare::Options options = options_;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        if (variables[i].parameter != model::k_none)
            options.settings.push_back({variables[i].parameter, values[i]});
    }
    base::Diagnostics quiet;
    const auto start = prepare::prepare(model_, options, quiet);
    if (!start) return std::nullopt;
    const flow::Flow& flow = realisation_.flow;
    Place here;
    here.parameters = start->point.parameters;
    flow::Instant& now = here.now;
    now.field_time = start->point.time;
    now.time = solve::DoubleLength(start->point.time);
    now.state = flow.start_state;
    std::copy(start->point.q.begin(), start->point.q.end(), now.state.begin());
    std::copy(start->point.v.begin(), start->point.v.end(),
              now.state.begin() + static_cast<std::ptrdiff_t>(flow.n_positions));
    for (const flow::ModeSlot& slot : flow.modes) now.mode.push_back(slot.initial);
    now.parameters = here.parameters;
    std::vector<std::size_t> moved;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        if (variables[i].parameter != model::k_none) continue;
        now.state[variables[i].coordinate] = values[i];
        moved.push_back(variables[i].coordinate);
    }
    if (!moved.empty()) touch(now, moved);
    return here;
}

// The other coordinates follow a moved one so that the contact stays closed, and the velocities so that it stays at
// rest: Newton's method along the gradient of the gap.
void SlipScan::touch(flow::Instant& now, const std::vector<std::size_t>& moved) const {
    const std::size_t n = realisation_.flow.n_positions;
    if (model_.quasi) return;
    const auto k = static_cast<Eigen::Index>(side_);
    constexpr int k_most = 50;
    for (int i = 0; i < k_most; ++i) {
        const auto numbers = realisation_.contacts->at(now);
        Eigen::VectorXd slope = numbers.W.row(k).head(static_cast<Eigen::Index>(n)).transpose();
        const double whole = slope.squaredNorm();
        for (const std::size_t fixed : moved) slope(static_cast<Eigen::Index>(fixed)) = 0.0;
        const double size = slope.squaredNorm();
        if (!(size > 1e-12 * whole)) return;
        for (std::size_t q = 0; q < n; ++q) {
            now.state[q] -= numbers.gap(k) * slope(static_cast<Eigen::Index>(q)) / size;
            now.state[n + q] -= numbers.rate(k) * slope(static_cast<Eigen::Index>(q)) / size;
        }
        if (std::abs(numbers.gap(k)) < 1e-14 && std::abs(numbers.rate(k)) < 1e-13) return;
    }
}

std::optional<SlipNumbers> SlipScan::at(const std::vector<Variable>& variables,
                                        const std::vector<double>& values, double sign) const {
    const auto here = place(variables, values);
    return here ? at(here->now, sign) : std::nullopt;
}

std::optional<SlipNumbers> SlipScan::at(const flow::Instant& now, double sign) const {
    const realise::ContactNumbers numbers = realisation_.contacts->at(now);
    if (!numbers.regular) return std::nullopt;
    const realise::ContactNumbers* n = &numbers;
    const auto k = static_cast<Eigen::Index>(side_);
    const Eigen::Index t = realisation_.contacts->slip_row(k);
    SlipNumbers s;
    s.free = n->b(k);
    s.normal = n->D(k, k);
    s.coupling = sign * n->D(k, t);
    s.friction = sign > 0.0 ? n->sliding_plus(k) : n->sliding_minus(k);
    s.response = s.normal - s.friction * s.coupling;
    return s;
}

std::vector<SlipInterval> slip_intervals(const SlipScan& scan, const Variable& variable,
                                         double sign) {
    const std::size_t n = variable.points > 1 ? variable.points - 1 : k_points;
    const auto at = [&](double x) { return scan.at({variable}, {x}, sign); };
    std::vector<SlipInterval> list;
    const auto extend = [&](double from, double to, SlipCase c) {
        if (!(to > from)) return;
        if (!list.empty() && list.back().slip_case == c && list.back().to == from)
            list.back().to = to;
        else
            list.push_back({from, to, c});
    };
    for (std::size_t i = 0; i < n; ++i) {
        const double a = value_at(variable, i, n);
        const double b = value_at(variable, i + 1, n);
        const auto at_a = at(a);
        const auto at_b = at(b);
        if (!at_a || !at_b) continue;
        // Roots of B₁' and A₁ cut the cell; between them the case at the middle holds.
        std::vector<double> cuts{a};
        for (const bool response : {true, false}) {
            const auto f = [&](double x) {
                const auto s = at(x);
                if (!s) return std::numeric_limits<double>::quiet_NaN();
                return response ? s->response : s->free;
            };
            const auto root = solve::find_scalar_root(f, a, b);
            if (root.status == solve::ScalarRootStatus::found) cuts.push_back(root.root);
        }
        cuts.push_back(b);
        std::sort(cuts.begin(), cuts.end());
        for (std::size_t j = 0; j + 1 < cuts.size(); ++j) {
            const auto middle = at(0.5 * (cuts[j] + cuts[j + 1]));
            if (middle) extend(cuts[j], cuts[j + 1], middle->slip_case());
        }
    }
    return list;
}

std::optional<CriticalFriction> critical_friction(const SlipScan& scan, const Variable& variable,
                                                  double sign) {
    const std::size_t n = k_points;
    const auto f = [&](double x) {
        const auto s = scan.at({variable}, {x}, sign);
        return s ? s->critical() : std::numeric_limits<double>::infinity();
    };
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i <= n; ++i) {
        const double value = f(value_at(variable, i, n));
        if (value < least) {
            least = value;
            best = i;
        }
    }
    if (!std::isfinite(least)) return std::nullopt;
    const double a = value_at(variable, best > 0 ? best - 1 : 0, n);
    const double b = value_at(variable, std::min(best + 1, n), n);
    const auto [x, value] = boost::math::tools::brent_find_minima(f, a, b, 40);
    return value <= least ? CriticalFriction{value, x}
                          : CriticalFriction{least, value_at(variable, best, n)};
}

} // namespace liaison::analysis
