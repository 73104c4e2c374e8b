// SPDX-License-Identifier: Apache-2.0
// Explanations: the words and formulas a reader sees.
#include "liaison/equations/explain.hpp"

#include "liaison/expr/derivative.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace liaison;
using expr::Expr;

namespace {

struct Draft {
    model::Model m;
    explicit Draft(const std::vector<std::string>& names) {
        m.pool = std::make_shared<expr::Pool>();
        m.t = m.pool->symbol("t");
        for (const std::string& name : names) {
            model::Coordinate c;
            c.name = name;
            c.q = m.pool->symbol(name);
            c.rate.expr = m.pool->symbol(name + "'");
            model::Velocity v;
            v.name = name + "'";
            v.v = c.rate.expr;
            v.coordinate = m.coordinates.size();
            m.coordinates.push_back(c);
            m.velocities.push_back(v);
        }
    }
    Expr parameter(const std::string& name, double value, const std::string& unit = {}) {
        model::Parameter p;
        p.name = name;
        p.symbol = m.pool->symbol(name);
        p.value = value;
        p.unit = unit;
        m.parameters.push_back(p);
        return p.symbol;
    }
    Expr let(const std::string& name, Expr body) {
        m.lets.push_back({name, m.pool->named(name, body), {}});
        return m.lets.back().node;
    }
    Expr der(Expr e) const {
        std::vector<Expr> atoms, rates;
        for (const auto& c : m.coordinates) atoms.push_back(c.q), rates.push_back(c.rate.expr);
        return expr::differentiate_along({&e, 1}, atoms, rates)[0];
    }
    [[nodiscard]] Expr q(std::size_t i) const { return m.coordinates[i].q; }
    [[nodiscard]] Expr v(std::size_t i) const { return m.velocities[i].v; }
};

Draft string_pendulum() {
    Draft d({"x", "y"});
    d.m.name = "string pendulum";
    const Expr m = d.parameter("m", 1.0, "kg");
    const Expr g = d.parameter("g", 9.81, "m/s^2");
    const Expr L = d.parameter("L", 1.0, "m");
    d.m.energy.T.expr = m / 2 * (pow(d.v(0), 2) + pow(d.v(1), 2));
    d.m.energy.V.expr = m * g * d.q(1);
    model::Contact c;
    c.name = "string";
    c.sides.push_back({"", {L - sqrt(pow(d.q(0), 2) + pow(d.q(1), 2)), {}}});
    d.m.contacts.push_back(c);
    return d;
}

bool balanced(const std::string& text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '{')
            ++depth;
        else if (text[i] == '}' && --depth < 0)
            return false;
    }
    return depth == 0;
}

} // namespace

TEST_CASE("a point mass on a string") {
    CHECK(to_text(equations::explain(string_pendulum().m)) == R"(string pendulum

Coordinates
  x, y

Parameters
  m = 1   (kg)
  g = 9.81   (m/s^2)
  L = 1   (m)

Energies
  T = m*(x'^2 + y'^2)/2
  V = g*m*y

Mass matrix
  M[x,x] = m
  M[y,y] = m

Equations of motion
  x  m*x'' = -lambda_string*x/sqrt(x^2 + y^2)
  y  g*m + m*y'' = -lambda_string*y/sqrt(x^2 + y^2)

Contacts
  gap >= 0, reaction >= 0, one of them zero
  string    L - sqrt(x^2 + y^2) >= 0   (gap)
  gap'     = -(x*x' + y*y')/sqrt(x^2 + y^2)
  gap''    = ((x*x' + y*y')^2/(x^2 + y^2) - x'^2 - y'^2)/sqrt(x^2 + y^2) - x*x''/sqrt(x^2 + y^2) - y*y''/sqrt(x^2 + y^2)
  D_string = 1/m   (W inv(M) W^T, acceleration of the gap per unit reaction)
)");
}

TEST_CASE("LaTeX and JSON carry the same statements") {
    const Draft d = string_pendulum();
    const auto explanation = equations::explain(d.m, {.level = 2});
    const std::string latex = to_latex(explanation);
    CHECK(balanced(latex));
    CHECK(latex.find("\\ddot{x}") != std::string::npos);
    CHECK(latex.find("\\lambda_{\\mathrm{string}}") != std::string::npos);
    const auto json = to_json(explanation);
    CHECK(json["title"] == "string pendulum");
    bool found = false;
    for (const auto& section : json["sections"]) found = found || section["title"] == "Mass matrix";
    CHECK(found);
}

TEST_CASE("a long chain is explained by its auxiliaries, in linear length") {
    const auto length = [](std::size_t n) {
        std::vector<std::string> names;
        for (std::size_t i = 1; i <= n; ++i) names.push_back("th" + std::to_string(i));
        Draft d(names);
        const Expr l = d.parameter("l", 1.0);
        Expr x = d.m.pool->number(0), y = x, T = x;
        for (std::size_t i = 0; i < n; ++i) {
            x = d.let("x" + std::to_string(i + 1), x + l * sin(d.q(i)));
            y = d.let("y" + std::to_string(i + 1), y - l * cos(d.q(i)));
            T = T + (pow(d.der(x), 2) + pow(d.der(y), 2)) / 2;
        }
        d.m.energy.T.expr = T;
        const std::string text = to_text(equations::explain(d.m, {.level = 2}));
        if (n == 10) {
            CHECK(text.find("x3'' = x2'' + ") != std::string::npos);
            CHECK(text.find("R_x3") != std::string::npos);
        }
        return text.size();
    };
    const std::size_t ten = length(10);
    CHECK(length(40) < 5 * ten);
}
