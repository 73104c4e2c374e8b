// SPDX-License-Identifier: Apache-2.0
// Curves of special points over two parameters against closed forms.
#include "liaison/analysis/special_curve.hpp"

#include "liaison/analysis/involution.hpp"

#include "support/impact_oscillator.hpp"
#include "support/nonsmooth_models.hpp"
#include "support/reference_case.hpp"
#include "support/sanitized.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <numbers>

using namespace liaison;
using analysis::SpecialCurve;

namespace {

constexpr double k_pi = std::numbers::pi;

struct Plane {
    std::string first, second;
    double low = 0.0, high = 0.0; // of the first
    double from = 0.0, to = 0.0; // of the second
};

std::vector<SpecialCurve> curves(const std::shared_ptr<const flow::Flow>& flow,
                                 analysis::BranchOptions options, const Plane& plane) {
    options.parameter = test::parameter(*flow, plane.first);
    options.low = plane.low;
    options.high = plane.high;
    const analysis::Branch branch = analysis::follow_orbit(flow, options);
    INFO(branch.reason);
    REQUIRE_FALSE(branch.points.empty());
    analysis::SecondParameter second;
    second.parameter = test::parameter(*flow, plane.second);
    second.low = plane.from;
    second.high = plane.to;
    return analysis::follow_special_points(flow, options, branch, second);
}

// Every point of the curve of this kind lies on `value`, and it goes from end to end of the second range.
void check(const std::vector<SpecialCurve>& all, const std::string& kind, const Plane& plane,
           const std::function<double(double)>& value, double within) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const SpecialCurve& c) { return c.kind == kind; });
    INFO(kind);
    REQUIRE(at != all.end());
    INFO(at->reason);
    REQUIRE(at->points.size() > 5);
    for (const auto& p : at->points) {
        INFO(plane.second << " = " << p.second);
        CHECK(p.first == doctest::Approx(value(p.second)).epsilon(within));
    }
    CHECK(at->points.front().second == doctest::Approx(plane.from).epsilon(1e-12));
    CHECK(at->points.back().second == doctest::Approx(plane.to).epsilon(1e-12));
}

// A zero of f between a and b.
double root(double a, double b, const std::function<double(double)>& f) {
    const bool rises = f(a) < f(b);
    for (int i = 0; i < 200; ++i) {
        const double m = 0.5 * (a + b);
        ((f(m) < 0.0) == rises ? a : b) = m;
    }
    return 0.5 * (a + b);
}

} // namespace

TEST_CASE("ball on a table: fold and period doubling over acceleration and restitution") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["y"]
[parameters]
Gamma = 0.6
e = 0.8
[energy]
T = "y'^2/2"
V = "y"
[contact.table]
gap = "y - Gamma*sin(t)"
restitution = "e"
[start]
time = "acos(pi*(1 - e)/(1 + e)/Gamma)"
y = "Gamma*sin(acos(pi*(1 - e)/(1 + e)/Gamma))"
[start.velocity]
y = "pi"
)model");
    analysis::BranchOptions options;
    options.orbit.periods = 1;
    const Plane plane{"Gamma", "e", 0.05, 2.0, 0.6, 0.95};
    const auto all = curves(loaded.flow, options, plane);
    const auto fold = [](double e) { return k_pi * (1 - e) / (1 + e); };
    check(all, "fold", plane, fold, 1e-9);
    check(
        all, "period_doubling", plane,
        [&](double e) { return std::hypot(fold(e), 2 * (1 + e * e) / ((1 + e) * (1 + e))); }, 1e-9);
}

TEST_CASE("a free oscillator grazes its stop along P(F, omega) = sigma") {
    const auto loaded =
        test::load(test::k_impact_oscillator,
                   {{"zeta", 0.1}, {"omega", 0.8}, {"sigma", 1.0}, {"r", 0.7}, {"F", 0.3}});
    analysis::BranchOptions options;
    options.orbit.settle = 200.0;
    const Plane plane{"F", "omega", 0.1, 1.2, 0.5, 1.3};
    check(
        curves(loaded.flow, options, plane), "grazing", plane,
        [](double w) { return std::hypot(1.0 - w * w, 0.2 * w); }, 1e-9);
}

