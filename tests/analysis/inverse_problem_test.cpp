// SPDX-License-Identifier: Apache-2.0
// The inverse problem on bodies and points whose answers are known (theory 03, section 11).
#include "liaison/analysis/inverse_problem.hpp"

#include "liaison/analysis/potential.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/model/read.hpp"

#include <doctest/doctest.h>

using namespace liaison;
using analysis::InverseVerdict;

namespace {

std::string body(const std::string& parameters, const std::string& inertia,
                 const std::string& integrals, const std::string& question) {
    return "format = 1\nname = \"body\"\n[parameters]\n" + parameters +
           "\n[body.b]\nkind = \"fixed-point\"\ninertia = " + inertia +
           "\n[force.sought]\np = \"u1\"\nq = \"u2\"\nr = \"u3\"\n[integral]\n" + integrals +
           "\n[invert]\nunknown = [\"u1\", \"u2\", \"u3\"]\n" + question;
}

const char* const k_lagrange = R"(energy = "(A*(p^2 + q^2) + C*r^2)/2 + P*zc*gamma3"
area = "A*(p*gamma1 + q*gamma2) + C*r*gamma3"
spin = "r"
length = "gamma1^2 + gamma2^2 + gamma3^2"
)";

std::vector<double> at(const model::Model& m, const std::vector<expr::Expr>& all,
                       const std::vector<double>& gamma, const std::vector<double>& omega,
                       const std::vector<std::pair<std::string, double>>& more = {}) {
    std::vector<expr::Expr> symbols;
    std::vector<double> values;
    for (std::size_t i = 0; i < 3; ++i) {
        symbols.push_back(m.coordinates[i].q);
        values.push_back(gamma[i]);
        symbols.push_back(m.velocities[i].v);
        values.push_back(omega[i]);
    }
    for (const auto& p : m.parameters) {
        symbols.push_back(p.symbol);
        values.push_back(p.value);
    }
    for (const auto& [name, value] : more) {
        symbols.push_back(m.pool->symbol(name));
        values.push_back(value);
    }
    return expr::evaluate(all, symbols, values);
}

const std::vector<double> k_gamma = {0.6, 0.48, 0.64};
const std::vector<double> k_omega = {0.5, 0.3, 0.7};

} // namespace

TEST_CASE("Lagrange's force follows from his integrals") {
    for (const char* positional : {"positional = false", "positional = true"}) {
        CAPTURE(positional);
        const auto m = model::read_model("lagrange.toml",
                                         body("A = 2.0\nC = 1.2\nP = 1.0\nzc = 1.5",
                                              "[\"A\", \"A\", \"C\"]", k_lagrange, positional));
        const auto answer = analysis::invert(m);
        CAPTURE(answer.reason);
        REQUIRE(answer.verdict == InverseVerdict::found);
        CHECK(answer.rank == 3);
        CHECK(answer.identities == std::vector<std::string>{"length"});
        REQUIRE(answer.rows.size() == 3);
        // u = P z_c (γ₂, −γ₁, 0), free of velocities although S is not
        CHECK(expr::print(answer.forces[0]) == "P*gamma2*zc");
        CHECK(expr::print(answer.forces[1]) == "-P*gamma1*zc");
        CHECK(expr::print(answer.forces[2]) == "0");
        // S and h of the reference point
        const auto S = at(m, answer.rows[0].S, k_gamma, k_omega);
        CHECK(S[0] == doctest::Approx(0.5).epsilon(1e-12));
        CHECK(S[2] == doctest::Approx(0.7).epsilon(1e-12));
        CHECK(at(m, {answer.rows[0].h}, k_gamma, k_omega)[0] ==
              doctest::Approx(0.09).epsilon(1e-12));
        const auto u = at(m, answer.forces, k_gamma, k_omega);
        CHECK(u[0] == doctest::Approx(0.72).epsilon(1e-12));
        CHECK(u[1] == doctest::Approx(-0.9).epsilon(1e-12));
        // potential in quasi-velocities, not by components: ∂u₁/∂γ₂ − ∂u₂/∂γ₁ = 2 P z_c
        REQUIRE(answer.potential.has_value());
        CHECK(*answer.potential);
        REQUIRE(answer.componentwise.has_value());
        CHECK_FALSE(*answer.componentwise);
        REQUIRE(answer.V);
        CHECK(expr::print(answer.V) == "P*gamma3*zc");
        CHECK(answer.doubts.empty());
    }
}

