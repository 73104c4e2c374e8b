// SPDX-License-Identifier: Apache-2.0
// Points of every piece, and the lowest point of a gap between them.
#include "liaison/record/extremes.hpp"

#include "liaison/flow/yielding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace liaison::record {

using flow::OutputGroup;

namespace {

constexpr std::array<double, 5> k_shares{0.0, 0.25, 0.5, 0.75, 1.0};

constexpr std::size_t k_rigid = std::numeric_limits<std::size_t>::max();
constexpr std::size_t k_always = k_rigid - 1; // pressed at any time

std::size_t pressed_slot(const std::vector<flow::YieldingGap>& yielding,
                         const flow::Output& output) {
    if (output.group != OutputGroup::gap) return k_rigid;
    const auto gap = std::ranges::find(yielding, output.name, &flow::YieldingGap::output);
    return gap == yielding.end() ? k_rigid : gap->slot.value_or(k_always);
}

} // namespace

Extremes::Extremes(const flow::Flow& flow) : flow_(flow) {
    const auto yielding = flow::yielding_gaps(flow);
    std::vector<expr::Expr> followed;
    for (std::size_t i = 0; i < flow.outputs.size(); ++i) {
        const OutputGroup group = flow.outputs[i].group;
        // Constraints are followed apart; sliding surfaces of relays are not among them.
        const bool surface =
            group == OutputGroup::violation &&
            std::ranges::find(flow.constraints, flow.outputs[i].name,
                              &flow::HeldConstraint::name) == flow.constraints.end();
        if (group != OutputGroup::gap && group != OutputGroup::integral && !surface) continue;
        indices_.push_back(i);
        pressed_slot_.push_back(pressed_slot(yielding, flow.outputs[i]));
        followed.push_back(flow.outputs[i].value);
    }
    probe_ = flow::Probe(flow, std::move(followed));
    now_.parameters = flow.parameter_values;
    now_.state.resize(flow.states.size());
}

std::vector<double> Extremes::values_at(const motion::Piece& piece, double share) {
    piece.evaluate(share * piece.length, now_.state);
    now_.time = piece.start + share * piece.length;
    now_.field_time = piece.field_time + share * piece.length;
    return probe_(now_);
}

void Extremes::see(const motion::Piece& piece, Run& run) {
    now_.mode = piece.mode;
    std::vector<std::vector<double>> seen;
    for (const double share : k_shares) {
        seen.push_back(values_at(piece, share));
        take(seen.back(), share, run);
    }
    if (run.has_gaps) look_between(piece, seen, run);
}

// A gap that falls and rises again within the piece: its lowest point by golden sections, unless it lies above the
// lowest that is known.
void Extremes::look_between(const motion::Piece& piece,
                            const std::vector<std::vector<double>>& seen, Run& run) {
    for (std::size_t j = 0; j < indices_.size(); ++j) {
        const flow::Output& output = flow_.outputs[indices_[j]];
        if (output.group != OutputGroup::gap) continue;
        for (std::size_t i = 1; i + 1 < k_shares.size(); ++i) {
            const double here = seen[i][j];
            const double higher = std::max(seen[i - 1][j], seen[i + 1][j]);
            const bool dips = here <= seen[i - 1][j] && here <= seen[i + 1][j] && here < higher;
            const double known =
                may_be_negative(j) ? run.smallest_gap : std::max(run.smallest_gap, deepest_.gap);
            if (!dips || here - (higher - here) >= known) continue;
            constexpr int k_sections = 40;
            constexpr double k_golden = 1.0 / std::numbers::phi;
            double low = k_shares[i - 1];
            double high = k_shares[i + 1];
            double a = high - k_golden * (high - low);
            double b = low + k_golden * (high - low);
            double at_a = values_at(piece, a)[j];
            double at_b = values_at(piece, b)[j];
            for (int n = 0; n < k_sections; ++n) {
                if (at_a < at_b) {
                    high = b;
                    b = a;
                    at_b = at_a;
                    a = high - k_golden * (high - low);
                    at_a = values_at(piece, a)[j];
                } else {
                    low = a;
                    a = b;
                    at_a = at_b;
                    b = low + k_golden * (high - low);
                    at_b = values_at(piece, b)[j];
                }
            }
            take_gap(j, values_at(piece, 0.5 * (low + high))[j], run);
        }
    }
}

void Extremes::take(const std::vector<double>& values, double share, Run& run) {
    for (std::size_t j = 0; j < indices_.size(); ++j) {
        const flow::Output& output = flow_.outputs[indices_[j]];
        const double value = values[j];
        if (output.group == OutputGroup::gap) {
            take_gap(j, value, run);
        } else if (output.group == OutputGroup::violation) {
            ConstraintReport& report = run.constraints[output.name];
            report.max_violation_between = std::max(report.max_violation_between, std::abs(value));
            if (share == 0.0 || share == 1.0)
                report.max_violation = std::max(report.max_violation, std::abs(value));
        } else {
            take_integral(output, value, share == 0.0, run);
        }
    }
}

// A step begins with the correction of the one before behind it.
void Extremes::take_integral(const flow::Output& output, double value, bool at_step,
                             Run& run) const {
    const auto [it, first] = run.integrals.try_emplace(output.name);
    IntegralReport& report = it->second;
    if (first) report.start = value;
    report.end = value;
    const double drift = std::abs(value - report.start);
    report.max_drift_between = std::max(report.max_drift_between, drift);
    if (at_step) report.max_drift = std::max(report.max_drift, drift);
}

bool Extremes::may_be_negative(std::size_t j) const {
    const std::size_t slot = pressed_slot_[j];
    return slot == k_always || (slot != k_rigid && now_.mode[slot] != 0.0);
}

void Extremes::take_gap(std::size_t j, double value, Run& run) {
    if (!run.has_gaps || value < run.smallest_gap) run.smallest_gap = value;
    run.has_gaps = true;
    if (value < deepest_.gap && !may_be_negative(j))
        deepest_ = {value, now_.time.rounded(), flow_.outputs[indices_[j]].name};
}

void Extremes::finish(double tolerance, Run& run) {
    if (!run.integrals.empty()) {
        now_.state = run.trajectory.state;
        now_.mode = run.trajectory.mode;
        now_.time = run.trajectory.time;
        now_.field_time = run.trajectory.field_time;
        const auto values = probe_(now_);
        for (std::size_t j = 0; j < indices_.size(); ++j) {
            const flow::Output& output = flow_.outputs[indices_[j]];
            if (output.group == OutputGroup::integral) take_integral(output, values[j], true, run);
        }
    }
    if (!run.has_gaps) return;
    double scale = 1.0;
    for (const double x : run.trajectory.state) scale = std::max(scale, std::abs(x));
    constexpr double k_rounding = 1e-9;
    if (!(deepest_.gap < -std::max(k_rounding, 100.0 * tolerance) * scale)) return;
    run.warnings.push_back(fmt::format(
        "the gap of {} is negative: {:.6g} at t = {:.9g}; the contact did not hold from some "
        "instant before, and what follows is no motion of this model",
        deepest_.name, deepest_.gap, deepest_.time));
}

} // namespace liaison::record
