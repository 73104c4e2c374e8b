// SPDX-License-Identifier: Apache-2.0
// Folds by a bordered system, multipliers, extrema of guards.
#include "liaison/analysis/special_test.hpp"

#include "liaison/analysis/branch_tests.hpp"
#include "liaison/analysis/orbit_judgement.hpp"
#include "liaison/solve/dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double k_none = std::numeric_limits<double>::quiet_NaN();

} // namespace

SpecialTest::SpecialTest(const std::string& kind, const flow::SaltationRule& rule, PieceMap& pieces,
                         const OrbitOptions& options, VectorXd sizes, bool forced, bool halves)
    : rule_(rule), pieces_(pieces), options_(options), sizes_(std::move(sizes)), forced_(forced),
      halves_(halves) {
    if (kind == "fold")
        what_ = What::fold;
    else if (kind == "period_doubling" || (kind == "symmetry_breaking" && halves))
        what_ = What::doubling;
    else if (kind == "neimark_sacker")
        what_ = What::torus;
    else if (kind == "grazing" || kind == "grazing_sliding" || kind == "adding_sliding" ||
             kind == "lift_off")
        what_ = What::touching;
    else if (kind == "crossing_sliding")
        what_ = What::speed_after;
    else if (kind == "switching_sliding")
        what_ = What::entry;
    else if (kind == "impact_branch")
        what_ = What::outcome;
    else if (kind == "corner")
        what_ = What::duration;
    else
        obstacle_ = kind == "symmetry_breaking"
                        ? "give [periodic] symmetry: by half-maps this point is a regular one"
                        : fmt::format("{} has no test function", kind);
}

void SpecialTest::begin(OrbitEquations& equations) {
    period_ = equations.period();
    if (what_ == What::touching) {
        find_slow_event(equations);
        if (what_ == What::touching) find_touching(equations);
    }
    if (what_ == What::speed_after) find_turning_event(equations);
    if (what_ == What::entry) find_entry(equations);
    if (what_ == What::outcome) find_outcome(equations);
    if (what_ == What::duration) find_short_leg(equations);
}

double SpecialTest::operator()(const OrbitEquations& equations, const MatrixXd& J) {
    switch (what_) {
    case What::none: break;
    case What::fold: return fold(J);
    case What::doubling:
    case What::torus: return of_spectrum(equations);
    case What::touching: return touching(equations);
    case What::speed: return -rate(guard_, equations.ends()[leg_].piece.instant);
    case What::speed_after: return onwards_ * rate_after(equations, leg_);
    case What::entry: return entry(equations, leg_, guard_);
    case What::outcome: return outcome(equations, leg_);
    case What::duration: return equations.legs()[leg_].duration;
    }
    return k_none;
}

void SpecialTest::settle(const MatrixXd& J) {
    if (what_ != What::fold) return;
    const solve::SingularValues svd = solve::singular_decomposition(J);
    left_ = svd.U.col(J.cols() - 1);
    right_ = svd.V.col(J.cols() - 1);
}

double SpecialTest::fold(const MatrixXd& J) const {
    const Index n = J.rows();
    MatrixXd A = MatrixXd::Zero(n + 1, n + 1);
    A.topLeftCorner(n, n) = J;
    A.col(n).head(n) = left_;
    A.row(n).head(n) = right_.transpose();
    VectorXd b = VectorXd::Zero(n + 1);
    b(n) = 1.0;
    return solve::Elimination(A).solve(b)(n);
}

double SpecialTest::of_spectrum(const OrbitEquations& equations) const {
    const auto mu = map_multipliers(rule_, equations, halves_ ? options_.symmetry.get() : nullptr);
    if (mu.empty()) return k_none;
    Orbit orbit;
    orbit.forced = forced_;
    judge_multipliers(mu, options_.drift.size(), orbit);
    const MultiplierTests tests = multiplier_tests(orbit);
    return (what_ == What::doubling ? tests.doubling : tests.torus).value_or(k_none);
}

double SpecialTest::rate(std::size_t guard, const flow::Instant& now) const {
    const Eigen::RowVectorXd g = rule_.gradient(guard, now);
    const VectorXd f = rule_.field(now);
    return g.head(f.size()).dot(f) + g(f.size());
}

double SpecialTest::size_of(std::size_t guard, const flow::Instant& now) const {
    const Eigen::RowVectorXd g = rule_.gradient(guard, now).cwiseAbs();
    return g.head(sizes_.size()).dot(sizes_) + g(sizes_.size()) * period_;
}

