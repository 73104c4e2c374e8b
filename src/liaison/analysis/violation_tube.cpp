// SPDX-License-Identifier: Apache-2.0
// Deviations and modes from the laws of the constraints.
#include "liaison/analysis/violation_tube.hpp"

#include "liaison/expr/traverse.hpp"
#include "liaison/flow/probe.hpp"
#include "liaison/flow/start_instant.hpp"
#include "liaison/motion/stability.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

using expr::Expr;

// Laws that are numbers, as the theorems want them.
bool constant(const flow::Flow& flow, Expr law) {
    return !expr::depends_on(law, flow.time) &&
           std::ranges::none_of(flow.states, [&](Expr x) { return expr::depends_on(law, x); });
}

std::vector<double> numbers(flow::Flow flow, const std::vector<Expr>& laws, double rate) {
    if (flow.rate_to_choose) flow.parameter_values.back() = rate;
    return flow::Probe(flow, laws)(flow::start_instant(flow));
}

// The node behind a label: a deviation must not be replaced by itself where it is evaluated.
Expr body(Expr e) { return e.op() == expr::Op::named ? e.arg(0) : e; }

class Tube {
  public:
    Tube(const flow::Flow& flow, const motion::Tableau& method, double step, double rate)
        : flow_(flow), method_(method), step_(step), rate_(rate) {}

    ViolationTube run() {
        std::size_t constraints = 0;
        for (const flow::HeldConstraint& held : flow_.constraints) {
            const bool known = !held.law.empty() && std::ranges::all_of(held.law, [&](Expr e) {
                return constant(flow_, e);
            });
            if (!known) {
                result_.reason =
                    "the theorem needs ḟ = −p f with a constant p for every constraint, "
                    "or a law of second order with constant coefficients";
                return result_;
            }
            const auto law = numbers(flow_, held.law, rate_);
            if (held.rate ? !second(held, law[0], law[1]) : !first(held, law[0])) return result_;
            ++constraints;
        }
        if (constraints > 0) result_.rate /= static_cast<double>(constraints);
        for (const ViolationPart& part : result_.parts)
            result_.alpha = std::max(result_.alpha, part.alpha);
        return result_;
    }

  private:
    bool first(const flow::HeldConstraint& held, double law) {
        const std::size_t k = result_.deviations.size();
        result_.deviations.push_back(
            {body(held.f), held.inside ? held.inside : held.f, {{k, held.law[0]}}, 1.0});
        result_.parts.push_back({{{k, 1.0}}, std::abs(motion::stability(method_, step_ * law))});
        result_.rate -= law;
        return true;
    }
    bool second(const flow::HeldConstraint& held, double position, double velocity) {
        const double mean = -0.5 * velocity;
        const double under = mean * mean + position;
        constexpr double k_apart = 1e-2; // near a double root the modes are of no use
        if (!(under > k_apart * k_apart * mean * mean) || !(position < 0.0)) {
            result_.reason = "the proof needs a law with two different real decay rates, which "
                             "stabilise = \"auto\" and { p = … } have";
            return false;
        }
        const double b1 = mean - std::sqrt(under);
        const double b2 = mean + std::sqrt(under);
        const double gap = b2 - b1;
        const std::size_t k = result_.deviations.size();
        const Expr one = flow_.pool->number(1);
        result_.deviations.push_back({body(held.f), held.f, {{k + 1, one}}, 1.0});
        result_.deviations.push_back({body(held.rate),
                                      held.rate,
                                      {{k, held.law[0]}, {k + 1, held.law[1]}},
                                      0.5 * (b1 + b2)});
        const auto part = [&](double other, double own) {
            result_.parts.push_back({{{k, 2.0 * other / gap}, {k + 1, 2.0 / gap}},
                                     std::abs(motion::stability(method_, -step_ * own))});
        };
        part(b2, b1);
        part(b1, b2);
        result_.rate += mean;
        return true;
    }

    const flow::Flow& flow_;
    const motion::Tableau& method_;
    double step_;
    double rate_;
    ViolationTube result_;
};

} // namespace

ViolationTube violation_tube(const flow::Flow& flow, const motion::Tableau& method, double step,
                             double rate) {
    return Tube(flow, method, step, rate).run();
}

} // namespace liaison::analysis
