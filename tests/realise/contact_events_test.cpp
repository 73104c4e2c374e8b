// SPDX-License-Identifier: Apache-2.0
// Ideal contacts by events against closed forms: ball, string pendulum, two-sided play.
#include "liaison/motion/simulate.hpp"
#include "liaison/realise/realise.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace liaison;
using expr::Expr;
using expr::Number;

namespace {

// A point of unit mass in the plane or on a line, built without a file.
struct PointMass {
    model::Model m;
    prepare::Point setting;
    std::vector<Expr> q, v;

    PointMass(std::vector<std::string> names, std::vector<double> q0, std::vector<double> v0) {
        m.pool = std::make_shared<expr::Pool>();
        m.t = m.pool->symbol("t");
        Expr T = m.pool->number(0);
        for (std::size_t i = 0; i < names.size(); ++i) {
            q.push_back(m.pool->symbol(names[i]));
            v.push_back(m.pool->symbol(names[i] + "'"));
            model::Coordinate c;
            c.name = names[i];
            c.q = q.back();
            c.rate.expr = v.back();
            m.coordinates.push_back(c);
            model::Velocity w;
            w.name = names[i] + "'";
            w.v = v.back();
            w.coordinate = i;
            m.velocities.push_back(w);
            T = T + pow(v.back(), 2) / 2;
        }
        m.energy.T.expr = T;
        setting.q = std::move(q0);
        setting.v = std::move(v0);
    }
    void potential(Expr V) { m.energy.V.expr = V; }
    void contact(const std::string& name, Expr gap, double e) {
        model::Contact c;
        c.name = name;
        c.sides.push_back({"", {gap, {}}});
        c.restitution.expr = m.pool->number(e);
        m.contacts.push_back(std::move(c));
    }
    motion::Trajectory run(double until, double tolerance = 1e-12, std::vector<double> at = {}) {
        const auto realised = realise::realise(m, setting);
        REQUIRE(realised.missing.empty());
        const auto stepper = motion::make_taylor_stepper(realised.flow, tolerance);
        return motion::simulate(
            realised.flow, *stepper,
            {.until = until, .tolerance = tolerance, .sample_at = std::move(at)});
    }
};

std::size_t count(const motion::Trajectory& t, flow::EventKind kind) {
    std::size_t n = 0;
    for (const auto& e : t.events) n += e.kind == kind ? 1 : 0;
    return n;
}

} // namespace

TEST_CASE("a bouncing ball comes to rest at the closed-form time") {
    // dropped from h: t_∞ = √(2h/g)(1 + e)/(1 − e)
    for (const double e : {0.5, 0.8, 0.9}) {
        PointMass ball({"y"}, {1.0}, {0.0});
        const double g = 9.81;
        ball.potential(ball.q[0] * g);
        ball.contact("floor", ball.q[0], e);
        const double exact = std::sqrt(2.0 / g) * (1 + e) / (1 - e);
        const auto result = ball.run(exact + 1.0, 1e-11);
        CHECK(result.status == motion::Status::done);
        REQUIRE(count(result, flow::EventKind::accumulation) == 1);
        for (const auto& event : result.events) {
            if (event.kind == flow::EventKind::accumulation)
                CHECK(std::abs(event.time.rounded() - exact) < 1e-10);
        }
        CHECK(std::abs(result.state[0]) < 1e-14);
        CHECK(std::abs(result.state[1]) < 1e-14);
    }
}

TEST_CASE("the string pendulum: taut, slack, jerk") {
    // m = L = 1, g = 9.81, start at (0.8, 0.5) at rest, plastic string; numbers of an independent computation
    PointMass bob({"x", "y"}, {0.8, 0.5}, {0.0, 0.0});
    bob.potential(bob.q[1] * 9.81);
    bob.contact("string", Number(1) - sqrt(pow(bob.q[0], 2) + pow(bob.q[1], 2)), 0.0);
    const auto result = bob.run(2.0, 1e-12);
    CHECK(result.status == motion::Status::done);
    REQUIRE(result.events.size() >= 3);
    CHECK(result.events[0].kind == flow::EventKind::impact);
    CHECK(std::abs(result.events[0].time.rounded() - 0.473562) < 1e-6);
    CHECK(std::abs(*result.events[0].impulse - 2.78739) < 1e-5);
    CHECK(std::abs(*result.events[0].energy + 3.88476) < 1e-5);
    CHECK(result.events[0].closes);
    CHECK(result.events[1].kind == flow::EventKind::release);
    CHECK(std::abs(result.events[1].time.rounded() - 1.210287) < 1e-6);
    CHECK(std::abs(result.events[2].time.rounded() - 1.545754) < 1e-6);
}

TEST_CASE("elastic bounces between two walls keep the energy and miss no impact") {
    PointMass ball({"x"}, {0.0}, {1.0});
    ball.potential(ball.m.pool->number(0));
    ball.contact("left", ball.q[0] + 1, 1.0);
    ball.contact("right", Number(1) - ball.q[0], 1.0);
    const auto result = ball.run(1000.5, 1e-12);
    CHECK(count(result, flow::EventKind::impact) == 500);
    CHECK(std::abs(result.state[0] - 0.5) < 1e-11);
    CHECK(std::abs(std::abs(result.state[1]) - 1.0) < 1e-13);
}

TEST_CASE("a mass rests on a shaken table until the acceleration lifts it") {
    // gap y − A sin ωt: the mass leaves where A ω² sin ωt = g
    PointMass mass({"y"}, {0.0}, {2.0});
    const double A = 0.5;
    const double w = 4.0;
    mass.setting.v = {A * w};
    mass.potential(mass.q[0] * 5.0);
    mass.contact("table", mass.q[0] - Number(A) * sin(Number(w) * mass.m.t), 0.0);
    const auto result = mass.run(0.4, 1e-12);
    REQUIRE(count(result, flow::EventKind::release) == 1);
    CHECK(std::abs(result.events[0].time.rounded() - std::asin(5.0 / (A * w * w)) / w) < 1e-11);
}