// At a single instant the gradient of a guard may vanish.
double SpecialTest::size_on(const Leg& leg, std::size_t guard) {
    constexpr int k_samples = 4;
    double size = 0.0;
    for (int k = 0; k <= k_samples; ++k) {
        const Look now = look(leg, guard, std::max(0.0, leg.duration) * k / k_samples);
        if (now.reached) size = std::max(size, now.size);
    }
    return size > 0.0 ? size : 1.0;
}

double SpecialTest::rate_after(const OrbitEquations& equations, std::size_t leg) const {
    const std::vector<Leg>& legs = equations.legs();
    flow::Instant after = equations.ends()[leg].after;
    // Beyond the point the motion would slide, where the rate is zero all along: the solution goes on in its own mode.
    if (leg + 1 < legs.size()) after.mode = legs[leg + 1].mode;
    return rate(legs[leg].fired.front().guard, after);
}

SpecialTest::Look SpecialTest::look(const Leg& leg, std::size_t guard, double since) {
    const PieceEnd end = pieces_.run(leg.time, leg.w, leg.mode, since);
    if (!end.reached) return {};
    return {rule_.value(guard, end.instant), rate(guard, end.instant), size_of(guard, end.instant),
            true};
}

std::optional<double> SpecialTest::extremum(const Leg& leg, std::size_t guard, double since,
                                            double step) {
    double a = since;
    double b = since + step;
    Look at_a = look(leg, guard, a);
    Look at_b = look(leg, guard, b);
    constexpr int k_most = 40;
    for (int i = 0; i < k_most && at_a.reached && at_b.reached; ++i) {
        if (at_b.rate == 0.0 || std::abs(b - a) <= 1e-15 * (std::abs(b) + leg.duration)) return b;
        if (at_a.rate == at_b.rate) break;
        const double c = b - at_b.rate * (b - a) / (at_b.rate - at_a.rate);
        if (!(c >= -0.1 * leg.duration && c <= 1.1 * leg.duration)) break;
        a = b;
        at_a = at_b;
        b = std::max(0.0, c);
        at_b = look(leg, guard, b);
    }
    return std::nullopt;
}

double SpecialTest::touching(const OrbitEquations& equations) {
    const Leg& leg = equations.legs()[leg_];
    const auto at = extremum(leg, guard_, since_, 1e-5 * leg.duration);
    if (!at) return k_none;
    since_ = *at;
    return look(leg, guard_, since_).value;
}

bool SpecialTest::watched(const flow::Guard& guard, const Leg& leg) const {
    return std::all_of(guard.active_when.begin(), guard.active_when.end(),
                       [&](const auto& c) { return leg.mode[c.slot] == c.value; });
}

// The extremum next to zero of a guard inside a leg. A guard that the motion keeps at zero has none but rounding.
std::optional<SpecialTest::Touching> SpecialTest::lowest_extremum(const Leg& leg,
                                                                  std::size_t guard) {
    constexpr int k_samples = 64;
    constexpr double k_kept = 1e-6;
    std::optional<Touching> best;
    double largest = 0.0;
    double size = 0.0;
    double before = k_none;
    const double step = leg.duration / k_samples;
    for (int k = 0; k <= k_samples; ++k) {
        const double since = leg.duration * k / k_samples;
        const Look now = look(leg, guard, since);
        if (!now.reached) break;
        largest = std::max(largest, std::abs(now.value));
        size = std::max(size, now.size);
        if (before * now.rate < 0.0) {
            const auto at = extremum(leg, guard, since - step, step);
            // Where stick ends the next leg begins with rate zero.
            const bool inside =
                at && *at > k_kept * leg.duration && *at < (1.0 - k_kept) * leg.duration;
            if (inside) {
                const double value = std::abs(look(leg, guard, *at).value);
                if (!best || value < best->value) best = Touching{value, *at};
            }
        }
        before = now.rate;
    }
    if (!best || !(largest > k_kept * size)) return std::nullopt;
    best->value /= size;
    return best;
}

// Of all extrema of all guards inside the legs the one next to zero.
void SpecialTest::find_touching(const OrbitEquations& equations) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < equations.legs().size(); ++i) {
        const Leg& leg = equations.legs()[i];
        for (std::size_t g = 0; g < rule_.flow().guards.size(); ++g) {
            const flow::Guard& guard = rule_.flow().guards[g];
            if (guard.report_only || !watched(guard, leg)) continue;
            const auto found = lowest_extremum(leg, g);
            if (!found || !(found->value < best)) continue;
            best = found->value;
            leg_ = i;
            guard_ = g;
            since_ = found->since;
        }
    }
    constexpr double k_touches = 1e-3;
    if (!(best < k_touches)) obstacle_ = "no surface is touched between the events of the orbit";
}

