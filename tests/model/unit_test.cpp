// SPDX-License-Identifier: Apache-2.0
// Units: reading, and whether they fit together in a model.
#include "liaison/model/unit.hpp"

#include "model/model_support.hpp"

#include <cmath>

using namespace liaison;
using model::parse_unit;
using test::codes;

TEST_CASE("units are exponents of base units and a scale") {
    const auto newton = parse_unit("kg*m/s^2");
    REQUIRE(newton);
    CHECK(newton->exponents == parse_unit("N")->exponents);
    CHECK(parse_unit("J")->exponents == parse_unit("N m")->exponents);
    CHECK(parse_unit("N*m/rad")->exponents == parse_unit("kg*m^2/s^2")->exponents);
    CHECK(parse_unit("1/s")->exponents == parse_unit("Hz")->exponents);
    CHECK(parse_unit("kg/(m*s)")->exponents == parse_unit("Pa*s")->exponents);
    CHECK(std::abs(parse_unit("mm")->log_scale() - std::log(1e-3)) < 1e-15);
    CHECK(std::abs(parse_unit("km/h")->log_scale() - std::log(1 / 3.6)) < 1e-14);
    CHECK(std::abs(parse_unit("N/mm^2")->log_scale() - std::log(1e6)) < 1e-14);
}

TEST_CASE("what is no unit is refused") {
    for (const char* text :
         {"meter", "m/s2x", "m^", "(m", "m)", "m**2", "^2", "kg m/", "((((((((((((((((((((((m"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_unit(text).has_value());
    }
}

TEST_CASE("units are printed readably") {
    CHECK(model::unit_text(*parse_unit("m/s^2")) == "m/s^2");
    CHECK(model::unit_text(*parse_unit("N")) == "kg*m/s^2");
    CHECK(model::unit_text(*parse_unit("rad")) == "1");
    CHECK(model::unit_text(*parse_unit("mm")) == "0.001 m");
}

namespace {

std::string with_units(const std::string& l, const std::string& d, const std::string& gap) {
    return "format = 1\ncoordinates = [\"x\"]\n[parameters]\nm = { value = 1, unit = \"kg\" }\n"
           "g = { value = 9.81, unit = \"m/s^2\" }\nl = { value = 1, unit = \"" +
           l +
           "\" }\n"
           "d = { value = 1, unit = \"" +
           d +
           "\" }\n[energy]\nT = \"m/2*x'^2\"\nV = \"m*g*x\"\n"
           "[contact.c]\ngap = \"" +
           gap + "\"\n[observe]\no = \"l + d\"\n";
}

} // namespace

TEST_CASE("the unit of a coordinate follows from the energies and is demanded elsewhere") {
    CHECK(codes(with_units("m", "m", "l - x")).empty());
    CHECK(codes(with_units("s", "s", "l - x")) == std::vector<std::string>{"W0401"});
    CHECK(codes(with_units("mm", "m", "d - x")) == std::vector<std::string>{"W0401"});
    CHECK(codes(with_units("m", "m", "l - x*sin(d)")) == std::vector<std::string>{"W0401"});
    CHECK(codes(with_units("m", "m", "l - x*sin(x/d)")).empty());
    CHECK(codes(with_units("parsec", "m", "d - x")).front() == "E0428");
}

TEST_CASE("models without units are not judged") {
    CHECK(codes("format = 1\ncoordinates = [\"x\"]\n[parameters]\na = 1\n[energy]\nT = "
                "\"a*x'^2\"\nV = \"sin(x) + x + a\"\n")
              .empty());
}
