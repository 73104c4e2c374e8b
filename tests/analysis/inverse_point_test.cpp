// SPDX-License-Identifier: Apache-2.0
// The inverse problem in numbers at the points of the reference (tests/reference/03-inverse.json).
#include "liaison/analysis/inverse_point.hpp"

#include "liaison/model/read.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>

using namespace liaison;
using Eigen::VectorXd;

namespace {

model::Model body(const std::string& parameters, const std::string& inertia,
                  const std::string& integrals) {
    return model::read_model(
        "body.toml", "format = 1\nname = \"body\"\n[parameters]\n" + parameters +
                         "\n[body.b]\nkind = \"fixed-point\"\ninertia = " + inertia +
                         "\n[force.sought]\np = \"u1\"\nq = \"u2\"\nr = \"u3\"\n[integral]\n" +
                         integrals + "\n[invert]\nunknown = [\"u1\", \"u2\", \"u3\"]\n");
}

prepare::Point here(const model::Model& m) {
    prepare::Point point(m);
    point.q = {0.6, 0.48, 0.64};
    point.v = {0.5, 0.3, 0.7};
    return point;
}

void check(const VectorXd& got, const std::vector<double>& wanted) {
    REQUIRE(got.size() == static_cast<Eigen::Index>(wanted.size()));
    for (std::size_t i = 0; i < wanted.size(); ++i)
        CHECK(std::abs(got(static_cast<Eigen::Index>(i)) - wanted[i]) < 1e-12);
}

} // namespace

TEST_CASE("Lagrange's force at the point of the reference") {
    const auto m = body("A = 2.0\nC = 1.2\nP = 1.0\nzc = 1.5", "[\"A\", \"A\", \"C\"]",
                        "energy = \"(A*(p^2 + q^2) + C*r^2)/2 + P*zc*gamma3\"\n"
                        "area = \"A*(p*gamma1 + q*gamma2) + C*r*gamma3\"\nspin = \"r\"\n"
                        "length = \"gamma1^2 + gamma2^2 + gamma3^2\"\n");
    const auto answer = analysis::invert_at(m, here(m));
    CHECK(answer.rows == std::vector<std::string>{"energy", "area", "spin"}); // length holds anyway
    check(answer.S.row(0).transpose(), {0.5, 0.3, 0.7});
    check(answer.S.row(1).transpose(), {0.6, 0.48, 0.64});
    check(answer.S.row(2).transpose(), {0.0, 0.0, 0.8333333333333334});
    check(answer.h, {0.09, 0.0, 0.0});
    CHECK(answer.rank == 3);
    CHECK(answer.S.determinant() == doctest::Approx(0.05).epsilon(1e-12));
    check(answer.shortest, {0.72, -0.9, 0.0});
    CHECK(answer.free.cols() == 0);
    CHECK(answer.positional.exists);
    check(answer.positional.u, {0.72, -0.9, 0.0});

    // where p γ₂ = q γ₁ the rows are dependent; forces of positions are still determined there
    auto singular = here(m);
    singular.v = {0.6, 0.48, 0.7};
    const auto there = analysis::invert_at(m, singular);
    CHECK(there.rank == 2);
    CHECK(there.consistent);
    CHECK(there.positional.exists);
    CHECK(there.positional.rank == 3);
    check(there.positional.u, {0.72, -0.9, 0.0});
}

TEST_CASE("Kovalevskaya's force at the point of the reference") {
    const auto m = body("C = 1.0\nP = 1.0\nxc = 1.0", "[\"2*C\", \"2*C\", \"C\"]",
                        "energy = \"C*(p^2 + q^2 + r^2/2) + P*xc*gamma1\"\n"
                        "area = \"C*(2*p*gamma1 + 2*q*gamma2 + r*gamma3)\"\n"
                        "K = \"(p^2 - q^2 - P*xc/C*gamma1)^2 + (2*p*q - P*xc/C*gamma2)^2\"\n");
    const auto answer = analysis::invert_at(m, here(m));
    check(answer.S.row(2).transpose(), {-0.548, 0.084, 0.0});
    check(answer.h, {-0.144, 0.0, 0.05376});
    CHECK(answer.S.determinant() == doctest::Approx(0.087312).epsilon(1e-12));
    check(answer.shortest, {0.0, 0.64, -0.48});
    CHECK(answer.positional.exists);
}

TEST_CASE("energy and area leave one direction free") {
    const auto m =
        body("A = 5.0\nB = 4.0\nC = 2.0\nP = 3.0\nx = 0.5\ny = 0.3333333333333333\nz = 0.2",
             "[\"A\", \"B\", \"C\"]",
             "energy = \"(A*p^2 + B*q^2 + C*r^2)/2 + P*(x*gamma1 + y*gamma2 + "
             "z*gamma3)\"\narea = \"A*p*gamma1 + B*q*gamma2 + C*r*gamma3\"\n");
    const auto answer = analysis::invert_at(m, here(m));
    CHECK(answer.rank == 2);
    check(answer.shortest, {0.08201304753028892, 0.29860205032618825, -0.30083876980428703});
    REQUIRE(answer.free.cols() == 1);
    const VectorXd product = (VectorXd(3) << -0.144, 0.1, 0.06).finished();
    CHECK(std::abs(std::abs(answer.free.col(0).dot(product)) - product.norm()) < 1e-12);
    // u = S⁺h + a [S] reaches the weight
    check(answer.shortest + 3.0139794967381173 * product, {-0.352, 0.6, -0.12});
    CHECK(answer.positional.exists);
    CHECK(answer.positional.rank == 3); // for all velocities the weight is the only one
    check(answer.positional.u, {-0.352, 0.6, -0.12});
}

TEST_CASE("no force of positions, and no force at all") {
    const auto plane = [](const std::string& integrals) {
        return model::read_model("plane.toml",
                                 "format = 1\nname = \"point\"\ncoordinates = [\"x\", \"y\"]\n"
                                 "[energy]\nT = \"(x'^2 + y'^2)/2\"\n[force.sought]\nx = \"u1\"\n"
                                 "y = \"u2\"\n[integral]\n" +
                                     integrals + "\n[invert]\nunknown = [\"u1\", \"u2\"]\n");
    };
    const auto none = plane("c = \"x'*exp(x) + y'\"");
    prepare::Point point(none);
    point.q = {0.3, 0.4};
    point.v = {1.0, 0.5};
    const auto answer = analysis::invert_at(none, point);
    CHECK(answer.consistent);
    CHECK_FALSE(answer.positional.exists);
    CHECK(answer.positional.residual > 1e-3);
    const auto contradiction = plane("a = \"x'\"\nb = \"x' + x\"");
    CHECK_FALSE(analysis::invert_at(contradiction, point).consistent);
}
