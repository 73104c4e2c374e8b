// SPDX-License-Identifier: Apache-2.0
// Norms in which steps shrink violations: modes and Lyapunov's equation against theory 03 §8.
#include "liaison/motion/violation_norm.hpp"

#include "liaison/flow/probe.hpp"
#include "liaison/motion/stability.hpp"
#include "liaison/motion/steppers.hpp"

#include "support/program_models.hpp"

#include <cmath>

using namespace liaison;
using motion::ViolationNorm;
using support::prepared;
using support::slider_crank;

namespace {

// f, ḟ of all constraints at the grid points of a fixed-step run.
std::vector<std::vector<double>> deviations(const flow::Flow& flow, double step, int steps) {
    std::vector<expr::Expr> wanted;
    for (const auto& held : flow.constraints) {
        wanted.push_back(held.f);
        wanted.push_back(held.rate);
    }
    const flow::Probe probe(flow, wanted);
    const auto stepper = motion::make_stepper(flow, {motion::Method::euler, 1e-9, step});
    std::vector<std::vector<double>> all;
    motion::SimulateOptions options;
    options.until = step * steps;
    flow::Instant now;
    now.parameters = flow.parameter_values;
    now.state.resize(flow.states.size());
    options.on_piece = [&](const motion::Piece& piece) {
        if (all.empty()) {
            piece.evaluate(0.0, now.state);
            all.push_back(probe(now));
        }
        piece.evaluate(piece.length, now.state);
        now.field_time = piece.field_time + piece.length;
        all.push_back(probe(now));
    };
    REQUIRE(motion::simulate(flow, *stepper, options).status == motion::Status::done);
    REQUIRE(all.size() == static_cast<std::size_t>(steps) + 1);
    return all;
}

} // namespace

TEST_CASE("modes of a law with two rates: measured sizes and bounds of theory 03 §8") {
    // Slider-crank, Euler, τ = 1e-3, β = (80, 120), 3000 steps: max|ζ| = (2.25, 1.07)e-3 and bounds (2.42, 1.12)e-3.
    const auto model = prepared(slider_crank("stabilise = [[-9600, -200]]"));
    const auto norm = ViolationNorm::second(motion::euler, 1e-3, -9600, -200);
    REQUIRE(norm);
    CHECK(norm->kind() == ViolationNorm::Kind::modal);
    CHECK(norm->alpha(0) == doctest::Approx(0.92));
    CHECK(norm->alpha(1) == doctest::Approx(0.88));
    const auto g = deviations(model.realised.flow, 1e-3, 3000);
    double size[2] = {0, 0};
    double defect[2] = {0, 0};
    double f = 0.0;
    for (std::size_t k = 0; k < g.size(); ++k) {
        for (std::size_t c = 0; c < 2; ++c) {
            const double* here = g[k].data() + 2 * c;
            const auto z = norm->sizes(here[0], here[1]);
            f = std::max(f, std::abs(here[0]));
            for (std::size_t i = 0; i < 2; ++i) size[i] = std::max(size[i], z[i]);
            if (k + 1 == g.size()) continue;
            const double* next = g[k + 1].data() + 2 * c;
            const auto left = norm->step(here[0], here[1]);
            const auto d = norm->sizes(next[0] - left[0], next[1] - left[1]);
            for (std::size_t i = 0; i < 2; ++i) defect[i] = std::max(defect[i], d[i]);
        }
    }
    CHECK(size[0] == doctest::Approx(2.25e-3).epsilon(0.005));
    CHECK(size[1] == doctest::Approx(1.07e-3).epsilon(0.005));
    CHECK(defect[0] / 0.08 == doctest::Approx(2.42e-3).epsilon(0.005));
    CHECK(defect[1] / 0.12 == doctest::Approx(1.12e-3).epsilon(0.005));
    CHECK(f <= norm->bound({defect[0], defect[1]}));
}

TEST_CASE("critical damping has a Lyapunov norm, and what it promises holds") {
    // β = 50 twice: f̈ = −2500 f − 100 ḟ, spectral radius 0.95, α = 0.97 (theory 03 §8).
    const auto norm = ViolationNorm::second(motion::euler, 1e-3, -2500, -100);
    REQUIRE(norm);
    CHECK(norm->kind() == ViolationNorm::Kind::lyapunov);
    CHECK(norm->alpha() == doctest::Approx(0.97));
    // ‖R g‖ ≤ α ‖g‖ for every direction
    for (int i = 0; i < 64; ++i) {
        const double angle = i * std::acos(-1.0) / 32;
        const double f = std::cos(angle);
        const double rate = 50 * std::sin(angle);
        const auto after = norm->step(f, rate);
        CHECK(norm->sizes(after[0], after[1])[0] <= 0.97 * norm->sizes(f, rate)[0] * (1 + 1e-12));
    }
    const auto model = prepared(slider_crank("stabilise = { frequency = 50, damping = 1 }"));
    const auto g = deviations(model.realised.flow, 1e-3, 3000);
    double defect = 0.0;
    double f = 0.0;
    for (std::size_t k = 0; k + 1 < g.size(); ++k) {
        for (std::size_t c = 0; c < 2; ++c) {
            const double* here = g[k].data() + 2 * c;
            const double* next = g[k + 1].data() + 2 * c;
            const auto left = norm->step(here[0], here[1]);
            defect = std::max(defect, norm->sizes(next[0] - left[0], next[1] - left[1])[0]);
            f = std::max(f, std::abs(next[0]));
        }
    }
    CHECK(f > 0.0);
    CHECK(f <= norm->bound({defect, 0.0}));
}

TEST_CASE("a step that does not shrink violations has no norm") {
    CHECK_FALSE(ViolationNorm::first(motion::euler, 1e-3, -2100));
    CHECK(ViolationNorm::first(motion::euler, 1e-3, -1900)->alpha() == doctest::Approx(0.9));
    CHECK_FALSE(ViolationNorm::second(motion::euler, 1e-3, -1e8, -1.0));
    CHECK_FALSE(ViolationNorm::second(motion::rk4, 0.01, 0.0, 0.0));
    CHECK(ViolationNorm::first(motion::rk4, 0.01, -1)->alpha() ==
          doctest::Approx(motion::stability(motion::rk4, -0.01)));
}
