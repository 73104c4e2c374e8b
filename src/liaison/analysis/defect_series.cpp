// SPDX-License-Identifier: Apache-2.0
// Stages, shadow and constraints as interval series in the length of the step.
#include "liaison/analysis/defect_series.hpp"

#include "liaison/analysis/proven_stability.hpp"

#include <algorithm>

namespace liaison::analysis {

using expr::Expr;
using expr::Interval;
using Series = expr::IntervalSeries;

namespace {

std::vector<Expr> states_and_more(const flow::Flow& flow) {
    std::vector<Expr> symbols(flow.states.begin(),
                              flow.states.begin() + static_cast<std::ptrdiff_t>(flow.n_controlled));
    symbols.push_back(flow.time);
    symbols.insert(symbols.end(), flow.parameters.begin(), flow.parameters.end());
    return symbols;
}

std::vector<Expr> violations_first(const flow::Flow& flow, const ViolationTube& tube) {
    std::vector<Expr> symbols;
    for (const Deviation& d : tube.deviations) symbols.push_back(d.inside);
    const auto rest = states_and_more(flow);
    symbols.insert(symbols.end(), rest.begin(), rest.end());
    return symbols;
}

std::vector<Expr> first_rates(const flow::Flow& flow) {
    return {flow.rates.begin(),
            flow.rates.begin() + static_cast<std::ptrdiff_t>(flow.n_controlled)};
}
std::vector<Expr> values(const ViolationTube& tube) {
    std::vector<Expr> all;
    for (const Deviation& d : tube.deviations) all.push_back(d.value);
    return all;
}
std::vector<Expr> laws(const ViolationTube& tube) {
    std::vector<Expr> all;
    for (const Deviation& d : tube.deviations) {
        for (const Deviation::Term& term : d.law) all.push_back(term.coefficient);
    }
    return all;
}

} // namespace

DefectSeries::DefectSeries(const flow::Flow& flow, const ViolationTube& tube,
                           const motion::Tableau& method, double step,
                           std::pair<double, double> rate)
    : flow_(flow), tube_(tube), method_(method), step_(step), rate_(rate), n_(flow.n_controlled),
      m_(tube.deviations.size()), field_(first_rates(flow), violations_first(flow, tube)),
      f_(values(tube), states_and_more(flow)), law_(laws(tube), states_and_more(flow)) {}

// The automatic rate is the last parameter.
Interval DefectSeries::parameter(std::size_t i, const Interval& rate) const {
    const bool last = i + 1 == flow_.parameters.size();
    return flow_.rate_to_choose && last ? rate : Interval(flow_.parameter_values[i]);
}

std::optional<std::vector<Series>> DefectSeries::defect(std::span<const Interval> box,
                                                        const Interval& about, const Interval& rate,
                                                        std::span<const Interval> start,
                                                        std::size_t degree) {
    Series sigma(degree, about);
    if (degree > 0) sigma[1] = 1.0;
    // states, time, parameters at a point of the step
    const auto symbols = [&](const std::vector<Series>& X, double c) {
        std::vector<Series> given = X;
        given.push_back(Series(degree, box[n_]) + fraction(c) * sigma);
        for (std::size_t i = 0; i < flow_.parameters.size(); ++i)
            given.emplace_back(degree, parameter(i, rate));
        return given;
    };
    std::vector<Series> x;
    for (std::size_t i = 0; i < n_; ++i) x.emplace_back(degree, box[i]);
    std::vector<Series> f0;
    for (std::size_t k = 0; k < m_; ++k) f0.emplace_back(degree, start[k]);

    const std::size_t s = method_.stages;
    std::vector<std::vector<Series>> V;
    std::vector<std::vector<Series>> PY;
    const auto combine = [&](const std::vector<Series>& base,
                             const std::vector<std::vector<Series>>& rates,
                             std::span<const double> weights) {
        std::vector<Series> sum(base.size(), Series(degree));
        for (std::size_t j = 0; j < rates.size(); ++j) {
            if (weights[j] == 0.0) continue;
            for (std::size_t i = 0; i < base.size(); ++i)
                sum[i] = sum[i] + fraction(weights[j]) * rates[j][i];
        }
        for (std::size_t i = 0; i < base.size(); ++i) sum[i] = base[i] + sigma * sum[i];
        return sum;
    };
    for (std::size_t i = 0; i < s; ++i) {
        const auto weights = method_.a.subspan(i * s, s);
        const auto X = combine(x, V, weights);
        const auto given = symbols(X, method_.c[i]);
        const auto found = f_(given);
        if (!found) return std::nullopt;
        std::vector<Series> all(found->begin(), found->end());
        for (std::size_t k = 0; k < m_; ++k) {
            if (i == 0) {
                all[k] = f0[k];
                continue;
            }
            // f(X_i(σ)) = f(x) + σ f', with f' enclosed over [0, σ]: tighter than the range over the box.
            if (about.lo() == 0.0 && degree > 0)
                all[k][0] = intersect(all[k][0], start[k] + about * all[k][1]);
        }
        const auto law = law_(given);
        if (!law) return std::nullopt;
        const std::vector<Series> P(law->begin(), law->end());
        all.insert(all.end(), given.begin(), given.end());
        const auto rates = field_(all);
        if (!rates) return std::nullopt;
        V.emplace_back(rates->begin(), rates->end());
        const auto Y = combine(f0, PY, weights);
        auto& py = PY.emplace_back();
        std::size_t next = 0;
        for (const Deviation& d : tube_.deviations) {
            Series rate_of(degree);
            for (const Deviation::Term& term : d.law) rate_of = rate_of + P[next++] * Y[term.of];
            py.push_back(std::move(rate_of));
        }
    }
    const auto X = combine(x, V, method_.b);
    const auto Y = combine(f0, PY, method_.b);
    const auto found = f_(symbols(X, 1.0));
    if (!found) return std::nullopt;
    std::vector<Series> result;
    for (std::size_t k = 0; k < m_; ++k) result.push_back((*found)[k] - Y[k]);
    return result;
}

Interval DefectSeries::part(const ViolationPart& part, const std::vector<Series>& delta,
                            std::size_t j) const {
    Interval sum = 0.0;
    for (const auto& [of, weight] : part.weights) sum = sum + weight * delta[of][j];
    // Parts of first order are compared as they are: their rates may be a range.
    if (part.weights.size() == 1 || !(tube_.alpha < 1.0)) return sum;
    const Interval share =
        (Interval(1.0) - Interval(tube_.alpha)) / (Interval(1.0) - Interval(part.alpha));
    return share * sum;
}

std::optional<double> DefectSeries::operator()(std::span<const Interval> box, double tolerance) {
    const auto order = static_cast<std::size_t>(method_.order);
    std::vector<Interval> start;
    for (const Deviation& d : tube_.deviations)
        start.push_back(Interval(-d.width, d.width) * Interval(tolerance));
    const auto delta = defect(box, {0.0, step_}, {rate_.first, rate_.second}, start, order + 1);
    if (!delta) return std::nullopt;
    double bound = 0.0;
    const Interval power = pow(Interval(step_), static_cast<std::int64_t>(order + 1));
    for (const ViolationPart& one : tube_.parts)
        bound = std::max(bound, (part(one, *delta, order + 1) * power).magnitude());
    return bound;
}

std::optional<double> DefectSeries::at_point(std::span<const Interval> point) {
    std::vector<Series> given;
    for (const Interval& side : point) given.emplace_back(0, side);
    const double rate = 0.5 * (rate_.first + rate_.second);
    for (std::size_t i = 0; i < flow_.parameters.size(); ++i)
        given.emplace_back(0, parameter(i, rate));
    const auto f = f_(given);
    if (!f) return std::nullopt;
    std::vector<Interval> start;
    for (const Series& one : *f) start.push_back(one[0]);
    const auto delta = defect(point, step_, rate, start, 0);
    if (!delta) return std::nullopt;
    double size = 0.0;
    for (const ViolationPart& one : tube_.parts)
        size = std::max(size, part(one, *delta, 0).mignitude());
    return size;
}

} // namespace liaison::analysis