TEST_CASE("impact pair: fold and loss of symmetry over play and restitution") {
    const auto loaded = test::load(test::k_impact_pair, {{"r", 0.5}});
    const auto orbit = test::reference_case("06-impact-pair.json", "r=0.5 m=1")["orbits"][1];
    const auto f = test::started(*loaded.flow, orbit["impact_phase_right_wall"],
                                 {orbit["lam"], -orbit["velocity_after"].get<double>()});
    base::Diagnostics diagnostics;
    analysis::BranchOptions options;
    options.orbit.periods = 1;
    options.orbit.symmetry = analysis::symmetry_of(*loaded.model, *loaded.flow, diagnostics);
    REQUIRE(options.orbit.symmetry);
    const Plane plane{"lam", "r", 1.1, 9.0, 0.4, 0.6};
    const auto all = curves(f, options, plane);
    check(
        all, "fold", plane,
        [](double r) { return std::hypot(1.0, 0.5 * k_pi * (1 + r) / (1 - r)); }, 1e-9);
    check(
        all, "symmetry_breaking", plane,
        [](double r) {
            return (0.25 * k_pi * k_pi - 1.0) / std::hypot(1.0, 0.5 * k_pi * (1 - r) / (1 + r));
        },
        1e-9);
}

TEST_CASE("Coulomb oscillator: crossing-sliding over frequency and friction") {
    // F² = P² ω⁴/(1 + ω² tan²(π/(2ω))), P = 1/(1 − ω²)
    const auto loaded = test::load(test::k_coulomb);
    analysis::BranchOptions options;
    options.orbit.settle = 200.0;
    options.orbit.periods = 1;
    const Plane plane{"omega", "F", 0.5, 0.8, 0.37, 0.45};
    const auto all = curves(loaded.flow, options, plane);
    const auto at = std::find_if(
        all.begin(), all.end(), [](const SpecialCurve& c) { return c.kind == "crossing_sliding"; });
    REQUIRE(at != all.end());
    INFO(at->reason);
    REQUIRE(at->points.size() > 5);
    for (const auto& p : at->points) {
        const double w = p.first;
        const double F = w * w / (1.0 - w * w) / std::hypot(1.0, w * std::tan(0.5 * k_pi / w));
        CHECK(p.second == doctest::Approx(F).epsilon(1e-9));
    }
}

TEST_CASE("an oscillator with negative damping: Neimark-Sacker along r² exp(−2 ζ T) = 1") {
    const auto loaded =
        test::load(test::k_impact_oscillator,
                   {{"zeta", -0.02}, {"omega", 2.4}, {"sigma", 0.0}, {"r", 0.8}, {"F", 1.0}});
    analysis::BranchOptions options;
    options.orbit.settle = 300.0;
    options.orbit.periods = 1;
    const Plane plane{"zeta", "r", -0.12, -0.01, 0.77, 0.85};
    // T = 2π/ω: ζ = ω ln r/(2π)
    check(
        curves(loaded.flow, options, plane), "neimark_sacker", plane,
        [](double r) { return 2.4 * std::log(r) / (2.0 * k_pi); }, 1e-9);
}

TEST_CASE("smooth response on a belt: grazing-sliding along ω P(F, ω) = v") {
    const auto loaded = test::load(test::k_belt);
    analysis::BranchOptions options;
    options.orbit.settle = 300.0;
    const Plane plane{"F", "omega", 0.05, 0.4, 0.7, 0.9};
    check(
        curves(loaded.flow, options, plane), "grazing_sliding", plane,
        [](double w) { return 0.5 / w * std::hypot(1.0 - w * w, 0.1 * w); }, 1e-9);
}

