// SPDX-License-Identifier: Apache-2.0
// From model files to equations: the gallery derives, in both forms alike, and chosen models give closed forms.
#include "liaison/equations/from_model.hpp"

#include "liaison/equations/explain.hpp"
#include "liaison/equations/system.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/model/read.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace liaison;
using equations::Form;
using expr::Expr;

namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

// Values of expressions with parameters as in the file and given coordinates and velocities.
struct State {
    std::vector<Expr> symbols;
    std::vector<double> values;

    void put(Expr symbol, double value) {
        symbols.push_back(symbol);
        values.push_back(value);
    }
    State(const model::Model& m, unsigned seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> value(0.2, 0.9);
        for (const auto& p : m.parameters) put(p.symbol, p.value);
        for (const auto& s : m.states) put(s.symbol, s.value);
        for (const auto& r : m.relays) put(r.u, 1.0);
        if (m.invert) {
            for (const Expr u : m.invert->unknown) put(u, value(random));
        }
        for (const auto& c : m.coordinates) put(c.q, value(random));
        for (const auto& v : m.velocities) put(v.v, value(random));
        put(m.t, 0.4);
    }
    [[nodiscard]] std::vector<double> operator()(std::span<const Expr> e) const {
        return expr::evaluate(e, symbols, values);
    }
};

} // namespace

TEST_CASE("every model of the gallery derives, and both forms give the same accelerations") {
    std::size_t mechanical = 0;
    for (const auto& folder : std::filesystem::directory_iterator(LIAISON_EXAMPLES)) {
        const auto path = folder.path() / "model.toml";
        if (!std::filesystem::exists(path)) continue;
        const std::string name = folder.path().filename().string();
        CAPTURE(name);
        const model::Model m = model::read_model(name, text_of(path));
        const std::string explained = to_text(equations::explain(m, {.level = 2}));
        CHECK(explained.find("Coordinates") != std::string::npos);
        if (m.kind != model::Kind::energies) continue;
        ++mechanical;
        const auto in = equations::lagrangian_input(m);
        const State at(m, 5);
        const auto plain = derive(in, Form::plain);
        const auto extended = derive(in, Form::extended);
        const auto chosen = derive(in);
        const auto a = accelerations(plain, bilateral_rows(plain));
        const auto b = accelerations(extended, bilateral_rows(extended));
        const auto c = accelerations(chosen, bilateral_rows(chosen));
        const auto expected = at(a.v_dot(plain));
        double scale = 1;
        for (const double x : expected) scale += std::abs(x);
        for (const auto& got : {at(b.v_dot(extended)), at(c.v_dot(chosen))}) {
            for (std::size_t i = 0; i < expected.size(); ++i) {
                CHECK(std::isfinite(expected[i]));
                CHECK(std::abs(got[i] - expected[i]) < 1e-9 * scale);
            }
        }
    }
    CHECK(mechanical > 10);
}

TEST_CASE("a heavy body with a fixed point obeys Euler's equations") {
    const model::Model m = model::read_model("top.toml", R"(
format = 1
name = "top"
[body.top]
kind = "fixed-point"
inertia = [2.0, 1.5, 1.2]
center = [0.1, 0.2, 0.8]
weight = 3.0
gyrostat = [0.2, -0.1, 0.5]
[start]
gamma3 = 1.0
)");
    const auto in = equations::lagrangian_input(m);
    REQUIRE(in.rotations.size() == 1);
    const auto eq = derive(in);
    const auto a = accelerations(eq, {});
    const State at(m, 3);
    const auto state = at(in.v);
    const auto gamma = at(in.q);
    const auto got = at(a.v_dot(eq));
    const double I[] = {2.0, 1.5, 1.2}, lambda[] = {0.2, -0.1, 0.5}, center[] = {0.1, 0.2, 0.8};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        // I ω̇ = (Iω + λ) × ω + P γ × c
        const double torque = (I[j] * state[j] + lambda[j]) * state[k] -
                              (I[k] * state[k] + lambda[k]) * state[j] +
                              3.0 * (gamma[j] * center[k] - gamma[k] * center[j]);
        CHECK(got[i] == doctest::Approx(torque / I[i]).epsilon(1e-12));
    }
}

TEST_CASE("two-sided contacts become two, relays bring their force") {
    const model::Model m = model::read_model("play.toml", R"(
format = 1
coordinates = ["x"]
[parameters]
c = 0.3
F = 2.0
[energy]
T = "x'^2/2"
[contact.play]
between = ["-c", "x", "c"]
[relay.belt]
surface = "1 - x'"
force.x = "F*u"
[start]
x = 0.0
)");
    const auto in = equations::lagrangian_input(m);
    REQUIRE(in.contacts.size() == 2);
    CHECK(in.contacts[0].name == "play.lower");
    CHECK(in.contacts[1].name == "play.upper");
    const auto eq = derive(in);
    const State at(m, 1);
    CHECK(at(eq.Q)[0] == 2.0);
    const double x = at(in.q)[0];
    CHECK(at(std::vector<Expr>{eq.contacts[0].gap})[0] == doctest::Approx(x + 0.3));
    CHECK(at(std::vector<Expr>{eq.contacts[1].gap})[0] == doctest::Approx(0.3 - x));
}
