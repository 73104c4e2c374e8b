// SPDX-License-Identifier: Apache-2.0
// Guards along a polynomial motion: exact where they are polynomials, honest about the rest where they are not.
#include "liaison/motion/guard_fit.hpp"

#include "liaison/motion/piece.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

using namespace liaison;
using motion::FitQuality;

namespace {

using Guard = std::function<double(double, double)>; // of t and x

class OneGuard final : public motion::Field {
  public:
    explicit OneGuard(Guard guard) : guard_(std::move(guard)) {}
    [[nodiscard]] std::size_t n_states() const override { return 1; }
    [[nodiscard]] std::size_t n_guards() const override { return 1; }
    void bind(std::span<const double>, std::span<const double>) override {}
    motion::FieldStatus rates(double, std::span<const double>, std::span<double>) override {
        return motion::FieldStatus::ok;
    }
    void guards(double t, std::span<const double> x, std::span<double> values) override {
        values[0] = guard_(t, x[0]);
    }

  private:
    Guard guard_;
};

constexpr char k_watched[] = {1};

double value(std::span<const double> c, double tau) { return c[0] + motion::increment(c, tau); }

// The largest misfit over the step beside the remainder that was told.
double misfit(const motion::GuardFit& fit, const Guard& guard, std::span<const double> x, double t0,
              double h) {
    double worst = 0.0;
    for (int j = 0; j <= 1000; ++j) {
        const double tau = h * j / 1000.0;
        worst = std::max(
            worst, std::abs(value(fit.coefficients(0), tau) - guard(t0 + tau, value(x, tau))));
    }
    return worst;
}

} // namespace

TEST_CASE("a guard that is a polynomial of the motion is fitted to rounding") {
    CHECK(rc::check("degree 3 motion, quadratic guard", [] {
        std::vector<double> x(4);
        for (double& c : x) c = *rc::gen::inRange(-1000, 1000) / 500.0;
        const double h = *rc::gen::inRange(1, 1000) / 500.0;
        const double shift = *rc::gen::inRange(-1000, 1000) / 1000.0;
        const Guard guard = [shift](double t, double y) { return y * y - shift * y + t; };
        OneGuard field(guard);
        motion::GuardFit fit(1, 1, 3);
        const auto quality = fit.fit(field, 0.5, {x, 3}, h, k_watched, 1e-12);
        RC_ASSERT(quality == FitQuality::good);
        double size = 1.0;
        for (int j = 0; j <= 10; ++j)
            size = std::max(size, std::abs(guard(0.5 + h, value(x, h * j / 10.0))));
        RC_ASSERT(misfit(fit, guard, x, 0.5, h) <= 1e-12 * size);
        RC_ASSERT(fit.coefficients(0)[0] == guard(0.5, x[0]));
    }));
}

TEST_CASE("the remainder covers what the fit misses") {
    const std::vector<double> x{0.1, 1.0, -0.3, 0.05};
    const std::vector<std::pair<const char*, Guard>> guards = {
        {"sine", [](double t, double y) { return std::sin(3 * y + t); }},
        {"root", [](double, double y) { return std::sqrt(2.0 + y) - 1.5; }},
        {"pole", [](double, double y) { return 1.0 / (2.0 + y) - 0.4; }},
        {"exponential", [](double t, double y) { return std::exp(-2 * y) - t; }}};
    for (const auto& [name, guard] : guards) {
        CAPTURE(std::string(name));
        for (const double h : {0.01, 0.1, 0.5, 1.0, 2.0}) {
            CAPTURE(h);
            OneGuard field(guard);
            motion::GuardFit fit(1, 1, 3);
            const auto quality = fit.fit(field, 0.0, {x, 3}, h, k_watched, 1e-10);
            CHECK(misfit(fit, guard, x, 0.0, h) <= fit.remainder(0) + 1e-15);
            if (quality == FitQuality::good) CHECK(fit.remainder(0) < 1e-9);
        }
    }
}

TEST_CASE("a guard that is not a number somewhere is told") {
    const std::vector<double> x{0.0, 1.0};
    OneGuard field([](double, double y) { return std::sqrt(0.5 - y); });
    motion::GuardFit fit(1, 1, 1);
    CHECK(fit.fit(field, 0.0, {x, 1}, 1.0, k_watched, 1e-9) == FitQuality::not_finite);
    CHECK(fit.fit(field, 0.0, {x, 1}, 0.25, k_watched, 1e-9) == FitQuality::good);
}

TEST_CASE("the error of a step widens the remainder by what it changes in the guard") {
    const std::vector<double> x{0.0, 1.0};
    OneGuard field([](double, double y) { return 5.0 * y - 1.0; });
    motion::GuardFit fit(1, 1, 1);
    CHECK(fit.fit(field, 0.0, {x, 1}, 1.0, k_watched, 1e-9) == FitQuality::good);
    const double before = fit.remainder(0);
    const double error[] = {1e-6};
    fit.widen(field, 0.0, {x, 1}, 1.0, error, k_watched);
    CHECK(std::abs(fit.remainder(0) - before - 5e-6) < 1e-12);
}
