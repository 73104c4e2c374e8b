// SPDX-License-Identifier: Apache-2.0
// Brackets by false position or halving, inside which the augmented equations have the point; the brackets alone where
// those do not converge.
#include "liaison/analysis/special_points.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace liaison::analysis {
namespace {

using Eigen::Index;

constexpr double k_none =
    std::numeric_limits<double>::quiet_NaN(); // a test the orbit has no value of

using Test = std::function<double(const Stand&)>;

// The special point of this kind between two stands near it, by the augmented equations.
std::optional<Stand> augmented(OrbitCurve& curve, const Stand& low, const Stand& high,
                               const std::string& kind) {
    const double length = (high.z - low.z).norm();
    constexpr double k_slack =
        1.5; // the curve is longer than its chord, and a boundary is not sharp
    constexpr double k_sharp = 1e-9;
    return curve.locate(low, kind, k_slack * length + k_sharp);
}

// A zero of `test` between two stands where it has different signs: false position with bisection (Illinois), and after a
// few steps the augmented equations of this kind. Without those, until the test no longer falls: what is left of it is
// rounding. Where branches cross the corrector gives up just beside the zero; the secant has the value there.
Stand zero(OrbitCurve& curve, const Stand& from, const Stand& to, double ds, const Test& test,
           const std::string& kind) {
    Stand low = from;
    Stand high = to;
    double a = 0.0;
    double b = ds;
    double fa = test(from);
    double fb = test(to);
    double weight_a = 1.0; // false position halves the value of an end that stays
    double weight_b = 1.0;
    constexpr int k_most = 80;
    constexpr int k_patience = 5;
    double least = std::min(std::abs(fa), std::abs(fb));
    int waited = 0;
    constexpr int k_near = 2; // steps before Newton
    for (int i = 0; i < k_most && b - a > 1e-13 && waited < k_patience; ++i) {
        if (i == k_near) {
            if (auto at = std::abs(fa) < std::abs(fb) ? augmented(curve, low, high, kind)
                                                      : augmented(curve, high, low, kind))
                return *at;
        }
        const double wa = fa * weight_a;
        const double wb = fb * weight_b;
        double s = b - wb * (b - a) / (wb - wa);
        if (!(s > a && s < b)) s = 0.5 * (a + b);
        auto middle = curve.between(from, s, low, high);
        if (!middle) break;
        const double f = test(*middle);
        if (std::isnan(f)) break;
        if (std::abs(f) < 1e-15) return *middle;
        waited = std::abs(f) > 0.5 * least ? waited + 1 : 0;
        least = std::min(least, std::abs(f));
        const bool right = (f < 0) == (fb < 0);
        weight_a = right ? 0.5 * weight_a : 1.0;
        weight_b = right ? 1.0 : 0.5 * weight_b;
        (right ? high : low) = std::move(*middle);
        (right ? b : a) = s;
        (right ? fb : fa) = f;
    }
    Stand at = std::abs(fa) < std::abs(fb) ? low : high;
    at.point.parameter =
        low.point.parameter + (high.point.parameter - low.point.parameter) * (fa / (fa - fb));
    return at;
}

// Two stands between which something changes that is known as "alike or not" only.
struct Bracket {
    double a = 0.0;
    double b = 0.0;
    Stand inside; // the last that is like the first
    Stand outside;
};

// Halves a bracket, of a branch from `from` on, until it is shorter than the resolution.
void halve(OrbitCurve& curve, const Stand& from, Bracket& bracket,
           const std::function<bool(const Stand&)>& alike, double resolution) {
    auto& [a, b, inside, outside] = bracket;
    while (b - a > resolution) {
        const double s = 0.5 * (a + b);
        auto middle = curve.between(from, s, inside, outside);
        if (!middle) break;
        if (alike(*middle)) {
            a = s;
            inside = std::move(*middle);
        } else {
            b = s;
            outside = std::move(*middle);
        }
    }
}

constexpr double k_named = 1e-8; // near enough to see what changes
constexpr double k_finest = 1e-14; // no longer told apart

// The stand where what `kind` names changes; the halving goes on where the augmented equations have none.
Stand change(OrbitCurve& curve, const Stand& from, Bracket& bracket,
             const std::function<bool(const Stand&)>& alike, const std::string& kind,
             bool from_inside) {
    Stand& kept = from_inside ? bracket.inside : bracket.outside;
    const Stand& other = from_inside ? bracket.outside : bracket.inside;
    const auto at = augmented(curve, kept, other, kind);
    const bool known = kept.point.orbit.admissible || other.point.orbit.admissible;
    if (at && kind == "impact_branch") {
        // Exactly at the change the impact has no outcome of its own: the orbit is that beside it.
        halve(curve, from, bracket, alike, k_finest);
        kept.point.parameter = at->point.parameter;
        return kept;
    }
    if (at) {
        // On the boundary itself rounding decides whether a simulation takes the orbit for a motion. What is known: those at
        // one end of the bracket are motions, those at the other are not, and this one, which lies between them or
        // nearer than the bracket is long, is the limit of both.
        Stand located = *at;
        located.point.orbit.admissible = known;
        if (known) {
            located.point.orbit.violation.clear();
            located.point.orbit.deviation.reset();
        }
        return located;
    }
    halve(curve, from, bracket, alike, k_finest);
    return kept;
}

// Whether a leg along a surface, of stick or sliding, is about to vanish. Its duration enters the equations of the orbit
// with either sign, so that they have a fold where orbits with it meet those that only touch the surface.
bool leg_along_surface_vanishes(const Orbit& orbit) {
    constexpr double k_vanishes = 1e-5; // of the period
    const std::vector<Leg>& legs = orbit.legs;
    for (std::size_t i = 0; i < legs.size(); ++i) {
        const auto& begun = legs[(i + legs.size() - 1) % legs.size()].kind;
        const bool along =
            begun == flow::EventKind::enter_sliding || begun == flow::EventKind::stick;
        if (along && std::abs(legs[i].duration) < k_vanishes * orbit.period) return true;
    }
    return false;
}

bool changes(const std::optional<double>& a, const std::optional<double>& b) {
    return a && b && (*a < 0) != (*b < 0);
}

const flow::Event* slowest_impact(const Orbit& orbit) {
    const flow::Event* slowest = nullptr;
    for (const flow::Event& e : orbit.events) {
        if (e.kind != flow::EventKind::impact || !e.gap_rate) continue;
        if (slowest == nullptr || e.gap_rate.value() > slowest->gap_rate.value_or(0.0))
            slowest = &e;
    }
    return slowest;
}

double impact_speed(const Stand& stand) {
    const flow::Event* slowest = slowest_impact(stand.point.orbit);
    return slowest == nullptr ? k_none : -slowest->gap_rate.value_or(k_none);
}

// Of the legs between two events that meet different surfaces; without any there is no value.
double shortest_leg(const Stand& stand) {
    const std::vector<Leg>& legs = stand.point.orbit.legs;
    double shortest = k_none;
    for (std::size_t i = 0; i < legs.size() && legs.size() > 1; ++i) {
        const Leg& before = legs[(i + legs.size() - 1) % legs.size()];
        const bool between = meets_surface(legs[i].kind) && meets_surface(before.kind) &&
                             legs[i].fired.front().guard != before.fired.front().guard;
        if (between && !(legs[i].duration >= shortest)) shortest = legs[i].duration;
    }
    return shortest;
}

// Where a positive value that falls along the branch vanishes ahead of two orbits of it: by the augmented equations of
// this kind, or else by extrapolation from ever nearer orbits until the value is below `enough` or can no longer be told;
// nothing where it does not go there.
std::optional<SpecialPoint> zero_ahead(OrbitCurve& curve, const Stand& before, const Stand& here,
                                       const Test& value, double enough, const std::string& kind) {
    Stand far = before;
    Stand near = here;
    std::optional<SpecialPoint> best;
    constexpr double k_ahead = 20.0; // steps of the distance known
    constexpr int k_most = 30;
    for (int i = 0; i < k_most; ++i) {
        const double v0 = value(far);
        const double v1 = value(near);
        if (!(v1 > 0.0) || !(v0 > v1)) break;
        const double share = v1 / (v0 - v1); // of the step from far to near, to the zero
        if (share > k_ahead) return {};
        constexpr double k_slack = 2.0;
        const double reach = k_slack * share * (near.z - far.z).norm();
        if (const auto located = curve.locate(near, kind, reach)) {
            best.emplace();
            best->point = located->point;
            break;
        }
        constexpr double k_told = 1e-3; // of the value it began with
        if (v1 < std::max(enough, k_told * value(here))) {
            best.emplace();
            best->point = near.point;
            best->point.parameter += share * (near.point.parameter - far.point.parameter);
        }
        if (v1 < enough) break;
        constexpr double k_part = 0.8; // of the way that is left
        const Eigen::VectorXd step = k_part * share * (near.z - far.z);
        Stand next;
        next.z = near.z + step;
        if (!curve.correct(next.z, near.tangent, near.z, near.tangent.dot(step)) ||
            !curve.stand_at(next, near.tangent))
            break;
        far = std::move(near);
        near = std::move(next);
    }
    return best;
}

// Where two events come at once there is a derivative for each order of them and no other.
void forget_multipliers(Orbit& orbit) {
    orbit.multipliers.clear();
    orbit.half_multipliers.clear();
    orbit.stable = false;
    orbit.no_multipliers = "two events at once: there is one derivative for each order of them";
}

} // namespace

