// SPDX-License-Identifier: Apache-2.0
// Violations: sampled in floating point, enclosed where a bound was asked for, judged at the end.
#include "liaison/record/constraint_watch.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate_interval.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/flow/restorer.hpp"
#include "liaison/flow/start_instant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::record {

ConstraintWatch::ConstraintWatch(const flow::Flow& flow, const motion::Tableau* method, double step)
    : flow_(flow), step_(step) {
    if (flow.constraints.empty()) return;
    std::vector<expr::Expr> values;
    std::vector<expr::Expr> enclosed;
    followed_.resize(flow.constraints.size());
    for (std::size_t k = 0; k < flow.constraints.size(); ++k) {
        const flow::HeldConstraint& held = flow.constraints[k];
        values.push_back(held.f);
        if (held.rate) values.push_back(held.rate);
        if (!held.tolerance) continue;
        asked_.push_back(k);
        wanted_.push_back(*held.tolerance);
        enclosed.push_back(held.f);
    }
    probe_ = flow::Probe(flow, std::move(values));
    now_.parameters = flow.parameter_values;
    if (!enclosed.empty()) enclosure_.emplace(flow, std::move(enclosed));
    if (method != nullptr && step > 0.0) find_norms(*method);
    projected_ = std::ranges::any_of(flow.transitions, [](const auto& transition) {
        return dynamic_cast<const flow::Restorer*>(transition.get()) != nullptr;
    });
    if (!projected_ || method != nullptr) return;
    std::vector<expr::Expr> variables(
        flow.states.begin(), flow.states.begin() + static_cast<std::ptrdiff_t>(flow.n_controlled));
    variables.push_back(flow.time);
    for (const flow::HeldConstraint& held : flow.constraints)
        slopes_.emplace_back(flow, expr::gradient(held.f, variables));
}

// The size of f: what its variables contribute to it, Σ |∂f/∂xᵢ xᵢ| + |∂f/∂t t|.
void ConstraintWatch::look_for_loss(std::size_t k, double f, double time) {
    constexpr double k_looked_at = 1e-6;
    constexpr double k_noticeable = 1e-3;
    if (slopes_.empty() || lost_ || !(f > k_looked_at)) return;
    const auto slopes = slopes_[k](now_);
    double size = std::abs(slopes.back() * now_.field_time);
    for (std::size_t i = 0; i + 1 < slopes.size(); ++i) size += std::abs(slopes[i] * now_.state[i]);
    if (!(f > k_noticeable * size)) return;
    lost_ = fmt::format("constraint {} can no longer be kept: |f| = {:.3g} at t = {:.6g} although "
                        "every step is brought back to it; the constraints contradict each other "
                        "from there on, as at the end of the reach of a driven mechanism",
                        flow_.constraints[k].name, f, time);
}

// Laws that depend neither on the state nor on time, with their numbers.
void ConstraintWatch::find_norms(const motion::Tableau& method) {
    const auto constant = [&](expr::Expr e) {
        return !expr::depends_on(e, flow_.time) &&
               std::ranges::none_of(flow_.states,
                                    [&](expr::Expr x) { return expr::depends_on(e, x); });
    };
    const flow::Instant start = flow::start_instant(flow_);
    for (std::size_t k = 0; k < followed_.size(); ++k) {
        const auto& law = flow_.constraints[k].law;
        if (law.empty() || law[0].is_zero() || !std::ranges::all_of(law, constant)) continue;
        const auto a = flow::Probe(flow_, law)(start);
        followed_[k].norm = law.size() == 1
                                ? motion::ViolationNorm::first(method, step_, a[0])
                                : motion::ViolationNorm::second(method, step_, a[0], a[1]);
    }
}

void ConstraintWatch::see(const motion::Piece& piece) {
    sample(piece);
    enclose(piece);
}

