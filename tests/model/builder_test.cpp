// SPDX-License-Identifier: Apache-2.0
// The builder from C++: texts, numbers and expressions; the same model as from a file.
#include "liaison/model/builder.hpp"

#include "model/model_support.hpp"

using namespace liaison;

TEST_CASE("a pendulum from texts equals the one from a file") {
    model::Builder builder("pendulum");
    builder.coordinate("th");
    builder.parameter("l", 2.0, "m");
    builder.kinetic_energy("l^2/2*th'^2");
    builder.potential_energy("-9.81*l*cos(th)");
    auto& stop = builder.contact("stop");
    stop.gap = "th";
    stop.restitution = 0.5;
    builder.start("th", "30*deg");
    const model::Model built = builder.build();
    const auto file =
        test::read("format = 1\ncoordinates = [\"th\"]\n[parameters]\nl = 2.0\n[energy]\n"
                   "T = \"l^2/2*th'^2\"\nV = \"-9.81*l*cos(th)\"\n");
    const std::vector<std::pair<std::string, double>> at{{"l", 2}, {"th", 0.3}, {"th'", 1.5}};
    CHECK(test::value(built.energy.T.expr, at) == test::value(file.energy.T.expr, at));
    CHECK(test::value(built.energy.V.expr, at) == test::value(file.energy.V.expr, at));
    CHECK(built.contacts[0].name == "stop");
}

TEST_CASE("expressions made in C++ use the builder's symbols") {
    model::Builder builder;
    const expr::Expr x = builder.coordinate("x");
    const expr::Expr k = builder.parameter("k", 3.0);
    builder.kinetic_energy(expr::pow(builder.symbol("x'"), 2) * expr::Number::rational(1, 2));
    builder.potential_energy(k * expr::pow(x, 2));
    builder.observe("double", x + x);
    const model::Model model = builder.build();
    CHECK(test::value(model.energy.V.expr, {{"k", 3}, {"x", 2}}) == 12);
}

TEST_CASE("mistakes in texts point into the text") {
    model::Builder builder;
    builder.coordinate("x");
    builder.kinetic_energy("x'^2/2 + mm*x'^2");
    base::Diagnostics diagnostics;
    CHECK_FALSE(builder.build(diagnostics).has_value());
    const std::string text = base::render(diagnostics);
    CHECK(text.find("E0204") != std::string::npos);
    CHECK(text.find("the kinetic energy T:1:10") != std::string::npos);
}

TEST_CASE("a symbol the model does not have is refused") {
    model::Builder builder;
    builder.coordinate("x");
    builder.kinetic_energy(expr::pow(builder.symbol("x'"), 2) * builder.symbol("ghost"));
    base::Diagnostics diagnostics;
    CHECK_FALSE(builder.build(diagnostics).has_value());
    CHECK(base::row(diagnostics.all()[0].code).text == "E0213");
}