std::optional<SpecialPoint> grazing_ahead(OrbitCurve& curve, const Stand& before,
                                          const Stand& here) {
    const double first = impact_speed(here);
    auto at = zero_ahead(curve, before, here, impact_speed,
                         std::max(1e-6 * first, 1e-7 * impact_speed(before)), "grazing");
    if (!at) return {};
    at->kind = "grazing";
    // At the point itself the impact is none.
    const flow::Event* slowest = slowest_impact(here.point.orbit);
    at->what = slowest == nullptr ? "" : "impact " + slowest->where + " comes with speed zero";
    return at;
}

std::optional<SpecialPoint> corner_ahead(OrbitCurve& curve, const Stand& before,
                                         const Stand& here) {
    constexpr double k_together = 1e-8; // of the period
    auto at = zero_ahead(curve, before, here, shortest_leg, k_together * here.point.orbit.period,
                         "corner");
    if (!at) return {};
    at->kind = "corner";
    at->what = "two events at once, beyond it in another order";
    at->beyond = here.point.parameter > before.point.parameter ? 1 : -1;
    forget_multipliers(at->point.orbit);
    return at;
}

std::vector<SpecialPoint> special_points(OrbitCurve& curve, const Stand& here, const Stand& next,
                                         double ds) {
    std::vector<std::pair<double, SpecialPoint>> found;
    const auto add = [&](const Stand& stand, std::string kind, std::string what) {
        found.emplace_back(here.tangent.dot(stand.z - here.z),
                           SpecialPoint{std::move(kind), std::move(what), stand.point});
    };
    const Index last = here.z.size() - 1;
    // Of a solution that is no motion only the folds matter, where it turns.
    const bool motion = here.point.orbit.admissible || next.point.orbit.admissible;
    const bool turns = (here.tangent(last) < 0) != (next.tangent(last) < 0);
    if (turns) {
        const Stand at =
            zero(curve, here, next, ds, [&](const Stand& s) { return s.tangent(last); }, "fold");
        const bool touches = leg_along_surface_vanishes(at.point.orbit);
        add(at, touches ? "grazing_sliding" : "fold",
            touches                  ? "the leg along the surface vanishes"
            : here.tangent(last) < 0 ? "two orbits are born"
                                     : "two orbits meet and vanish");
    }
    if (motion && changes(here.tests.doubling, next.tests.doubling)) {
        const std::string kind = curve.halves() ? "symmetry_breaking" : "period_doubling";
        add(zero(
                curve, here, next, ds,
                [](const Stand& s) { return s.tests.doubling.value_or(k_none); }, kind),
            kind, curve.halves() ? "multiplier −1 of the half map" : "multiplier −1");
    }
    if (motion && !turns && changes(here.tests.branching, next.tests.branching)) {
        const Stand at = zero(
            curve, here, next, ds,
            [](const Stand& s) { return s.tests.branching.value_or(k_none); }, "branch_point");
        add(at, !curve.halves() && curve.symmetric(here) ? "symmetry_breaking" : "branch_point",
            "multiplier +1 without a fold: another branch crosses");
    }
    if (motion && changes(here.tests.torus, next.tests.torus))
        add(zero(
                curve, here, next, ds,
                [](const Stand& s) { return s.tests.torus.value_or(k_none); }, "neimark_sacker"),
            "neimark_sacker", "a complex pair of multipliers on the unit circle");
    // The same impacts, but slip stops in one of them on one side only: no multiplier is continuous there.
    const auto stops = [](const Stand& s) {
        const auto all = impact_outcomes(s.point.orbit.events);
        return std::count_if(all.begin(), all.end(), [](double x) { return x > 0.0; });
    };
    if (here.point.orbit.admissible && next.point.orbit.admissible && stops(here) != stops(next)) {
        const auto was = stops(here);
        const auto alike = [&](const Stand& s) { return stops(s) == was; };
        Bracket bracket{0.0, ds, here, next};
        halve(curve, here, bracket, alike, k_named);
        add(change(curve, here, bracket, alike, "impact_branch", true), "impact_branch",
            stops(next) < was ? "an impact no longer stops the slip" : "an impact stops the slip");
    }
    if (here.point.orbit.admissible != next.point.orbit.admissible) {
        const bool was = here.point.orbit.admissible;
        const auto alike = [was](const Stand& s) { return s.point.orbit.admissible == was; };
        Bracket bracket{0.0, ds, here, next};
        halve(curve, here, bracket, alike, k_named);
        const Orbit formal = (was ? bracket.outside : bracket.inside).point.orbit;
        const std::string kind =
            formal.deviation ? name_of_change(*formal.deviation) : "end_of_motion";
        std::optional<SpecialPoint> grazing;
        if (was && kind == "grazing" && formal.deviation && formal.deviation->expected &&
            formal.deviation->met != formal.deviation->expected)
            grazing = grazing_ahead(curve, here, bracket.inside);
        if (grazing)
            found.emplace_back(here.tangent.dot(bracket.inside.z - here.z), std::move(*grazing));
        else
            add(change(curve, here, bracket, alike, kind, was), kind,
                kind == "corner"              ? "two events at once, beyond it in another order"
                : kind == "switching_sliding" ? "sliding begins at the end of the sliding set"
                                              : formal.violation);
        if (kind == "corner") forget_multipliers(found.back().second.point.orbit);
        const bool rises = next.point.parameter > here.point.parameter;
        found.back().second.beyond = rises == was ? 1 : -1;
    }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<SpecialPoint> points;
    for (auto& [s, point] : found) points.push_back(std::move(point));
    return points;
}

} // namespace liaison::analysis
