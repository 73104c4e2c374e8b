// SPDX-License-Identifier: Apache-2.0
// Deviations and modes from the laws of the constraints.
#include "liaison/analysis/violation_tube.hpp"

#include "liaison/analysis/proven_stability.hpp"
#include "liaison/expr/evaluate_interval.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>
#include <optional>

namespace liaison::analysis {
namespace {

using expr::Expr;
using expr::Interval;

// Laws that are numbers, as the theorems want them.
bool constant(const flow::Flow& flow, Expr law) {
    return !expr::depends_on(law, flow.time) &&
           std::ranges::none_of(flow.states, [&](Expr x) { return expr::depends_on(law, x); });
}

// Coefficients of the laws, enclosed; nothing where one of them is no number. The automatic rate is the last parameter.
std::optional<std::vector<Interval>> numbers(const flow::Flow& flow, const std::vector<Expr>& laws,
                                             const Interval& rate) {
    std::vector<Interval> values(flow.parameter_values.begin(), flow.parameter_values.end());
    if (flow.rate_to_choose) values.back() = rate;
    std::vector<Interval> found;
    for (const auto& one : expr::evaluate_interval(laws, flow.parameters, values)) {
        if (!one.bounds_everywhere() || !one.range.is_bounded()) return std::nullopt;
        found.push_back(one.range);
    }
    return found;
}

// The node behind a label: a deviation must not be replaced by itself where it is evaluated.
Expr body(Expr e) { return e.op() == expr::Op::named ? e.arg(0) : e; }

class Tube {
  public:
    Tube(const flow::Flow& flow, const motion::Tableau& method, double step, const Interval& rate)
        : flow_(flow), method_(method), step_(step), rate_(rate) {}

    ViolationTube run() {
        std::size_t constraints = 0;
        for (const flow::HeldConstraint& held : flow_.constraints) {
            const bool known = !held.law.empty() && std::ranges::all_of(held.law, [&](Expr e) {
                return constant(flow_, e);
            });
            const auto law = known ? numbers(flow_, held.law, rate_) : std::nullopt;
            if (!law) {
                result_.reason =
                    "the theorem needs ḟ = −p f with a constant p for every constraint, "
                    "or a law of second order with constant coefficients";
                return result_;
            }
            if (held.rate ? !second(held, (*law)[0], (*law)[1]) : !first(held, (*law)[0]))
                return result_;
            ++constraints;
        }
        if (constraints > 0) result_.rate /= static_cast<double>(constraints);
        for (const ViolationPart& part : result_.parts)
            result_.alpha = std::max(result_.alpha, part.alpha);
        return result_;
    }

  private:
    // |R(τ law)| or a little more, for a step of length τ.
    [[nodiscard]] double factor(const Interval& law) const {
        return stability_bound(method_, Interval(step_) * law);
    }
    bool first(const flow::HeldConstraint& held, const Interval& law) {
        const std::size_t k = result_.deviations.size();
        result_.deviations.push_back(
            {body(held.f), held.inside ? held.inside : held.f, {{k, held.law[0]}}, 1.0});
        result_.parts.push_back({{{k, Interval(1.0)}}, factor(law)});
        result_.rate -= law.middle();
        return true;
    }
    bool second(const flow::HeldConstraint& held, const Interval& position,
                const Interval& velocity) {
        const Interval mean = Interval(-0.5) * velocity;
        const Interval under = mean * mean + position;
        constexpr double k_apart = 1e-2; // near a double root the modes are of no use
        if (!(under.lo() > (Interval(k_apart * k_apart) * mean * mean).hi()) ||
            !(position.hi() < 0.0)) {
            result_.reason = "the proof needs a law with two different real decay rates, which "
                             "stabilise = \"auto\" and { p = … } have";
            return false;
        }
        const Interval b1 = mean - sqrt(under);
        const Interval b2 = mean + sqrt(under);
        const Interval gap = Interval(2.0) * sqrt(under);
        const std::size_t k = result_.deviations.size();
        const Expr one = flow_.pool->number(1);
        result_.deviations.push_back({body(held.f), held.f, {{k + 1, one}}, 1.0});
        result_.deviations.push_back(
            {body(held.rate), held.rate, {{k, held.law[0]}, {k + 1, held.law[1]}}, mean.hi()});
        const auto part = [&](const Interval& other, const Interval& own) {
            result_.parts.push_back(
                {{{k, Interval(2.0) * other / gap}, {k + 1, Interval(2.0) / gap}}, factor(-own)});
        };
        part(b2, b1);
        part(b1, b2);
        result_.rate += mean.middle();
        return true;
    }

    const flow::Flow& flow_;
    const motion::Tableau& method_;
    double step_;
    Interval rate_;
    ViolationTube result_;
};

} // namespace

ViolationTube violation_tube(const flow::Flow& flow, const motion::Tableau& method, double step,
                             std::pair<double, double> rate) {
    return Tube(flow, method, step, Interval(rate.first, rate.second)).run();
}

} // namespace liaison::analysis
