// SPDX-License-Identifier: Apache-2.0
// Intervals enclose extended-precision values at a million points of every function.
#include "liaison/expr/interval.hpp"

#include "liaison/expr/interval_solve.hpp"

#include "support/sanitized.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>

using namespace liaison::expr;

namespace {

constexpr double k_inf = std::numeric_limits<double>::infinity();
constexpr int k_points = liaison::test::k_sanitized ? 30'000 : 1'000'000;

class Sampler {
  public:
    explicit Sampler(unsigned seed) : engine_(seed) {}
    double uniform(double lo, double hi) {
        return lo + (hi - lo) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
    }
    // Both signs, magnitudes 10^low … 10^high, and now and then a round number.
    double anywhere(double low, double high) {
        const unsigned choice = engine_() % 16;
        if (choice == 0) return static_cast<double>(static_cast<int>(engine_() % 41) - 20);
        const double size = std::exp2(uniform(low, high) * 3.3219280948873623);
        return engine_() % 2 == 0 ? size : -size;
    }
    // A box from x upwards: a point, a few ulps, a small or a visible width.
    Interval box_at(double x) {
        switch (engine_() % 4) {
        case 0: return x;
        case 1: {
            double hi = x;
            for (unsigned i = engine_() % 4; i > 0; --i) hi = std::nextafter(hi, k_inf);
            return {x, hi};
        }
        case 2: return {x, x + std::abs(x) * uniform(0.0, 1e-6)};
        default: return {x, x + uniform(0.0, 2.0)};
        }
    }
    double inside(const Interval& x) {
        switch (engine_() % 4) {
        case 0: return x.lo();
        case 1: return x.hi();
        default: return std::clamp(uniform(x.lo(), x.hi()), x.lo(), x.hi());
        }
    }
    std::mt19937_64& engine() { return engine_; }

  private:
    std::mt19937_64 engine_;
};

struct Case {
    std::string name;
    Interval (*enclose)(const Interval&);
    long double (*exact)(long double);
    double low, high; // decades of the argument
    bool (*in_domain)(double) = [](double) { return true; };
    double thin_ulps = 12; // width allowed for a point
};

const Case k_cases[] = {
    {"sin", [](const Interval& x) { return sin(x); }, sinl, -12, 9},
    {"cos", [](const Interval& x) { return cos(x); }, cosl, -12, 9},
    {"tan", [](const Interval& x) { return tan(x); }, tanl, -12, 3, [](double) { return true; },
     1e300},
    {"asin", [](const Interval& x) { return asin(x); }, asinl, -12, 0,
     [](double x) { return std::abs(x) <= 1; }},
    {"acos", [](const Interval& x) { return acos(x); }, acosl, -12, 0,
     [](double x) { return std::abs(x) <= 1; }},
    {"atan", [](const Interval& x) { return atan(x); }, atanl, -12, 12},
    {"sinh", [](const Interval& x) { return sinh(x); }, sinhl, -12, 2.8},
    {"cosh", [](const Interval& x) { return cosh(x); }, coshl, -12, 2.8},
    {"tanh", [](const Interval& x) { return tanh(x); }, tanhl, -12, 2},
    {"exp", [](const Interval& x) { return exp(x); }, expl, -12, 2.87},
    {"log", [](const Interval& x) { return log(x); }, logl, -300, 300,
     [](double x) { return x > 0; }},
    {"sqrt", [](const Interval& x) { return sqrt(x); }, sqrtl, -300, 300,
     [](double x) { return x >= 0; }, 2},
    {"abs", [](const Interval& x) { return abs(x); }, fabsl, -300, 300, [](double) { return true; },
     0},
    {"floor", [](const Interval& x) { return floor(x); }, floorl, -3, 9,
     [](double) { return true; }, 0},
    {"sign", [](const Interval& x) { return sign(x); },
     [](long double x) -> long double { return static_cast<long double>((x > 0) - (x < 0)); }, -3,
     3, [](double) { return true; }, 0},
};

double ulp(double x) { return std::nextafter(std::abs(x), k_inf) - std::abs(x); }

} // namespace

TEST_CASE("functions of one interval enclose") {
    for (const Case& c : k_cases) {
        CAPTURE(c.name);
        Sampler sample(7);
        long outside = 0;
        long loose = 0;
        for (int i = 0; i < k_points; ++i) {
            const Interval box = sample.box_at(sample.anywhere(c.low, c.high));
            const double x = sample.inside(box);
            if (!c.in_domain(x)) continue;
            const long double exact = c.exact(x);
            const Interval range = c.enclose(box);
            if (!(range.lo() <= exact && exact <= range.hi())) ++outside;
            if (box.is_point() &&
                range.width() > c.thin_ulps * ulp(static_cast<double>(exact)) * 1.0001)
                ++loose;
        }
        CHECK(outside == 0);
        CHECK(loose == 0);
    }
}

