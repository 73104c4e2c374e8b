// SPDX-License-Identifier: Apache-2.0
// Starts: values, closed contacts, solved coordinates, inconsistent and impossible ones.
#include "liaison/prepare/prepare.hpp"

#include "model/model_support.hpp"

#include <cmath>

using namespace liaison;
using test::mechanical;
using test::read;

namespace {

prepare::Start start_of(const std::string& text, const prepare::Options& options = {}) {
    const auto model = read(text);
    base::Diagnostics diagnostics;
    auto start = prepare::prepare(model, options, diagnostics);
    INFO(base::render(diagnostics));
    REQUIRE(start.has_value());
    return std::move(*start);
}

std::vector<std::string> start_codes(const std::string& text,
                                     const std::vector<std::string>& settings = {}) {
    const auto model = read(text);
    base::Diagnostics diagnostics;
    prepare::Options options;
    options.settings = prepare::read_settings(model, settings, diagnostics);
    (void)prepare::prepare(model, options, diagnostics);
    std::vector<std::string> all;
    for (const base::Diagnostic* one : diagnostics.sorted())
        all.emplace_back(base::row(one->code).text);
    return all;
}

using Codes = std::vector<std::string>;

} // namespace

TEST_CASE("start values may use each other in any order") {
    const auto start = start_of(mechanical(
        "[start]\nx = \"2*y + 1\"\ny = \"30*deg\"\n[start.velocity]\nx = \"y*y'\"\ny = 2\n"));
    const double y = std::acos(-1.0) / 6;
    CHECK(start.point.q[0] == doctest::Approx(2 * y + 1).epsilon(1e-15));
    CHECK(start.point.v[0] == doctest::Approx(2 * y).epsilon(1e-15));
    CHECK(start.degrees_of_freedom == 2);
    CHECK(start_codes(mechanical("[start]\nx = \"y\"\ny = \"x\"\n")) == Codes{"E0504"});
}

TEST_CASE("slider-crank: solve finds the rod and the slider, with velocities") {
    const auto start = start_of(R"toml(
format = 1
coordinates = ["phi1", "phi2", "x"]
[parameters]
r = 1
l = 4
[energy]
T = "phi1'^2 + phi2'^2 + x'^2"
[constraint.along]
equation = "r*cos(phi1) + l*cos(phi2) = x"
[constraint.across]
equation = "r*sin(phi1) + l*sin(phi2) = 0"
[start]
phi1  = "60*deg"
phi2  = -0.2
x     = 4.4
solve = ["phi2", "x"]
[start.velocity]
phi1 = 2.0
)toml");
    // sin φ2 = −(r/l) sin φ1; φ2' = −r cos φ1 φ1' / (l cos φ2); x' = −r sin φ1 φ1' − l sin φ2 φ2'
    const double phi1 = std::acos(-1.0) / 3;
    const double phi2 = -std::asin(std::sin(phi1) / 4);
    const double w2 = -std::cos(phi1) * 2 / (4 * std::cos(phi2));
    CHECK(start.point.q[1] == doctest::Approx(phi2).epsilon(1e-12));
    CHECK(start.point.q[2] == doctest::Approx(std::cos(phi1) + 4 * std::cos(phi2)).epsilon(1e-12));
    CHECK(start.point.v[1] == doctest::Approx(w2).epsilon(1e-11));
    CHECK(start.point.v[2] ==
          doctest::Approx(-std::sin(phi1) * 2 - 4 * std::sin(phi2) * w2).epsilon(1e-11));
    CHECK(start.degrees_of_freedom == 1);
    CHECK(start.rank == 2);
}

