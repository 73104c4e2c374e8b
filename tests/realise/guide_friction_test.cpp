// SPDX-License-Identifier: Apache-2.0
// Friction on bilateral guides against closed forms: stopping distance, either sign of the reaction, stick, Painlevé.
#include "liaison/flow/probe.hpp"

#include "support/program_models.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace liaison;
using support::prepared;

namespace {

// A bead on a straight guide y = slope x under gravity, pressed by a force `push` across it besides.
std::string bead(double mu, double angle, double speed, const std::string& more = "",
                 const std::string& realisation = "projection") {
    return fmt::format(R"toml(format = 1
name = "bead on a rod"
coordinates = ["x", "y"]
[parameters]
m = 2.0
g = 10.0
a = {}
[energy]
T = "m/2*(x'^2 + y'^2)"
V = "m*g*y"
[constraint.rod]
equation = "y*cos(a) - x*sin(a) = 0"
slip = "x'*cos(a) + y'*sin(a)"
friction = {}
{}
[start.velocity]
x = "{}*cos(a)"
y = "{}*sin(a)"
[run]
bilateral = "{}"
)toml",
                       angle, mu, more, speed, speed, realisation);
}

motion::Trajectory run(const flow::Flow& flow, std::vector<double> at, double tolerance = 1e-12) {
    const auto stepper = motion::make_taylor_stepper(flow, tolerance);
    return motion::simulate(flow, *stepper,
                            {.until = at.back(), .tolerance = tolerance, .sample_at = at});
}

double output(const flow::Flow& flow, const motion::Sample& s, const std::string& part) {
    for (const auto& o : flow.outputs) {
        if (o.group != flow::OutputGroup::reaction || o.part != part) continue;
        flow::Instant now;
        now.parameters = flow.parameter_values;
        now.state = s.state;
        now.mode = s.mode;
        now.field_time = s.field_time;
        return flow::Probe(flow, {o.value})(now)[0];
    }
    FAIL(part);
    return 0.0;
}

} // namespace

TEST_CASE("a bead stops after v²/2μg and sticks, in both directions and all realisations") {
    for (const std::string word : {"projection", "program", "multiplier"}) {
        for (const double speed : {3.0, -3.0}) {
            CAPTURE(word);
            CAPTURE(speed);
            const auto p = prepared(bead(0.3, 0.0, speed, "", word));
            const auto got = run(p.realised.flow, {0.5, 2.0});
            REQUIRE(got.status == motion::Status::done);
            const double s = speed > 0 ? 1.0 : -1.0;
            CHECK(got.samples[0].state[0] ==
                  doctest::Approx(s * (3.0 * 0.5 - 0.5 * 3.0 * 0.25)).epsilon(1e-11));
            CHECK(got.samples[1].state[0] == doctest::Approx(s * 9.0 / 6.0).epsilon(1e-11));
            CHECK(std::abs(got.samples[1].state[2]) < 1e-12);
            REQUIRE(got.events.size() == 1);
            CHECK(got.events[0].kind == flow::EventKind::stick);
            CHECK(got.events[0].time.rounded() == doctest::Approx(1.0).epsilon(1e-11));
            CHECK(output(p.realised.flow, got.samples[0], "normal") == doctest::Approx(20.0));
            CHECK(output(p.realised.flow, got.samples[0], "tangential") ==
                  doctest::Approx(-s * 6.0));
            CHECK(std::abs(output(p.realised.flow, got.samples[1], "tangential")) < 1e-9);
        }
    }
}