TEST_CASE("arithmetic and powers enclose and are tight") {
    struct Binary {
        std::string name;
        Interval (*enclose)(const Interval&, const Interval&);
        long double (*exact)(long double, long double);
        double low, high;
        double thin_ulps;
    };
    const Binary cases[] = {
        {"add", [](const Interval& a, const Interval& b) { return a + b; },
         [](long double a, long double b) { return a + b; }, -3, 3, 1},
        {"sub", [](const Interval& a, const Interval& b) { return a - b; },
         [](long double a, long double b) { return a - b; }, -3, 3, 1},
        {"mul", [](const Interval& a, const Interval& b) { return a * b; },
         [](long double a, long double b) { return a * b; }, -170, 170, 1},
        {"div", [](const Interval& a, const Interval& b) { return a / b; },
         [](long double a, long double b) { return a / b; }, -170, 170, 1},
        {"min", [](const Interval& a, const Interval& b) { return min(a, b); }, fminl, -3, 3, 0},
        {"max", [](const Interval& a, const Interval& b) { return max(a, b); }, fmaxl, -3, 3, 0},
        {"atan2", [](const Interval& a, const Interval& b) { return atan2(a, b); }, atan2l, -9, 9,
         12},
        {"power", [](const Interval& a, const Interval& b) { return pow(a, b); }, powl, -3, 2, 20},
    };
    for (const Binary& c : cases) {
        CAPTURE(c.name);
        Sampler sample(11);
        long outside = 0;
        long loose = 0;
        for (int i = 0; i < k_points; ++i) {
            const Interval a = sample.box_at(sample.anywhere(c.low, c.high));
            const Interval b = sample.box_at(sample.anywhere(c.low, c.high));
            const double x = sample.inside(a);
            const double y = sample.inside(b) + 0.0;
            const long double exact = c.exact(x, y);
            if (!std::isfinite(exact) || (c.name == "atan2" && x == 0 && y == 0)) continue;
            const Interval range = c.enclose(a, b);
            // what is beyond doubles is bounded by infinity, what is below them by the smallest
            if (!(range.lo() <= exact && exact <= range.hi())) ++outside;
            const auto size = static_cast<double>(exact);
            const bool normal = std::abs(size) > 1e-270 && std::abs(size) < 1e300;
            if (a.is_point() && b.is_point() && normal &&
                range.width() > c.thin_ulps * ulp(size) * 1.0001)
                ++loose;
        }
        CHECK(outside == 0);
        CHECK(loose == 0);
    }
}

TEST_CASE("integer and rational powers enclose") {
    Sampler sample(13);
    long outside = 0;
    for (int i = 0; i < k_points; ++i) {
        const Interval box = sample.box_at(sample.anywhere(-4, 3));
        const double x = sample.inside(box);
        const int n = static_cast<int>(sample.engine()() % 25) - 12;
        const int d = 1 + static_cast<int>(sample.engine()() % 6);
        const Number exponent = Number::rational(n, d);
        if (x == 0 && n < 0) continue;
        if (x < 0 && !exponent.is_integer()) continue;
        const long double exact =
            powl(x, static_cast<long double>(n) / static_cast<long double>(d));
        const Interval range = pow(box, exponent);
        if (!(range.lo() <= exact && exact <= range.hi())) ++outside;
    }
    CHECK(outside == 0);
}

TEST_CASE("exact results stay exact") {
    CHECK(Interval(1, 2) + Interval(3, 4) == Interval(4, 6));
    CHECK(Interval(-1, 2) * Interval(3, 4) == Interval(-4, 8));
    CHECK(Interval(1, 2) / Interval(4, 8) == Interval(0.125, 0.5));
    CHECK(pow(Interval(-3, 2), 2) == Interval(0, 9));
    CHECK(pow(Interval(-3, 2), 3) == Interval(-27, 8));
    CHECK(sqrt(Interval(4, 9)) == Interval(2, 3));
    CHECK(sin(Interval(0)) == Interval(0));
    CHECK(cos(Interval(-1, 1)).hi() == 1.0);
    CHECK(Interval::of(Number::rational(1, 2)) == Interval(0.5));
    const Interval third = Interval::of(Number::rational(1, 3));
    CHECK(third.hi() == std::nextafter(third.lo(), 1.0));
    CHECK(third.lo() < 1.0L / 3.0L);
    CHECK(third.hi() > 1.0L / 3.0L);
    // 0.1 as written lies strictly between two doubles
    CHECK_FALSE(Interval::of(*Number::from_decimal("0.1")).is_point());
}