TEST_CASE("Kovalevskaya's force follows from her integrals") {
    const auto m = model::read_model(
        "kovalevskaya.toml",
        body("C = 1.0\nP = 1.0\nxc = 1.0", "[\"2*C\", \"2*C\", \"C\"]",
             "energy = \"C*(p^2 + q^2 + r^2/2) + P*xc*gamma1\"\n"
             "area = \"C*(2*p*gamma1 + 2*q*gamma2 + r*gamma3)\"\n"
             "K = \"(p^2 - q^2 - P*xc/C*gamma1)^2 + (2*p*q - P*xc/C*gamma2)^2\"\n",
             "positional = true"));
    const auto answer = analysis::invert(m);
    CAPTURE(answer.reason);
    REQUIRE(answer.verdict == InverseVerdict::found);
    CHECK(expr::print(answer.forces[0]) == "0");
    CHECK(expr::print(answer.forces[1]) == "P*gamma3*xc");
    CHECK(expr::print(answer.forces[2]) == "-P*gamma2*xc");
    CHECK(*answer.potential);
    CHECK(expr::print(answer.V) == "P*gamma1*xc");
    const auto h = at(m, {answer.rows[0].h, answer.rows[2].h}, k_gamma, k_omega);
    CHECK(h[0] == doctest::Approx(-0.144).epsilon(1e-12));
}

TEST_CASE("two integrals of a body leave one free function") {
    const auto m = model::read_model(
        "family.toml",
        body("A = 5.0\nB = 4.0\nC = 2.0\nP = 3.0\nx = 0.5\ny = 0.33333333333333333\nz = 0.2",
             "[\"A\", \"B\", \"C\"]",
             "energy = \"(A*p^2 + B*q^2 + C*r^2)/2 + P*(x*gamma1 + y*gamma2 + z*gamma3)\"\n"
             "area = \"A*p*gamma1 + B*q*gamma2 + C*r*gamma3\"\n",
             ""));
    const auto answer = analysis::invert(m);
    CAPTURE(answer.reason);
    REQUIRE(answer.verdict == InverseVerdict::found);
    CHECK(answer.rank == 2);
    REQUIRE(answer.directions.size() == 1);
    const auto shortest = at(m, answer.particular, k_gamma, k_omega);
    const double expected[] = {0.08201304753028892, 0.29860205032618825, -0.30083876980428703};
    const auto direction = at(m, answer.directions[0], k_gamma, k_omega);
    const double product[] = {-0.144, 0.1, 0.06};
    const auto gravity =
        at(m, answer.forces, k_gamma, k_omega, {{answer.free[0], 3.0139794967381173}});
    const double weight[] = {-0.352, 0.6, -0.12};
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(std::abs(shortest[i] - expected[i]) < 1e-12);
        CHECK(std::abs(direction[i] - product[i]) < 1e-12);
        CHECK(std::abs(gravity[i] - weight[i]) < 1e-12);
    }
    CHECK_FALSE(answer.potential.has_value());
}

namespace {

std::string plane(const std::string& integrals, const std::string& question) {
    return "format = 1\nname = \"point\"\ncoordinates = [\"x\", \"y\"]\n[energy]\n"
           "T = \"(x'^2 + y'^2)/2\"\n[force.sought]\nx = \"u1\"\ny = \"u2\"\n[integral]\n" +
           integrals + "\n[invert]\nunknown = [\"u1\", \"u2\"]\n" + question;
}

} // namespace

TEST_CASE("the area integral means a central force") {
    const auto m = model::read_model("area.toml", plane("c = \"x*y' - y*x'\"\n", ""));
    const auto answer = analysis::invert(m);
    REQUIRE(answer.verdict == InverseVerdict::found);
    CHECK(answer.rank == 1);
    REQUIRE(answer.directions.size() == 1);
    CHECK(expr::print(answer.directions[0][0]) == "x");
    CHECK(expr::print(answer.directions[0][1]) == "y");
    CHECK(expr::print(answer.particular[0]) == "0");
}