// One stop per half period: released at −u where sin ωt = F − u, it slips to +u and sticks there. The stop at the top of
// the force is about to end there as well where u = 1 − F.
TEST_CASE("Coulomb oscillator: adding-sliding over frequency and friction") {
    const auto loaded = test::load(test::k_coulomb, {{"omega", 0.25}});
    analysis::BranchOptions options;
    options.orbit.settle = 200.0;
    options.orbit.periods = 1;
    const Plane plane{"omega", "F", 0.203, 0.3, 0.39, 0.41};
    const auto beyond = [](double w, double F) {
        const double u = 1.0 - F;
        const double P = 1.0 / (1.0 - w * w);
        const double t0 = std::asin(F - u) / w;
        const double a = F - u - P * std::sin(w * t0);
        const double b = -P * w * std::cos(w * t0);
        const auto rate = [&](double t) {
            return P * w * std::cos(w * t) - a * std::sin(t - t0) + b * std::cos(t - t0);
        };
        double t = t0 + 0.05; // the first return of the rate to zero
        while (rate(t) > 0.0) t += 0.01;
        t = root(t - 0.01, t, rate);
        return P * std::sin(w * t) - F + a * std::cos(t - t0) + b * std::sin(t - t0) - u;
    };
    const auto value = [&](double F) {
        return root(0.19, 0.23, [&](double w) { return beyond(w, F); });
    };
    CHECK(value(0.4) ==
          doctest::Approx(0.20733440881438417).epsilon(1e-12)); // 06-dry-friction.json
    const auto all = curves(loaded.flow, options, plane);
    const auto at = std::find_if(all.begin(), all.end(),
                                 [](const SpecialCurve& c) { return c.kind == "adding_sliding"; });
    REQUIRE(at != all.end());
    INFO(at->reason);
    REQUIRE(at->points.size() > 5);
    for (const auto& p : at->points)
        CHECK(p.first == doctest::Approx(value(p.second)).epsilon(1e-9));
}

TEST_CASE("a body on a shaking table leaves it along A ω² = g") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["y"]
[parameters]
A = 0.5
w = 1.2
[energy]
T = "y'^2/2"
V = "y"
[contact.table]
gap = "y - A*sin(w*t)"
restitution = 0
[start]
closed = ["table"]
[start.velocity]
y = "A*w"
)model");
    analysis::BranchOptions options;
    options.orbit.periods = 1;
    const Plane plane{"A", "w", 0.2, 1.2, 1.0, 1.5};
    check(
        curves(loaded.flow, options, plane), "lift_off", plane,
        [](double w) { return 1.0 / (w * w); }, 1e-9);
}

// x' = c + A cos t − sgn x. It leaves the surface where c + A cos t rises through 1 and returns from above; sliding begins
// there unless c + A cos t is below −1 still, when it passes to the other side first.
TEST_CASE("a relay with a drive: switching-sliding where the return meets the lower end") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[parameters]
c = 0.95
A = 3.0
[system]
x = "c + A*cos(t)"
[relay.switch]
surface = "x"
force.x = "-u"
)model");
    analysis::BranchOptions options;
    options.orbit.settle = 30.0;
    options.orbit.periods = 1;
    const Plane plane{"c", "A", 0.7, 0.99, 2.6, 3.4};
    const auto value = [](double A) {
        return root(0.5, 0.999, [A](double c) {
            const double leaves = -std::acos((1.0 - c) / A);
            const double returns = 2.0 * k_pi - std::acos((-1.0 - c) / A);
            return (c - 1.0) * (returns - leaves) + A * (std::sin(returns) - std::sin(leaves));
        });
    };
    check(curves(loaded.flow, options, plane), "switching_sliding", plane, value, 1e-9);
}

