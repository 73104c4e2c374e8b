// SPDX-License-Identifier: Apache-2.0
// Which first integrals a rigid body is known to have: by its data, and only where nothing else acts.
#include "liaison/model/known_integrals.hpp"

#include "liaison/expr/print.hpp"
#include "liaison/model/read.hpp"

#include <doctest/doctest.h>

using namespace liaison;

namespace {

std::string body(const std::string& data, const std::string& more = "") {
    return "format = 1\nname = \"body\"\n[parameters]\nA = 2.0\nB = 2.0\nk = 0.3\n"
           "[body.b]\nkind = \"fixed-point\"\nweight = 3.0\n" +
           data + "\n[observe]\nused = \"A + B + k\"\n" + more;
}

std::vector<std::string> kinds(const std::string& text, std::vector<double> parameters = {}) {
    const auto m = model::read_model("body.toml", text);
    if (parameters.empty())
        for (const auto& p : m.parameters) parameters.push_back(p.value);
    std::vector<std::string> result;
    for (const auto& i : model::known_integrals(m, parameters)) result.push_back(i.name);
    return result;
}

std::string words(const std::string& text) {
    const auto m = model::read_model("body.toml", text);
    std::vector<double> parameters;
    for (const auto& p : m.parameters) parameters.push_back(p.value);
    return model::case_of_body(m, 0, parameters);
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("the classical cases are recognised from inertia, centre and gyrostatic momentum") {
    const std::string general = body("inertia = [3.0, 2.0, 1.5]\ncenter = [0.1, 0.2, 0.3]");
    CHECK(kinds(general) == Names{"norm", "energy", "area"});
    CHECK(words(general).empty());

    const std::string euler = body("inertia = [3.0, 2.0, 1.5]");
    CHECK(kinds(euler) == Names{"norm", "energy", "area", "momentum"});
    CHECK(words(euler) == "Euler");

    const std::string symmetric_euler = body("inertia = [3.0, 2.0, 2.0]");
    CHECK(kinds(symmetric_euler) == Names{"norm", "energy", "area", "momentum", "spin"});

    const std::string zhukovskii = body("inertia = [3.0, 2.0, 1.5]\ngyrostat = [0.1, \"k\", 0]");
    CHECK(kinds(zhukovskii) == Names{"norm", "energy", "area", "momentum"});
    CHECK(words(zhukovskii) == "Zhukovskii, gyrostat");

    const std::string lagrange =
        body("inertia = [\"A\", 1.2, \"B\"]\ncenter = [0, -0.5, 0]\ngyrostat = [0, \"k\", 0]");
    CHECK(kinds(lagrange) == Names{"norm", "energy", "area", "spin"});
    CHECK(words(lagrange) == "Lagrange, gyrostat");
    // by the values that are set, not by those in the file
    CHECK(kinds(lagrange, {2.0, 2.5, 0.3}) == Names{"norm", "energy", "area"});

    const std::string sphere = body("inertia = [2, 2, 2]\ncenter = [0.1, 0.2, 0.2]");
    CHECK(kinds(sphere) == Names{"norm", "energy", "area", "spin"});

    const std::string kovalevskaya = body("inertia = [\"A\", \"B\", 1.0]\ncenter = [0.3, 0.4, 0]");
    CHECK(kinds(kovalevskaya) == Names{"norm", "energy", "area", "kovalevskaya"});
    CHECK(words(kovalevskaya) == "Kovalevskaya");
    CHECK(kinds(body("inertia = [2.0, 2.0, 1.0]\ncenter = [0.3, 0, 0.1]")) ==
          Names{"norm", "energy", "area"});

    const std::string yehia =
        body("inertia = [2.0, 2.0, 1.0]\ncenter = [0.3, 0, 0]\ngyrostat = [0, 0, \"k\"]");
    CHECK(kinds(yehia) == Names{"norm", "energy", "area", "kovalevskaya"});
    CHECK(words(yehia) == "Kovalevskaya-Yehia, gyrostat");
}

TEST_CASE("a full matrix of inertia has its axis") {
    // symmetric about (1, 1, 1): J = 2 − ss·(3 s·s)⁻¹ and so on: 2 across, 1 along
    const std::string data =
        "inertia = [[\"5/3\", \"-1/3\", \"-1/3\"], [\"-1/3\", \"5/3\", \"-1/3\"], "
        "[\"-1/3\", \"-1/3\", \"5/3\"]]\n";
    CHECK(kinds(body(data + "center = [0.1, 0.1, 0.1]")) ==
          Names{"norm", "energy", "area", "spin"});
    CHECK(kinds(body(data + "center = [0.1, -0.1, 0]")) ==
          Names{"norm", "energy", "area", "kovalevskaya"});
}

TEST_CASE("what varies in time takes the energy, not the area") {
    CHECK(kinds(body("inertia = [3, 2, 1]\ncenter = [0, 0, 1]\ngyrostat = [0, 0, \"k*t\"]")) ==
          Names{"norm", "area"});
    // about the axis of symmetry the whole momentum stays
    const auto m = model::read_model(
        "body.toml", body("inertia = [2, 2, 1]\ncenter = [0, 0, 1]\ngyrostat = [0, 0, \"k*t\"]"));
    const auto known = model::known_integrals(m, std::vector{2.0, 2.0, 0.3});
    REQUIRE(known.size() == 3);
    CHECK(known[2].kind == "spin");
    CHECK(expr::print(known[2].value) == "k*t + r");
}

TEST_CASE("what other forces leave of the integrals is decided by what they do to each") {
    const std::string data = "inertia = [2, 2, 1]\ncenter = [0, 0, 1]";
    // a brake on the spin takes all three
    CHECK(kinds(body(data, "[force.drag]\nr = \"-k*r\"\n")) == Names{"norm"});
    // a torque about the axis of the top and across the vertical: w·Q with w = ω, γ, e3
    CHECK(kinds(body(data, "[force.motor]\np = \"k*gamma2\"\nq = \"-k*gamma1\"\n")) ==
          Names{"norm", "area", "spin"});
    // a gyroscopic torque k ω × e3 does no work, has γ·(ω × e3) ≠ 0 and no part along e3
    CHECK(kinds(body(data, "[force.magnet]\np = \"k*q\"\nq = \"-k*p\"\n")) ==
          Names{"norm", "energy", "spin"});
    // and both together
    CHECK(kinds(body(data, "[force.magnet]\np = \"k*q\"\nq = \"-k*p\"\n[force.motor]\np = "
                           "\"k*gamma2\"\nq = \"-k*gamma1\"\n")) == Names{"norm", "spin"});
    // a relay about the vertical: its value is a letter
    CHECK(kinds(body(data, "[relay.push]\nsurface = \"r\"\nforce.p = \"k*u*gamma2\"\nforce.q = "
                           "\"-k*u*gamma1\"\n")) == Names{"norm", "area", "spin"});
    CHECK(kinds(body(data, "[constraint.c]\nequation = \"r = 1\"\n")) == Names{"norm"});
    // a potential of the orientation keeps the area, and the energy with it; a symmetric one the spin as well
    CHECK(kinds(body(data, "[energy]\nV = \"k*gamma1^2\"\n")) == Names{"norm", "energy", "area"});
    CHECK(kinds(body(data, "[energy]\nV = \"k*gamma3^4\"\n")) ==
          Names{"norm", "energy", "area", "spin"});
    CHECK(kinds(body(data, "[energy]\nV = \"k*gamma1^2*cos(t)\"\n")) == Names{"norm", "area"});
    // an energy that only looks as if it knew the body
    CHECK(kinds(body(data, "[energy]\nV = \"k*(gamma1 - gamma1)\"\n")).size() == 4);
}

TEST_CASE("integrals that the model declares are not told twice") {
    const std::string data = "inertia = [2, 2, 1]\ncenter = [0, 0, 1]";
    CHECK(kinds(body(data, "[integral]\nspin = \"r\"\n")) == Names{"norm", "energy", "area"});
    CHECK(kinds(body(data, "[integral]\nlength = \"gamma1^2 + gamma2^2 + gamma3^2\"\n")) ==
          Names{"energy", "area", "spin"});
}

TEST_CASE("two bodies carry their names") {
    const auto m = model::read_model(
        "two.toml",
        "format = 1\nname = \"two\"\n[body.a]\nkind = \"fixed-point\"\ninertia = [1, 1, "
        "1]\n[body.b]\nkind = \"free\"\nmass = 1\ninertia = [1, 2, 2]\n");
    Names names;
    for (const auto& i : model::known_integrals(m, {})) names.push_back(i.name);
    CHECK(names == Names{"a.norm", "a.energy", "a.area", "a.momentum", "b.norm"});
}