// An impact that comes with speed zero, among those of the orbit.
void SpecialTest::find_slow_event(const OrbitEquations& equations) {
    constexpr double k_slow = 1e-4;
    for (std::size_t i = 0; i < equations.legs().size(); ++i) {
        const Leg& leg = equations.legs()[i];
        if (leg.kind != flow::EventKind::impact) continue;
        const std::size_t guard = leg.fired.front().guard;
        const flow::Instant& end = equations.ends()[i].piece.instant;
        if (std::abs(rate(guard, end)) * period_ > k_slow * size_on(leg, guard)) continue;
        what_ = What::speed;
        leg_ = i;
        guard_ = guard;
        return;
    }
}

// A surface that is crossed and left with rate zero.
void SpecialTest::find_turning_event(const OrbitEquations& equations) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < equations.legs().size(); ++i) {
        if (equations.legs()[i].fired.empty()) continue;
        const flow::Instant& end = equations.ends()[i].piece.instant;
        const Leg& leg = equations.legs()[i];
        const std::size_t guard = leg.fired.front().guard;
        const double value = std::abs(rate_after(equations, i)) * period_ / size_on(leg, guard);
        if (!(value < best)) continue;
        best = value;
        leg_ = i;
        onwards_ = rate(guard, end) < 0.0 ? -1.0 : 1.0;
    }
    constexpr double k_turns = 1e-3;
    if (!(best < k_turns)) obstacle_ = "no surface of the orbit is left with rate zero";
}

double SpecialTest::entry(const OrbitEquations& equations, std::size_t leg,
                          std::size_t guard) const {
    const std::vector<Leg>& legs = equations.legs();
    const std::size_t before = (leg + legs.size() - 1) % legs.size();
    flow::Instant start = equations.ends()[before].after;
    start.mode = legs[leg].mode;
    return rule_.value(guard, start);
}

// Of all ends of sliding and stick that are watched in a leg which begins that way, the one nearest to its start.
void SpecialTest::find_entry(const OrbitEquations& equations) {
    const std::vector<Leg>& legs = equations.legs();
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < legs.size(); ++i) {
        const Leg& before = legs[(i + legs.size() - 1) % legs.size()];
        if (before.kind != flow::EventKind::enter_sliding && before.kind != flow::EventKind::stick)
            continue;
        for (std::size_t g = 0; g < rule_.flow().guards.size(); ++g) {
            const flow::Guard& guard = rule_.flow().guards[g];
            if (guard.report_only || !watched(guard, legs[i]) || g == before.fired.front().guard)
                continue;
            const double value = std::abs(entry(equations, i, g)) / size_on(legs[i], g);
            if (!(value < best)) continue;
            best = value;
            leg_ = i;
            guard_ = g;
        }
    }
    constexpr double k_near = 1e-3;
    if (!(best < k_near)) obstacle_ = "no leg begins at the end of its sliding set";
}

// Of the impacts at the end of a leg the one nearest to its change.
double SpecialTest::outcome(const OrbitEquations& equations, std::size_t leg) {
    double nearest = k_none;
    for (const double x : impact_outcomes(equations.ends()[leg].event.outcome.events)) {
        if (std::isnan(nearest) || std::abs(x) < std::abs(nearest)) nearest = x;
    }
    return nearest;
}

void SpecialTest::find_outcome(const OrbitEquations& equations) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < equations.legs().size(); ++i) {
        const double value = std::abs(outcome(equations, i));
        if (!(value < best)) continue;
        best = value;
        leg_ = i;
    }
    constexpr double k_near = 1e-3;
    if (!(best < k_near)) obstacle_ = "no impact of the orbit is about to change its outcome";
}

void SpecialTest::find_short_leg(const OrbitEquations& equations) {
    const std::vector<Leg>& legs = equations.legs();
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < legs.size(); ++i) {
        const Leg& before = legs[(i + legs.size() - 1) % legs.size()];
        if (!meets_surface(legs[i].kind) || !meets_surface(before.kind) ||
            !(std::abs(legs[i].duration) < best))
            continue;
        best = std::abs(legs[i].duration);
        leg_ = i;
    }
    constexpr double k_short = 1e-3;
    if (!(best < k_short * equations.period())) obstacle_ = "no two events are about to meet";
}

} // namespace liaison::analysis
