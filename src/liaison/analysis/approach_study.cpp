// SPDX-License-Identifier: Apache-2.0
// Runs with approach speeds against the run without, sample by sample and in the norm (11) of Ivanov at the end.
#include "liaison/analysis/approach_study.hpp"

#include "liaison/analysis/contact_track.hpp"
#include "liaison/analysis/start_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace liaison::analysis {
namespace {

constexpr double k_tightest = 1e-12;

bool jumps(const flow::Event& e) {
    using flow::EventKind;
    return e.kind == EventKind::impact || e.kind == EventKind::tangential_impact;
}

// Times between an impact of the limit and the same impact of the perturbed motion, where the velocities differ by the
// whole jump; until the end if the perturbed motion has not come to it.
struct Gap {
    double from = 0.0;
    double to = 0.0;
};
bool alike(const flow::Event& a, const flow::Event& b) {
    if (a.kind != b.kind || a.where != b.where || a.side != b.side) return false;
    if (a.kind == flow::EventKind::tangential_impact) return true;
    const double x = std::abs(a.gap_rate.value_or(0.0));
    const double y = std::abs(b.gap_rate.value_or(0.0));
    return x < 2.0 * y && y < 2.0 * x;
}
std::vector<Gap> displaced_jumps(const Track& limit, const Track& track, double start) {
    std::vector<Gap> gaps;
    for (const flow::Event& e : limit.events) {
        const double t = e.time.rounded();
        // At the very start both motions jump.
        if (!jumps(e) || t == start) continue;
        double nearest = std::numeric_limits<double>::infinity();
        for (const flow::Event& other : track.events) {
            const double s = other.time.rounded();
            if (alike(e, other) && std::abs(s - t) < std::abs(nearest - t)) nearest = s;
        }
        gaps.push_back({std::min(t, nearest), std::max(t, nearest)});
    }
    return gaps;
}
bool inside(const std::vector<Gap>& gaps, double t) {
    return std::ranges::any_of(gaps, [&](const Gap& g) { return g.from <= t && t <= g.to; });
}

// By coordinate, by velocity.
std::vector<double> difference(const prepare::Point& a, const prepare::Point& b) {
    std::vector<double> errors;
    for (std::size_t i = 0; i < a.q.size(); ++i) errors.push_back(std::abs(a.q[i] - b.q[i]));
    for (std::size_t i = 0; i < a.v.size(); ++i) errors.push_back(std::abs(a.v[i] - b.v[i]));
    return errors;
}

void describe(const StartContacts& contacts, const model::Model& model, Convergence& result) {
    if (contacts.closed.size() > 1) {
        result.regime = fmt::format("{} contacts closed at the start", contacts.closed.size());
        result.notes.emplace_back("several contacts approach at once: theory gives no order, "
                                  "measured ones stand alone");
        return;
    }
    const StartContact& c = contacts.closed.front();
    result.regime = fmt::format("contact {}: {}, A1 = {:.6g}, B1' = {:.6g}", c.name, c.case_name(),
                                c.free, c.response);
    if (c.paradox())
        result.notes.push_back(fmt::format(
            "the limit is the motion of paradox = \"{}\"{}",
            model.run.paradox == model::Paradox::impact ? "impact" : "separate",
            model.run.paradox == model::Paradox::impact ? ", with its tangential impact" : ""));
    if (c.turns_out)
        result.notes.emplace_back("slip starts on B1' = 0 and turns out of the paradox: the impact "
                                  "lasts √(2ε/β), the order is 1/2");
    if (!c.moving && c.slips == 2)
        result.notes.emplace_back("slip in space from rest: theory gives no order, measured ones "
                                  "stand alone");
}

std::optional<double> theorem(const StartContacts& contacts) {
    if (contacts.closed.size() != 1) return std::nullopt;
    const StartContact& c = contacts.closed.front();
    if (!c.moving && c.slips == 2) return std::nullopt;
    return c.turns_out ? 0.5 : 1.0;
}

// Why there is nothing to study; empty: there is.
std::string misfit(const StartContacts& contacts, const model::Model& model) {
    if (!contacts.problem.empty()) return contacts.problem;
    if (contacts.closed.empty())
        return "no contact with friction is closed and at rest in its normal direction at the "
               "start: there is nothing to approach";
    if (model.run.paradox == model::Paradox::stop)
        return "paradox = \"stop\" has no motion to compare with: choose the rule to be checked, "
               "--realise paradox=impact or paradox=separate";
    for (const StartContact& c : contacts.closed) {
        if (c.restitution >= 1.0)
            return fmt::format("contact {}: the theorem needs a restitution below 1, with 1 the "
                               "bounces never end",
                               c.name);
    }
    return {};
}

} // namespace

Convergence study_approach(const model::Model& model, const prepare::Start& start,
                           const std::vector<double>& speeds, std::size_t samples,
                           base::Interrupt interrupt) {
    Convergence result;
    result.over = "approach";
    result.parameter = speeds;
    result.to_zero = true;
    const StartContacts contacts = start_contacts(model, start.point);
    result.failed = misfit(contacts, model);
    result.misfit = !result.failed.empty();
    if (result.misfit) return result;

    const double tolerance = std::min(start.tolerance, k_tightest);
    const double until = start.until.value_or(start.point.time);
    const auto times = even_times(start.point.time, until, std::max<std::size_t>(samples, 2));
    const Track limit = follow(model, start.point, until, tolerance, times, {}, {}, interrupt);
    if (!limit.failed.empty()) {
        result.failed = "the limit: " + limit.failed;
        return result;
    }
    describe(contacts, model, result);
    for (const auto& c : model.coordinates) result.quantities.push_back({c.name, {}, {}, {}, {}});
    for (const auto& v : model.velocities) result.quantities.push_back({v.name, {}, {}, {}, {}});
    result.quantities.push_back({"sum at end", {}, {}, {}, {}});
    for (Quantity& q : result.quantities) q.theorem = theorem(contacts);
    for (const double speed : speeds) {
        prepare::Point point = start.point;
        for (std::size_t i = 0; i < point.v.size(); ++i) point.v[i] -= speed * contacts.approach[i];
        const Track track = follow(model, point, until, tolerance, times, {}, {}, interrupt);
        if (!track.failed.empty()) {
            result.failed = fmt::format("approach = {:g}: {}", speed, track.failed);
            return result;
        }
        const auto gaps = displaced_jumps(limit, track, start.point.time);
        std::vector<double> largest(result.quantities.size(), 0.0);
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (inside(gaps, times[i])) continue;
            const auto errors = difference(track.points[i], limit.points[i]);
            for (std::size_t k = 0; k < errors.size(); ++k)
                largest[k] = std::max(largest[k], errors[k]);
            largest.back() = std::accumulate(errors.begin(), errors.end(), 0.0);
        }
        for (std::size_t k = 0; k < largest.size(); ++k)
            result.quantities[k].error.push_back(largest[k]);
    }
    judge(result, 100.0 * tolerance);
    return result;
}

} // namespace liaison::analysis
