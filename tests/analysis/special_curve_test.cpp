// SPDX-License-Identifier: Apache-2.0
// Curves of special points over two parameters against closed forms.
#include "liaison/analysis/special_curve.hpp"

#include "liaison/analysis/involution.hpp"

#include "support/impact_oscillator.hpp"
#include "support/reference_case.hpp"

#include <cmath>
#include <functional>
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
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["y"]
[parameters]
lam = 2.0
r = 0.5
[energy]
T = "y'^2/2"
[force.shake]
y = "cos(t)"
[contact.walls]
between = ["-lam", "y", "lam"]
restitution = "r"
[periodic]
symmetry = { y = "-y" }
)model");
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
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[parameters]
F = 0.4
omega = 0.7
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.shake]
x = "sin(omega*t)"
[relay.dry]
surface = "x'"
values = { above = -1, below = 1 }
force.x = "F*u"
[start]
x = 1
)model");
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