TEST_CASE("ranges with extrema, poles and corners") {
    const double pi = std::acos(-1.0);
    CHECK(sin(Interval(0, pi)) == Interval(0, 1));
    CHECK(sin(Interval(1, 5)).lo() == -1.0);
    CHECK(sin(Interval(1, 5)).hi() == 1.0);
    CHECK(sin(Interval(2, 3)).hi() < 0.91);
    CHECK(cos(Interval(-0.1, 4)) == Interval(-1, 1));
    CHECK(sin(Interval(1e17, 1e17)) == Interval(-1, 1));
    CHECK(sin(Interval::whole()) == Interval(-1, 1));
    CHECK(tan(Interval(1, 2)) == Interval::whole());
    CHECK(tan(Interval(-1, 1)).is_bounded());
    CHECK(Interval(1, 2) / Interval(-1, 1) == Interval::whole());
    CHECK(Interval(1, 2) / Interval(0, 1) == Interval(1, k_inf));
    CHECK(Interval(1, 2) / Interval(-1, 0) == Interval(-k_inf, -1));
    CHECK((Interval(1, 2) / Interval(0)).is_empty());
    CHECK(log(Interval(0, 1)) == Interval(-k_inf, 0));
    CHECK(log(Interval(-2, -1)).is_empty());
    CHECK(sqrt(Interval(-4, 4)) == Interval(0, 2));
    CHECK(asin(Interval(2, 3)).is_empty());
    CHECK(acos(Interval(-5, 5)).contains(pi));
    CHECK(exp(Interval(-k_inf, 0)) == Interval(0, 1));
    CHECK(exp(Interval(800, 900)).hi() == k_inf);
    CHECK(exp(Interval(800, 900)).lo() > 1e307);
    CHECK(pow(Interval(-1, 2), -2).lo() == 0.25);
    CHECK(pow(Interval(-1, 2), -2).hi() == k_inf);
    CHECK(pow(Interval(-1, 2), -1) == Interval::whole());
    CHECK(pow(Interval(-2, -1), Number::rational(1, 3)).is_empty());
    CHECK(pow(Interval(0, 4), Number::rational(3, 2)).contains(8.0));
    CHECK(pow(Interval(0), Interval(-1, 1)).contains(1.0));
    CHECK(pow(Interval(-2), Interval(1, 3)).contains(Interval(-8, 4)));
    CHECK(atan2(Interval(-1, 1), Interval(-2, -1)).width() > 6.28);
    CHECK(atan2(Interval(0, 1), Interval(-2, -1)).lo() > 2.3);
    CHECK(atan2(Interval(0, 1), Interval(-1, 1)).contains(Interval(0, pi)));
    CHECK(atan2(Interval(0), Interval(0)).is_empty());
    CHECK(floor(Interval(-0.5, 1.5)) == Interval(-1, 1));
    CHECK(Interval(0) * Interval::whole() == Interval(0));
}

TEST_CASE("bounds that leave the doubles stay bounds") {
    const double big = std::numeric_limits<double>::max();
    const double tiny = std::numeric_limits<double>::denorm_min();
    CHECK(Interval(big) + Interval(big) == Interval(big, k_inf));
    CHECK(Interval(big) * Interval(-2) == Interval(-k_inf, -big));
    CHECK(Interval(tiny) * Interval(tiny) == Interval(0, tiny));
    CHECK(Interval(tiny) * Interval(-0.5) == Interval(-tiny, 0));
    CHECK(Interval(tiny) / Interval(3) == Interval(0, tiny));
    CHECK(Interval(std::nan("")).is_empty());
    CHECK(Interval(2, 1).is_empty());
    CHECK((Interval::empty() + 1.0).is_empty());
    CHECK(sin(Interval::empty()).is_empty());
    CHECK((-Interval::empty()).is_empty());
    CHECK(Interval(-k_inf, 3).middle() <= 3);
    CHECK(std::isfinite(Interval::whole().middle()));
}

TEST_CASE("linear systems of intervals enclose every solution") {
    std::mt19937_64 engine(3);
    std::uniform_real_distribution<double> u(-1.0, 1.0);
    for (int trial = 0; trial < 200; ++trial) {
        const std::size_t n = 1 + static_cast<std::size_t>(trial % 8);
        const double radius = trial % 3 == 0 ? 0.0 : 1e-3;
        std::vector<Interval> matrix;
        std::vector<Interval> rhs(n, Interval(0.0));
        std::vector<double> entry;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                const double a = u(engine) + (i == j ? 3.0 : 0.0);
                entry.push_back(a);
                matrix.push_back(
                    Interval(a + radius * (u(engine) - 1) / 2, a + radius * (u(engine) + 1) / 2));
            }
        }
        // choose x, take b = A x enclosed: x must be inside
        std::vector<double> x(n);
        for (double& value : x) value = u(engine);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j)
                rhs[i] = rhs[i] + Interval(entry[i * n + j]) * Interval(x[j]);
        }
        const auto solution = enclose_solution(matrix, rhs);
        REQUIRE(solution.has_value());
        for (std::size_t i = 0; i < n; ++i) {
            CHECK((*solution)[i].contains(x[i]));
            CHECK((*solution)[i].width() < (radius == 0.0 ? 1e-12 : 0.2));
        }
    }
    const Interval singular[] = {Interval(-1, 1)};
    const Interval one[] = {Interval(1)};
    CHECK_FALSE(enclose_solution(singular, one).has_value());
}