TEST_CASE("on a slope it slides, sticks or turns back as tan says") {
    const double a = std::atan(0.5);
    const double down = 10.0 * std::sin(a);
    const double brake = 10.0 * std::cos(a);
    // tan a < μ: stays; tan a > μ: starts by itself
    const auto rests = prepared(bead(0.6, a, 0.0));
    CHECK(std::abs(run(rests.realised.flow, {1.0}).samples[0].state[0]) < 1e-14);
    const auto slides = prepared(bead(0.2, a, 0.0));
    const auto gone = run(slides.realised.flow, {1.0}).samples[0].state;
    CHECK(std::hypot(gone[0], gone[1]) ==
          doctest::Approx(0.5 * (down - 0.2 * brake)).epsilon(1e-11));
    CHECK(gone[0] < 0.0);
    // upwards, then back: reversal
    const auto thrown = prepared(bead(0.2, a, 4.0));
    const auto got = run(thrown.realised.flow, {3.0});
    REQUIRE(got.events.size() == 1);
    CHECK(got.events[0].kind == flow::EventKind::reverse);
    const double turn = 4.0 / (down + 0.2 * brake);
    CHECK(got.events[0].time.rounded() == doctest::Approx(turn).epsilon(1e-11));
    const double reach = 0.5 * 4.0 * turn;
    const double back = 0.5 * (down - 0.2 * brake) * std::pow(3.0 - turn, 2);
    CHECK(got.samples[0].state[0] / std::cos(a) == doctest::Approx(reach - back).epsilon(1e-10));
}

TEST_CASE("on a ring friction leans on the centripetal reaction: v = v₀/(1 + μ v₀ t/R)") {
    for (const double v0 : {2.0, -2.0}) {
        const auto p = prepared(fmt::format(R"toml(format = 1
name = "bead on a ring"
coordinates = ["x", "y"]
[parameters]
m = 1.5
R = 0.8
mu = 0.25
[energy]
T = "m/2*(x'^2 + y'^2)"
[constraint.ring]
equation = "sqrt(x^2 + y^2) = R"
slip = "(x*y' - y*x')/R"
friction = "mu"
[start]
x = 0.8
[start.velocity]
y = {}
)toml",
                                            v0));
        const auto got = run(p.realised.flow, {1.0, 4.0});
        REQUIRE(got.status == motion::Status::done);
        for (const auto& s : got.samples) {
            const double v = std::hypot(s.state[2], s.state[3]);
            CHECK(v == doctest::Approx(2.0 / (1 + 0.25 * 2.0 * s.time / 0.8)).epsilon(1e-10));
            const double turned = std::log(1 + 0.25 * 2.0 * s.time / 0.8) / 0.25;
            CHECK(s.state[0] == doctest::Approx(0.8 * std::cos(turned)).epsilon(1e-9));
            CHECK(output(p.realised.flow, s, "normal") ==
                  doctest::Approx(-1.5 * v * v / 0.8).epsilon(1e-9));
        }
        // What friction took is what the energy lost.
        double work = 0.0;
        for (std::size_t i = 0; i < p.realised.flow.state_names.size(); ++i) {
            if (p.realised.flow.state_names[i] == "friction") work = got.state[i];
        }
        const double v = std::hypot(got.state[2], got.state[3]);
        CHECK(0.75 * v * v - 0.75 * 4.0 == doctest::Approx(work).epsilon(1e-10));
    }
}

TEST_CASE("a reaction that changes its sign changes the side friction leans on") {
    // A force across the guide that turns over: λ = m g − c t, T = −μ|λ|.
    const auto p = prepared(bead(0.1, 0.0, 5.0, "[force.lift]\ny = \"20*t\"\n"));
    const auto got = run(p.realised.flow, {0.5, 2.0});
    REQUIRE(got.status == motion::Status::done);
    // λ = 20 − 20 t: x' = 5 − 0.1·10·(t − t²/2) up to t = 1, then − 0.1·10·(t − 1)²/2 more
    const double v1 = 5.0 - 0.5;
    CHECK(got.samples[1].state[2] == doctest::Approx(v1 - 0.5).epsilon(1e-10));
    CHECK(output(p.realised.flow, got.samples[1], "normal") ==
          doctest::Approx(-20.0).epsilon(1e-9));
    CHECK(output(p.realised.flow, got.samples[1], "tangential") ==
          doctest::Approx(-2.0).epsilon(1e-9));
}

