// SPDX-License-Identifier: Apache-2.0
// False position on the tests of a branch, halving where only "alike or not" is known.
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

// A zero of `test` between two stands where it has different signs: false position with bisection (Illinois).
// Where branches cross the corrector gives up just beside the zero; the secant has the value there.
Stand zero(OrbitCurve& curve, const Stand& from, const Stand& to, double ds, const Test& test) {
    Stand low = from;
    Stand high = to;
    double a = 0.0;
    double b = ds;
    double fa = test(from);
    double fb = test(to);
    double weight_a = 1.0; // false position halves the value of an end that stays
    double weight_b = 1.0;
    constexpr int k_most = 80;
    for (int i = 0; i < k_most && b - a > 1e-13; ++i) {
        const double wa = fa * weight_a;
        const double wb = fb * weight_b;
        double s = b - wb * (b - a) / (wb - wa);
        if (!(s > a && s < b)) s = 0.5 * (a + b);
        auto middle = curve.between(from, to, s, ds);
        if (!middle) break;
        const double f = test(*middle);
        if (std::isnan(f)) break;
        if (std::abs(f) < 1e-15) return *middle;
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

// The last stand that is like `from` and the first that is not, halving until they cannot be told apart.
std::pair<Stand, Stand> boundary(OrbitCurve& curve, const Stand& from, const Stand& to, double ds,
                                 const std::function<bool(const Stand&)>& alike) {
    double a = 0.0;
    double b = ds;
    Stand inside = from;
    Stand outside = to;
    constexpr double k_resolution = 1e-14;
    while (b - a > k_resolution) {
        const double s = 0.5 * (a + b);
        auto middle = curve.between(from, to, s, ds);
        if (!middle) break;
        if (alike(*middle)) {
            a = s;
            inside = std::move(*middle);
        } else {
            b = s;
            outside = std::move(*middle);
        }
    }
    return {std::move(inside), std::move(outside)};
}

bool changes(const std::optional<double>& a, const std::optional<double>& b) {
    return a && b && (*a < 0) != (*b < 0);
}

} // namespace

std::vector<SpecialPoint> special_points(OrbitCurve& curve, const Stand& here, const Stand& next,
                                         double ds) {
    std::vector<std::pair<double, SpecialPoint>> found;
    const auto add = [&](const Stand& stand, std::string kind, std::string what) {
        found.emplace_back(here.tangent.dot(stand.z - here.z),
                           SpecialPoint{std::move(kind), std::move(what), stand.point});
    };
    const Index last = here.z.size() - 1;
    const bool turns = (here.tangent(last) < 0) != (next.tangent(last) < 0);
    if (turns)
        add(zero(curve, here, next, ds, [&](const Stand& s) { return s.tangent(last); }), "fold",
            here.tangent(last) < 0 ? "two orbits are born" : "two orbits meet and vanish");
    if (changes(here.tests.doubling, next.tests.doubling))
        add(zero(curve, here, next, ds,
                 [](const Stand& s) { return s.tests.doubling.value_or(k_none); }),
            "period_doubling", "multiplier −1");
    if (!turns && changes(here.tests.branching, next.tests.branching)) {
        const Stand at = zero(curve, here, next, ds,
                              [](const Stand& s) { return s.tests.branching.value_or(k_none); });
        add(at, curve.symmetric(here) ? "symmetry_breaking" : "branch_point",
            "multiplier +1 without a fold: another branch crosses");
    }
    if (changes(here.tests.torus, next.tests.torus))
        add(zero(curve, here, next, ds,
                 [](const Stand& s) { return s.tests.torus.value_or(k_none); }),
            "neimark_sacker", "a complex pair of multipliers on the unit circle");
    if (here.point.orbit.admissible != next.point.orbit.admissible) {
        const bool was = here.point.orbit.admissible;
        const auto pair = boundary(curve, here, next, ds, [was](const Stand& s) {
            return s.point.orbit.admissible == was;
        });
        const Stand& motion = was ? pair.first : pair.second;
        const Orbit& formal = (was ? pair.second : pair.first).point.orbit;
        add(motion, formal.deviation ? name_of_change(*formal.deviation) : "end_of_motion",
            formal.violation);
    }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<SpecialPoint> points;
    for (auto& [s, point] : found) points.push_back(std::move(point));
    return points;
}

} // namespace liaison::analysis