TEST_CASE("a central force has a potential iff its strength depends on the distance alone") {
    for (const auto& [strength, exists] :
         {std::pair{"x^2 + y^2", true}, std::pair{"x^2", false}, std::pair{"-1", true}}) {
        const auto m =
            model::read_model("area.toml", plane("c = \"x*y' - y*x'\"\n",
                                                 std::string("free = [\"") + strength + "\"]"));
        const auto answer = analysis::invert(m);
        REQUIRE(answer.verdict == InverseVerdict::found);
        REQUIRE(answer.potential.has_value());
        CHECK(*answer.potential == exists);
        CHECK(static_cast<bool>(answer.V) == exists);
    }
}

TEST_CASE("two integrals of a separable system give its forces and potential") {
    const auto m = model::read_model(
        "separable.toml",
        plane("E = \"(x'^2 + y'^2)/2 + x^4/4 + x^2 + cos(y)\"\nE1 = \"x'^2/2 + x^4/4 + x^2\"\n",
              ""));
    const auto answer = analysis::invert(m);
    CAPTURE(answer.reason);
    REQUIRE(answer.verdict == InverseVerdict::found);
    CHECK(expr::print(answer.forces[0]) == "-x*(x^2 + 2)");
    CHECK(expr::print(answer.forces[1]) == "sin(y)");
    CHECK(*answer.potential);
    CHECK(*answer.componentwise);
    REQUIRE(answer.V);
    // V = x⁴/4 + x² + cos y up to a constant: its slopes are the forces
    expr::Algebra algebra(*m.pool);
    const auto x = m.coordinates[0].q;
    const auto y = m.coordinates[1].q;
    const auto V = pow(x, expr::Number(4)) / expr::Number(4) + x * x + cos(y);
    CHECK(algebra.fraction(answer.V - V).is_zero());
}

TEST_CASE("a curve as an integral of positions asks twice") {
    const auto m =
        model::read_model("curve.toml", plane("f = \"x^2 + y^2\"\nE = \"(x'^2 + y'^2)/2\"\n", ""));
    const auto answer = analysis::invert(m);
    REQUIRE(answer.verdict == InverseVerdict::found);
    CHECK(answer.conditions == std::vector<std::string>{"f"});
    REQUIRE(answer.rows.size() == 2);
    CHECK(answer.rows[0].derivatives == 2);
    CHECK(answer.rows[1].derivatives == 1);
}

TEST_CASE("what cannot be is told") {
    SUBCASE("no positional force") {
        // x' y' is kept by u = (u1, u2) with u1 y' + u2 x' = 0: only u = 0 among forces of positions; with a
        // friction in the model nothing is left.
        const auto m =
            model::read_model("none.toml", plane("c = \"x'*exp(x) + y'\"\n", "positional = true"));
        const auto answer = analysis::invert(m);
        CHECK(answer.verdict == InverseVerdict::not_positional);
        CHECK(answer.reason.find("free of velocities") != std::string::npos);
    }
    SUBCASE("contradiction") {
        const auto m = model::read_model("none.toml", plane("a = \"x'\"\nb = \"x' + x\"\n", ""));
        const auto answer = analysis::invert(m);
        CHECK(answer.verdict == InverseVerdict::impossible);
    }
    SUBCASE("identities") {
        const auto m =
            model::read_model("none.toml", plane("a = \"(x + y)^2 - x^2 - y^2 - 2*x*y\"\n", ""));
        CHECK(analysis::invert(m).verdict == InverseVerdict::nothing_to_find);
    }
    SUBCASE("not linear") {
        const auto text = plane("a = \"x'\"\n", "");
        auto squared = text;
        squared.replace(squared.find("\"u1\""), 4, "\"u1^2\"");
        const auto m = model::read_model("none.toml", squared);
        CHECK(analysis::invert(m).verdict == InverseVerdict::not_linear);
    }
}