TEST_CASE("static friction holds until its limit, and a held guide starts to slip") {
    // A growing force along the guide: slips when 4 t > μ_s m g = 8, then x'' = (4 t − 0.2·20)/2.
    const auto text = bead(0.0, 0.0, 0.0, "[force.pull]\nx = \"4*t\"\n");
    const auto at = text.find("friction = 0");
    const auto p = prepared(std::string(text).replace(
        at, std::string("friction = 0").size(), "friction = { static = 0.4, dynamic = 0.2 }"));
    const auto got = run(p.realised.flow, {1.9, 3.0});
    REQUIRE(got.status == motion::Status::done);
    CHECK(std::abs(got.samples[0].state[0]) < 1e-13);
    CHECK(output(p.realised.flow, got.samples[0], "tangential") ==
          doctest::Approx(-7.6).epsilon(1e-9));
    REQUIRE(got.events.size() == 1);
    CHECK(got.events[0].kind == flow::EventKind::slip);
    CHECK(got.events[0].time.rounded() == doctest::Approx(2.0).epsilon(1e-10));
    // v(3) = ∫₂³ (2t − 2) dt = 3
    CHECK(got.samples[1].state[2] == doctest::Approx(3.0).epsilon(1e-9));
}

TEST_CASE("a guide that friction makes unsolvable is struck, or found and told") {
    // Uniform rod of length 2, its tip held on y = 0: B₁/D has a zero for μ ≥ 4/3 (theory 02).
    const auto rod = [](double mu, double phi, double speed, const std::string& rule) {
        return prepared(fmt::format(R"toml(format = 1
name = "rod on a rail"
coordinates = ["x", "y", "phi"]
[parameters]
mu = {}
[energy]
T = "(x'^2 + y'^2)/2 + phi'^2/6"
V = "9.81*y"
[constraint.tip]
equation = "y - sin(phi) = 0"
slip = "x' + sin(phi)*phi'"
friction = "mu"
[start]
phi = {}
y = "sin({})"
[start.velocity]
x = {}
[run]
paradox = "{}"
)toml",
                                    mu, phi, phi, speed, rule));
    };
    // 1 + 3 cos²φ ∓ 3 μ sin φ cos φ < 0 at φ = 1, μ = 1.6
    for (const double speed : {1.0, -1.0}) {
        CAPTURE(speed);
        const auto stuck = rod(1.6, 1.0, speed, "stop");
        const auto got = run(stuck.realised.flow, {0.1});
        CHECK(got.status == motion::Status::stopped);
        CHECK(got.reason.find("A1 = -9.81") != std::string::npos);
        CHECK(got.reason.find("tip") != std::string::npos);
        const bool none = got.reason.find("no motion") != std::string::npos;
        // With the default rule: no motion is resolved by an impact that stops the slip, of two the regular one is taken and told.
        const auto resolved = rod(1.6, 1.0, speed, "impact");
        const auto goes = run(resolved.realised.flow, {1e-6});
        CHECK(goes.status == motion::Status::done);
        REQUIRE(goes.events.size() == 1);
        const flow::Event& e = goes.events[0];
        CHECK(e.case_name == (none ? "inconsistent" : "indeterminate"));
        if (!none) continue;
        CHECK(e.kind == flow::EventKind::tangential_impact);
        // Closed form of theory 02 §6.2: N = D_nt v/det, P = −D_nn v/det, ΔE = −D_nn v²/(2 det), det = 4.
        const double c = std::cos(1.0);
        const double D_nn = 1 + 3 * c * c;
        const double D_nt = -3 * std::sin(1.0) * c;
        CHECK(std::abs(e.impulse.value_or(0.0)) ==
              doctest::Approx(std::abs(D_nt / 4)).epsilon(1e-12));
        CHECK(e.tangential[0] == doctest::Approx(-D_nn * speed / 4).epsilon(1e-12));
        CHECK(e.energy.value_or(0.0) == doctest::Approx(-D_nn / 8).epsilon(1e-12));
    }
    // Below 4/3 there is no such position.
    const auto free = rod(1.2, 1.0, 1.0, "stop");
    CHECK(run(free.realised.flow, {0.05}).status == motion::Status::done);
}