TEST_CASE("a closed contact gives the coordinate that is left out") {
    const auto start = start_of(R"toml(
format = 1
coordinates = ["x", "y", "th"]
[parameters]
l = 2
[energy]
T = "x'^2 + y'^2 + th'^2"
[contact.tip]
gap = "y - l*sin(th)"
[start]
x = 1
th = 0.5
closed = ["tip"]
[start.velocity]
th = 3
)toml");
    CHECK(start.point.q[1] == doctest::Approx(2 * std::sin(0.5)).epsilon(1e-13));
    CHECK(start.point.v[1] == doctest::Approx(2 * std::cos(0.5) * 3).epsilon(1e-13));
    CHECK(start.point.v[0] == 0);
    CHECK(std::abs(start.gaps[0][0]) < 1e-14);
}

TEST_CASE("a start off the constraint is refused, projected or left") {
    const std::string rod = "[constraint.rod]\nequation = \"x^2 + y^2 = 1\"\n[start]\nx = 2\n";
    CHECK(start_codes(mechanical(rod)) == Codes{"E0502"});
    const auto projected = start_of(mechanical(rod + "inconsistent = \"project\"\n"));
    CHECK(projected.point.q[0] == doctest::Approx(1));
    const auto left = start_of(mechanical(rod + "inconsistent = \"relax\"\n"));
    CHECK(left.point.q[0] == 2);
    CHECK(left.violation[0] == doctest::Approx(3));
    CHECK(start_codes(mechanical("[constraint.rod]\nequation = \"x^2 + y^2 = 1\"\n[start]\nx = "
                                 "2\ny = 0.1\nsolve = [\"y\"]\n")) == Codes{"E0503"});
}

TEST_CASE("rank: redundancy is a warning, contradiction an error") {
    CHECK(start_codes(mechanical(
              "[constraint.a]\nequation = \"x = 0\"\n[constraint.b]\nequation = \"2*x = 0\"\n")) ==
          Codes{"W0406"});
    const auto twice = start_of(mechanical("[constraint.a]\nequation = \"x + y = "
                                           "0\"\n[constraint.b]\nequation = \"2*x + 2*y = 0\"\n"));
    CHECK(twice.degrees_of_freedom == 1);
    CHECK(twice.redundant.size() == 1);
    CHECK(start_codes(mechanical("[constraint.a]\nequation = \"x = 0\"\n[constraint.b]\nequation = "
                                 "\"x = 1\"\n[start]\ninconsistent = \"relax\"\n")) ==
          Codes{"E0507"});
    CHECK(start_codes(mechanical(
              "[constraint.a]\nequation = \"x = 0\"\n[constraint.b]\nequation = \"y = 0\"\n")) ==
          Codes{"W0407"});
}

TEST_CASE("a coordinate without inertia is named, unless constraints determine it") {
    const std::string text =
        "format = 1\ncoordinates = [\"x\", \"th\"]\n[energy]\nT = \"x'^2/2\"\n";
    CHECK(start_codes(text) == Codes{"E0412"});
    CHECK(start_codes(text + "[constraint.c]\nequation = \"th = 2*x\"\n").empty());
    // The sum of both moves alone: the difference has no inertia.
    CHECK(
        start_codes("format = 1\ncoordinates = [\"x\", \"y\"]\n[energy]\nT = \"(x' + y')^2\"\n") ==
        Codes{"E0412"});
    CHECK(
        start_codes(
            "format = 1\ncoordinates = [\"x\"]\n[parameters]\nm = 0\n[energy]\nT = \"m*x'^2\"\n") ==
        Codes{"E0412"});
    CHECK(start_codes("format = 1\ncoordinates = [\"x\"]\n[parameters]\nm = -1\n[energy]\nT = "
                      "\"m*x'^2\"\n") == Codes{"E0429"});
    // Grams beside tonnes are not nothing.
    CHECK(start_codes(mechanical("V = \"0\"\n[observe]\no = \"x\"\n")).empty());
    CHECK(start_codes(
              "format = 1\ncoordinates = [\"x\", \"y\"]\n[energy]\nT = \"1e9*x'^2 + 1e-9*y'^2\"\n")
              .empty());
}