void ConstraintWatch::sample(const motion::Piece& piece) {
    // The end of a piece is not yet brought back to the constraints; the grid is where the next one starts.
    constexpr double k_inside[] = {0.0, 0.25, 0.5, 0.75, 1.0};
    now_.mode = piece.mode;
    now_.state.resize(flow_.states.size());
    whole_ = step_ > 0.0 && std::abs(piece.length - step_) <= 1e-9 * step_;
    for (const double share : k_inside) {
        piece.evaluate(share * piece.length, now_.state);
        now_.field_time = piece.field_time + share * piece.length;
        take(probe_(now_), share, piece.start.rounded() + share * piece.length);
    }
}

void ConstraintWatch::take(const std::vector<double>& values, double share, double time) {
    std::size_t at = 0;
    for (std::size_t k = 0; k < followed_.size(); ++k) {
        Followed& one = followed_[k];
        const double value = values[at++];
        const double f = std::abs(value);
        if (!(f <= one.report.max_violation_between)) {
            one.report.max_violation_between = f;
            one.worst_time = time;
        }
        double rate = 0.0;
        if (share == 0.0) {
            one.report.max_violation = std::max(one.report.max_violation, f);
            look_for_loss(k, f, time);
        }
        if (flow_.constraints[k].rate) {
            rate = values[at++];
            one.report.max_rate_violation =
                std::max(one.report.max_rate_violation.value_or(0.0), std::abs(rate));
        }
        if (share == 0.0)
            one.start = {value, rate};
        else if (share == 1.0 && whole_)
            compare_with_law(k, value, rate);
    }
}

void ConstraintWatch::compare_with_law(std::size_t k, double f, double rate) {
    Followed& one = followed_[k];
    if (!one.norm) return;
    const auto left = one.norm->step(one.start[0], one.start[1]);
    const auto sizes = one.norm->sizes(f - left[0], rate - left[1]);
    for (std::size_t i = 0; i < one.norm->parts(); ++i)
        one.defects[i] = std::max(one.defects[i], sizes[i]);
}

void ConstraintWatch::enclose(const motion::Piece& piece) {
    if (!enclosure_) return;
    const auto bounds = (*enclosure_)(piece, wanted_);
    for (std::size_t i = 0; i < asked_.size(); ++i) {
        Followed& one = followed_[asked_[i]];
        if (!bounds) {
            one.enclosed = false;
            continue;
        }
        one.proven_grid = std::max(one.proven_grid, (*bounds)[i].at_start);
        one.proven = std::max(one.proven, (*bounds)[i].over);
    }
}

void ConstraintWatch::enclose_end() {
    if (!enclosure_) return;
    std::vector<expr::Expr> symbols = flow_.states;
    std::vector<expr::Interval> values(now_.state.begin(), now_.state.end());
    symbols.push_back(flow_.time);
    values.emplace_back(now_.field_time);
    symbols.insert(symbols.end(), flow_.parameters.begin(), flow_.parameters.end());
    values.insert(values.end(), flow_.parameter_values.begin(), flow_.parameter_values.end());
    for (std::size_t i = 0; i < flow_.modes.size() && i < now_.mode.size(); ++i) {
        symbols.push_back(flow_.modes[i].symbol);
        values.emplace_back(now_.mode[i]);
    }
    for (const std::size_t k : asked_) {
        Followed& one = followed_[k];
        const auto f = expr::evaluate_interval(flow_.constraints[k].f, symbols, values);
        if (!f.bounds_everywhere()) one.enclosed = false;
        one.proven_grid = std::max(one.proven_grid, f.range.magnitude());
        one.proven = std::max(one.proven, f.range.magnitude());
    }
}

