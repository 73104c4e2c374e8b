// SPDX-License-Identifier: Apache-2.0
// Rigid bodies: kinematics, energies, points, checked against what holds for every motion.
#include "liaison/model/bodies.hpp"

#include "model/model_support.hpp"

#include <array>
#include <cmath>

using namespace liaison;
using test::codes;
using test::read;
using test::value;

namespace {

const std::string k_free = R"toml(
format = 1
[body.ball]
kind = "free"
mass = 2
inertia = [0.3, 0.4, 0.5]
[observe]
px = "ball.point(0.1, 0.2, 0.3).x"
py = "ball.point(0.1, 0.2, 0.3).y"
pz = "ball.point(0.1, 0.2, 0.3).z"
vz = "der(ball.point(0.1, 0.2, 0.3).z)"
)toml";

const std::vector<std::pair<std::string, double>> k_state{
    {"x", 1},    {"y", 2},    {"z", 3},    {"e0", 0.5}, {"e1", 0.5}, {"e2", -0.5}, {"e3", 0.5},
    {"vx", 0.1}, {"vy", 0.2}, {"vz", 0.3}, {"p", 1.1},  {"q", -0.7}, {"r", 0.4}};

} // namespace

TEST_CASE("a free body: seven coordinates, six velocities, its energy") {
    const auto model = read(k_free);
    REQUIRE(model.coordinates.size() == 7);
    REQUIRE(model.velocities.size() == 6);
    const double T = 0.5 * 2 * (0.01 + 0.04 + 0.09) + 0.5 * (0.3 * 1.21 + 0.4 * 0.49 + 0.5 * 0.16);
    CHECK(value(model.energy.T.expr, k_state) == doctest::Approx(T).epsilon(1e-14));
}

TEST_CASE("the norm of the quaternion is a first integral of its rates") {
    const auto model = read(k_free);
    double rate = 0;
    for (std::size_t k = 3; k < 7; ++k) {
        rate += 2 * value(model.coordinates[k].q, k_state) *
                value(model.coordinates[k].rate.expr, k_state);
    }
    CHECK(std::abs(rate) < 1e-15);
}

TEST_CASE("points of a body keep their distance and move with v + ω × r") {
    const auto model = read(k_free);
    std::array<double, 3> r{};
    for (std::size_t k = 0; k < 3; ++k)
        r[k] = value(model.observes[k].formula.expr, k_state) - std::array{1.0, 2.0, 3.0}[k];
    CHECK(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] == doctest::Approx(0.14).epsilon(1e-14));
    // e = (½, ½, −½, ½): rotation matrix written out; body ω turned into space.
    const double R[3][3] = {{0, -1, 0}, {0, 0, -1}, {1, 0, 0}};
    const double w[3] = {1.1, -0.7, 0.4};
    double ws[3] = {};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) ws[i] += R[i][j] * w[j];
    }
    CHECK(r[0] == doctest::Approx(-0.2));
    CHECK(r[1] == doctest::Approx(-0.3));
    CHECK(r[2] == doctest::Approx(0.1));
    CHECK(value(model.observes[3].formula.expr, k_state) ==
          doctest::Approx(0.3 + ws[0] * r[1] - ws[1] * r[0]).epsilon(1e-13));
}

TEST_CASE("a body with a fixed point: γ' = γ × ω, V = P c·γ, gyrostat") {
    const auto model = read(R"toml(
format = 1
[parameters]
P = 2
[body.top]
kind = "fixed-point"
inertia = [1, 2, 2.5]
center = [0.1, 0.2, 0.3]
weight = "P"
gyrostat = [0, 0, 0.7]
[observe]
again = "top.gamma1 - gamma1"
)toml");
    const std::vector<std::pair<std::string, double>> at{
        {"gamma1", 0.36}, {"gamma2", 0.48}, {"gamma3", 0.8}, {"p", 1.5},
        {"q", -0.5},      {"r", 2.5},       {"P", 2}};
    CHECK(value(model.coordinates[0].rate.expr, at) == doctest::Approx(0.48 * 2.5 - 0.8 * -0.5));
    CHECK(value(model.coordinates[1].rate.expr, at) == doctest::Approx(0.8 * 1.5 - 0.36 * 2.5));
    CHECK(value(model.coordinates[2].rate.expr, at) == doctest::Approx(0.36 * -0.5 - 0.48 * 1.5));
    CHECK(value(model.energy.V.expr, at) == doctest::Approx(2 * (0.036 + 0.096 + 0.24)));
    CHECK(value(model.energy.T.expr, at) ==
          doctest::Approx(0.5 * (2.25 + 0.5 + 2.5 * 6.25) + 0.7 * 2.5));
    CHECK(value(model.observes[0].formula.expr, at) == 0);
}

TEST_CASE("several bodies carry their names") {
    const auto model =
        read("format = 1\n[body.a]\nkind = \"free\"\nmass = 1\ninertia = [1, 1, 1]\n"
             "[body.b]\nkind = \"free\"\nmass = 1\ninertia = [1, 1, 1]\n"
             "[contact.c]\ngap = \"a.z - b.z\"\n[start]\na.z = 1\n[start.velocity]\nb.p = 2\n");
    CHECK(model.coordinate("b.e0") == 10);
    CHECK(model.start.q[2]);
    CHECK(model.start.v[9]);
}