TEST_CASE("contacts at the start") {
    CHECK(start_codes(mechanical("[contact.c]\ngap = \"y\"\n[start]\ny = -0.1\n")) ==
          Codes{"E0501"});
    CHECK(start_codes(mechanical("[contact.c]\ngap = \"y\"\n[start]\ny = -1e-16\n")).empty());
    CHECK(start_codes(mechanical("[contact.c]\ngap = \"y^2\"\n")) == Codes{"E0506"});
    CHECK(start_codes(
              mechanical("[contact.c]\ngap = \"y\"\nrestitution = \"e\"\n[parameters]\ne = 0.5\n"),
              {"e=1.5"}) == Codes{"E0411"});
    CHECK(start_codes(mechanical("[contact.c]\ngap = \"y\"\nslip = \"x'\"\nfriction = "
                                 "\"mu\"\n[parameters]\nmu = 0.5\n"),
                      {"mu=-1"}) == Codes{"E0410"});
    CHECK(start_codes(
              mechanical("[contact.c]\nbetween = [\"-c\", \"x\", \"c\"]\n[parameters]\nc = 1\n"),
              {"c=-1"}) == Codes{"E0413"});
    CHECK(start_codes(mechanical("[contact.c]\ngap = \"y\"\nstiffness = 10\n[start]\ny = "
                                 "-0.1\n[run]\ncontact = \"elastic\"\n"))
              .empty());
}

TEST_CASE("settings: names, expressions, ranges") {
    const std::string text =
        mechanical("V = \"k*x^2\"\n[parameters]\nk = { value = 1, range = [0, 5] }\n");
    const auto model = read(text);
    base::Diagnostics diagnostics;
    const auto settings = prepare::read_settings(model, {"k=2*pi"}, diagnostics);
    REQUIRE(settings.size() == 1);
    CHECK(settings[0].value == doctest::Approx(2 * std::acos(-1.0)));
    CHECK(prepare::parameter_values(model, settings, diagnostics)[0] == settings[0].value);
    CHECK(diagnostics.warning_count() == 1);
    CHECK(start_codes(text, {"kk=1"}) == Codes{"E0219"});
    CHECK(start_codes(text, {"k"}) == Codes{"E0903"});
    CHECK(start_codes(text, {"k=x"}) == Codes{"E0903"});
    CHECK(start_codes(text, {"k=1/0"}) == Codes{"E0903"});
}

TEST_CASE("values that are not finite are told with what went in") {
    CHECK(start_codes(mechanical("V = \"1/x\"\n")) == Codes{"E0425"});
    CHECK(start_codes(mechanical("[force.f]\nx = \"log(x - 1)\"\n")) == Codes{"E0425"});
    CHECK(start_codes(mechanical("[run]\nuntil = 1\n[start]\ntime = 2\n")) == Codes{"E0901"});
    CHECK(start_codes(mechanical("[constraint.c]\nequation = \"sqrt(x^2 + y^2) = 1\"\n")) ==
          Codes{"E0505"});
}

TEST_CASE("orientations are unit vectors and stand upright by default") {
    const std::string top = "format = 1\n[body.top]\nkind = \"fixed-point\"\ninertia = [1, 1, 1]\n";
    CHECK(start_of(top).point.q == std::vector<double>{0, 0, 1});
    CHECK(start_codes(top + "[start]\ngamma1 = 1\ngamma3 = 1\n") == Codes{"E0508"});
    const auto near = start_of(top + "[start]\ngamma1 = 0.6\ngamma3 = 0.80000001\n");
    CHECK(near.point.q[0] * near.point.q[0] + near.point.q[2] * near.point.q[2] ==
          doctest::Approx(1).epsilon(1e-15));
    CHECK(start_codes("format = 1\n[body.b]\nkind = \"free\"\nmass = 1\ninertia = [1, 1, 3]\n") ==
          Codes{"E0423"});
}