namespace {

// Guide y = 0 of a system whose inertia couples x and y: T = (x'² + y'²)/2 + c x' y', so that B₁(χ)/D = 1 + μ σ χ c and
// λ = c x'' + (dc/dx) x'² − F_y.
std::string coupled(const std::string& c, double mu, const std::string& force_x,
                    const std::string& force_y, double speed, const std::string& rule) {
    return fmt::format(R"toml(format = 1
name = "coupled guide"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2 + ({})*x'*y'"
[force.given]
x = "{}"
y = "{}"
[constraint.rail]
equation = "y = 0"
slip = "x'"
friction = {}
[start.velocity]
x = {}
[run]
paradox = "{}"
)toml",
                       c, force_x, force_y, mu, speed, rule);
}

} // namespace

TEST_CASE("a guide that starts to slip into two motions says so in one event") {
    // Held while t ≤ 3; then λ = (1 + t/2)/2.5 or −5 with the singular reaction: x'' = 0.4 (t − 3).
    const auto p = prepared(coupled("1/2", 3.0, "t", "-1", 0.0, "impact"));
    const auto got = run(p.realised.flow, {4.0});
    REQUIRE(got.status == motion::Status::done);
    REQUIRE(got.events.size() == 1);
    CHECK(got.events[0].kind == flow::EventKind::slip);
    CHECK(got.events[0].case_name == "indeterminate");
    CHECK(got.events[0].time.rounded() == doctest::Approx(3.0).epsilon(1e-10));
    CHECK(got.samples[0].state[2] == doctest::Approx(0.2).epsilon(1e-9));
}

TEST_CASE("slip that enters the region of two motions is told, or stopped there") {
    // x'' (1 + 2c) = F_x − x'² − 2 = 0: x = t, c = x/2, and B₁(−1)/D = 1 − t.
    const auto text = [](const char* rule) {
        return coupled("x/2", 2.0, "2 + x'^2", "-1", 1.0, rule);
    };
    const auto goes = prepared(text("impact"));
    const auto got = run(goes.realised.flow, {1.5});
    CAPTURE(got.reason);
    REQUIRE(got.status == motion::Status::done);
    REQUIRE(got.events.size() == 1);
    CHECK(got.events[0].kind == flow::EventKind::slip);
    CHECK(got.events[0].case_name == "indeterminate");
    CHECK(got.events[0].time.rounded() == doctest::Approx(0.999).epsilon(1e-10));
    CHECK(got.samples[0].state[0] == doctest::Approx(1.5).epsilon(1e-12));
    const auto ends = prepared(text("stop"));
    const auto stopped = run(ends.realised.flow, {1.5});
    CHECK(stopped.status == motion::Status::stopped);
    CHECK(stopped.reason.find("stopped at t = 0.999") != std::string::npos);
}

TEST_CASE("a reaction that would pass to the singular side strikes the guide") {
    // λ = (1 − t)/2.5 with B₁(−1)/D = −1/2: from t = 1 there is no reaction. v(1) = 2 − 0.6; D_nn = 4/3, D_nt = −2/3,
    // det = 4/3, so that N = −v/2, P = −v.
    const auto p = prepared(coupled("1/2", 3.0, "0", "t - 1", 2.0, "impact"));
    const auto got = run(p.realised.flow, {2.0});
    REQUIRE(got.status == motion::Status::done);
    REQUIRE(got.events.size() == 2);
    CHECK(got.events[0].case_name == "indeterminate"); // at the start
    const flow::Event& hit = got.events[1];
    CHECK(hit.kind == flow::EventKind::tangential_impact);
    CHECK(hit.time.rounded() == doctest::Approx(1.0).epsilon(1e-10));
    CHECK(hit.impulse.value_or(0.0) == doctest::Approx(-0.7).epsilon(1e-10));
    CHECK(hit.tangential[0] == doctest::Approx(-1.4).epsilon(1e-10));
    CHECK(hit.energy.value_or(0.0) == doctest::Approx(-0.98).epsilon(1e-10));
    CHECK(std::abs(got.samples[0].state[2]) < 1e-12);
}