void ConstraintWatch::judge(Followed& one, const flow::HeldConstraint& held, Run& run) const {
    ConstraintReport& report = one.report;
    report.bound = held.tolerance;
    if (!held.tolerance) return;
    const double epsilon = *held.tolerance;
    if (one.enclosed) report.proven = one.proven;
    const double reached = one.enclosed ? one.proven_grid : report.max_violation;
    const double between = std::max(report.max_violation_between, one.enclosed ? one.proven : 0.0);
    report.margin = 1.0 - between / epsilon;
    if (!(reached <= epsilon) || !(report.max_violation_between <= epsilon)) {
        report.certificate = "none";
        run.warnings.push_back(fmt::format(
            "constraint {}: |f| ≤ {:.3g} was asked for, but it reached {:.3g} at t = {:.6g}; a "
            "tolerance of {:.2g} would hold, or choose a smaller run tolerance or step",
            held.name, epsilon, report.max_violation_between, one.worst_time, 1.1 * between));
        return;
    }
    if (one.enclosed && one.proven <= epsilon) {
        report.certificate = "certified";
        return;
    }
    report.certificate = one.enclosed ? "monitored" : "estimated";
    run.warnings.push_back(
        one.enclosed
            ? fmt::format("constraint {}: |f| ≤ {:.3g} holds at every step, but between steps only "
                          "{:.3g} can be proven; a tolerance of {:.2g} would be certified",
                          held.name, epsilon, one.proven, 1.1 * one.proven)
            : fmt::format(
                  "constraint {}: |f| ≤ {:.3g} holds at all points looked at, but cannot be "
                  "proven: it is not smooth along the motion",
                  held.name, epsilon));
}

// Steps that end on the constraints leave next to nothing; what they leave all the same cannot be brought back.
void ConstraintWatch::tell_unkept(const Followed& one, const std::string& name, Run& run) const {
    constexpr double k_noticed = 1e-6;
    const double reached = one.report.max_violation;
    const bool told = lost_ && run.trajectory.reason == *lost_;
    if (!projected_ || told || reached <= std::max(k_noticed, 10.0 * run.provenance.tolerance))
        return;
    run.warnings.push_back(fmt::format(
        "constraint {} is not kept: |f| reaches {:.3g} (t = {:.6g}) although every step is brought "
        "back to it; the constraints contradict each other there, or the steps are too long",
        name, one.report.max_violation_between, one.worst_time));
}

// The decay rate of violations at the end: p of ḟ = −p f, the mean of the two rates of a law of second order.
void ConstraintWatch::tell_rates() {
    if (now_.state.empty()) return;
    std::vector<expr::Expr> rates;
    std::vector<std::size_t> of;
    for (std::size_t k = 0; k < followed_.size(); ++k) {
        const auto& law = flow_.constraints[k].law;
        if (law.empty() || law.front().is_zero()) continue;
        of.push_back(k);
        rates.push_back(law.size() == 1 ? -law[0] : expr::Number(-1) / expr::Number(2) * law[1]);
    }
    if (of.empty()) return;
    const auto values = flow::Probe(flow_, std::move(rates))(now_);
    for (std::size_t i = 0; i < of.size(); ++i) followed_[of[i]].report.p = values[i];
}

void ConstraintWatch::finish(Run& run) {
    if (empty()) return;
    const motion::Trajectory& t = run.trajectory;
    if (!t.state.empty()) {
        now_.state = t.state;
        now_.mode = t.mode;
        now_.field_time = t.field_time;
        take(probe_(now_), 0.0, t.time.rounded());
        enclose_end();
    }
    if (lost_ && t.status == motion::Status::done) {
        run.trajectory.status = motion::Status::stopped;
        run.trajectory.reason = *lost_;
    }
    tell_rates();
    for (std::size_t k = 0; k < followed_.size(); ++k) {
        if (const auto& norm = followed_[k].norm) {
            const auto& defects = followed_[k].defects;
            followed_[k].report.monitor =
                StepMonitor{std::string(name(norm->kind())), norm->alpha(),
                            std::max(defects[0], defects[1]), norm->bound(defects)};
        }
        judge(followed_[k], flow_.constraints[k], run);
        tell_unkept(followed_[k], flow_.constraints[k].name, run);
        run.constraints[flow_.constraints[k].name] = followed_[k].report;
    }
}

} // namespace liaison::record