// Each impact gives 2π of normal impulse; between them the body gathers speed (f/c)(1 − exp(−2πc)), which the impact stops
// as long as it is below 2πµ.
TEST_CASE("a body pushed along a vibrating table: an impact stops its slip, or no longer" *
          doctest::skip(test::k_sanitized)) {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
G = 0.6
e = 0.8
f = 0.5
c = 0.3
mu = 0.4
[energy]
T = "x'^2/2 + y'^2/2"
V = "y"
[force.push]
x = "f - c*x'"
[contact.table]
gap = "y - G*sin(t)"
restitution = "e"
slip = "x'"
friction = "mu"
[start]
time = "acos(pi*(1 - e)/(1 + e)/G)"
y = "G*sin(acos(pi*(1 - e)/(1 + e)/G))"
[start.velocity]
y = "pi"
)model");
    analysis::BranchOptions options;
    options.orbit.periods = 1;
    options.orbit.drift = {0};
    const Plane plane{"f", "c", 0.1, 1.5, 0.1, 0.5};
    check(
        curves(loaded.flow, options, plane), "impact_branch", plane,
        [](double c) { return 0.4 * 2.0 * k_pi * c / (1.0 - std::exp(-2.0 * k_pi * c)); }, 1e-8);
}

// Two balls on tables of one frequency hit them at cos θ = π(1 − e)/((1 + e)Γ): at once where the phase between the
// tables makes up for their amplitudes.
TEST_CASE("two balls on two tables: the corner where their impacts meet") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["y", "z"]
[parameters]
G = 0.6
H = 0.7
phi = 0.4
[let]
first = "acos(pi/9/G)"
second = "acos(pi/9/H) - phi"
[energy]
T = "y'^2/2 + z'^2/2"
V = "y + z"
[contact.table]
gap = "y - G*sin(t)"
restitution = 0.8
[contact.shelf]
gap = "z - H*sin(t + phi)"
restitution = 0.8
[start]
time = "first"
y = "G*sin(first)"
z = "H*sin(second + phi) + pi*(first - second) - (first - second)^2/2"
[start.velocity]
y = "pi"
z = "pi - (first - second)"
)model");
    analysis::BranchOptions options;
    options.orbit.periods = 1;
    const Plane plane{"phi", "H", -0.3, 0.8, 0.65, 0.8};
    check(
        curves(loaded.flow, options, plane), "corner", plane,
        [](double H) { return std::acos(k_pi / 9.0 / H) - std::acos(k_pi / 9.0 / 0.6); }, 1e-9);
}

// Time measured in another unit multiplies gravity and spring by the same number and leaves masses, lengths, friction and
// restitution alone: what happens at (c, g) happens at (κc, κg), √κ times as fast. The nine events of a cycle with
// impacts, stick and slip, and its drop, are followed along.
TEST_CASE("woodpecker: its period doubles where spring and gravity keep their ratio" *
          doctest::skip(test::k_sanitized)) {
    std::ifstream in(std::string(LIAISON_EXAMPLES) + "/10-woodpecker/model.toml");
    const auto loaded = test::load(std::string((std::istreambuf_iterator<char>(in)), {}));
    REQUIRE(loaded.model->periodic);
    const Plane plane{"c", "g", 0.0056, 0.0062, 9.7, 9.9};
    analysis::BranchOptions options;
    options.orbit.settle = 0.3;
    options.orbit.longest = 0.8;
    options.orbit.drift = loaded.model->periodic->drift;
    const auto all = curves(loaded.flow, options, plane);
    REQUIRE(all.size() == 1);
    const SpecialCurve& curve = all.front();
    REQUIRE(curve.kind == "period_doubling");
    REQUIRE(curve.points.size() > 5);
    const auto& first = curve.points.front();
    check(
        all, "period_doubling", plane, [&](double g) { return first.first * g / first.second; },
        1e-11);
    for (const auto& p : curve.points) {
        CHECK(p.period * std::sqrt(p.second) ==
              doctest::Approx(first.period * std::sqrt(first.second)).epsilon(1e-11));
        const auto doubling = std::any_of(p.multipliers.begin(), p.multipliers.end(),
                                          [](auto m) { return std::abs(m + 1.0) < 1e-8; });
        CHECK(doubling);
    }
}
