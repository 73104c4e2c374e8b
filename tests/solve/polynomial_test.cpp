// SPDX-License-Identifier: Apache-2.0
// Truths about the certified root search: none missed, none invented, grazes told, start roots silent.
#include "liaison/solve/polynomial.hpp"

#include "liaison/solve/polynomial_exclusion.hpp"
#include "solve/polynomial_oracle.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace liaison::solve;

namespace {

using oracle::Wide;

oracle::Coefficients widen(const std::vector<double>& c) { return {c.begin(), c.end()}; }

// Π (t − r_i) rounded once per coefficient, times a factor.
std::vector<double> from_roots(const std::vector<double>& roots, double factor) {
    oracle::Coefficients c{Wide(factor)};
    for (const double r : roots) {
        c.push_back(0);
        for (std::size_t k = c.size(); k-- > 0;) c[k] = (k > 0 ? c[k - 1] : Wide(0)) - c[k] * Wide(r);
    }
    std::vector<double> rounded;
    for (const Wide x : c) rounded.push_back(static_cast<double>(x));
    return rounded;
}

struct Draw {
    std::mt19937_64 engine;
    double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
    int integer(int a, int b) { return std::uniform_int_distribution<int>(a, b)(engine); }
    bool coin() { return integer(0, 1) == 1; }

    // Roots in and around [0, 1]: free, clustered, doubled, near the ends, far outside, complex pairs.
    std::vector<double> polynomial(int degree) {
        std::vector<double> real;
        std::vector<double> factor{uniform(0.5, 2) * (coin() ? 1 : -1)};
        while (static_cast<int>(real.size()) < degree) {
            const double r = uniform(0, 1);
            switch (integer(0, 6)) {
                case 0: real.push_back(r); break;
                case 1:
                    real.push_back(r);
                    real.push_back(r + std::pow(10, uniform(-10, -1)));
                    break;
                case 2: real.push_back(r), real.push_back(r); break;
                case 3: real.push_back(std::pow(10, uniform(-16, -1))); break;
                case 4: real.push_back(1 + uniform(-1, 1) * std::pow(10, uniform(-16, -1))); break;
                default: real.push_back(uniform(-3, 3) * 2);
            }
        }
        real.resize(static_cast<std::size_t>(degree));
        return from_roots(real, factor[0]);
    }

    // Coefficients that decay as those of an analytic guard with radius of convergence above one.
    std::vector<double> taylor(int degree) {
        std::vector<double> c;
        const double ratio = uniform(0.2, 0.9);
        for (int k = 0; k <= degree; ++k) c.push_back(uniform(-1, 1) * std::pow(ratio, k));
        if (coin()) c[0] *= 0.01;
        return c;
    }
};

// Compares a search with ρ = 0 with the judge.
void compare_with_judge(const std::vector<double>& c, double h, int& unsimple) {
    RootWorkspace workspace;
    const RootSearch found = all_roots({.coefficients = c, .h = h}, workspace);
    RC_ASSERT(found.status == RootStatus::none || found.status == RootStatus::found);
    const oracle::Roots truth = oracle::roots(widen(c), 0, Wide(h));
    const auto covered = [&](Wide t) {
        for (const Root& root : found.roots)
            if (Wide(root.lower) <= t && t <= Wide(root.upper)) return true;
        for (const Graze& graze : found.grazes)
            if (Wide(graze.lower) <= t && t <= Wide(graze.upper)) return true;
        return false;
    };
    // None missed.
    for (const Wide t : truth.times) RC_ASSERT(covered(t));
    // None invented; a simple root holds exactly one true root, to the last bit.
    for (const Root& root : found.roots) {
        const auto inside = std::count_if(truth.times.begin(), truth.times.end(), [&](Wide t) {
            return Wide(root.lower) <= t && t <= Wide(root.upper);
        });
        if (!root.simple) ++unsimple;
        if (truth.doubtful) continue;
        RC_ASSERT(inside % 2 == 1);
        if (!root.simple) continue;
        RC_ASSERT(inside == 1);
        const auto nearest =
            std::min_element(truth.times.begin(), truth.times.end(), [&](Wide a, Wide b) {
                return oracle::magnitude(a - Wide(root.time)) < oracle::magnitude(b - Wide(root.time));
            });
        const double ulp = std::nextafter(root.time, 2 * h) - root.time;
        const double slope = std::fabs(root.derivative);
        const double fuzz = slope > 0 ? static_cast<double>(oracle::rounding(widen(c), *nearest)) *
                                            1e3 / slope : h;
        const double error = static_cast<double>(oracle::magnitude(Wide(root.time) - *nearest));
        RC_ASSERT(error <= ulp + fuzz);
    }
    for (std::size_t i = 0; i + 1 < found.roots.size(); ++i) {
        RC_ASSERT(found.roots[i].time <= found.roots[i + 1].time);
        RC_ASSERT(found.roots[i].direction != found.roots[i + 1].direction);
    }
    // The first root of the other entry point is the same.
    if (!found.roots.empty()) {
        const Root first = found.roots[0];
        const RootSearch again = first_root({.coefficients = c, .h = h}, workspace);
        RC_ASSERT(again.roots.size() == 1u);
        RC_ASSERT(again.roots[0].time == first.time);
    }
}

}  // namespace

TEST_CASE("roots of polynomials built from clusters, double roots and roots at the ends") {
    int roots_not_simple = 0;
    int cases = 0;
    CHECK(rc::check([&](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        for (int i = 0; i < 20; ++i, ++cases)
            compare_with_judge(draw.polynomial(draw.integer(1, 12)), draw.coin() ? 1.0 : 0.83,
                               roots_not_simple);
    }));
    MESSAGE("clusters: " << cases << " polynomials, roots reported as clusters: " << roots_not_simple);
    CHECK(roots_not_simple < cases / 10);
}

TEST_CASE("roots of Taylor-like polynomials of orders up to 40") {
    int roots_not_simple = 0;
    CHECK(rc::check([&](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        for (int i = 0; i < 10; ++i)
            compare_with_judge(draw.taylor(draw.integer(1, 40)), draw.uniform(0.1, 1),
                               roots_not_simple);
    }));
    CHECK(roots_not_simple == 0);
}

// ---------------------------------------------------------------- remainder band

namespace {

// What the rule "same side: graze, other side: root" gives, from the roots of P − ρ and P + ρ.
struct Passages {
    std::vector<Crossing> roots;
    int grazes = 0;
    bool ends_in_band = false;
    bool doubtful = false;
    bool operator==(const Passages&) const = default;
};

Passages judge_passages(const std::vector<double>& c, double h, Wide rho) {
    Passages result;
    std::vector<Wide> nodes{0, Wide(h)};
    for (const int side : {-1, 1}) {
        oracle::Coefficients shifted = widen(c);
        shifted[0] += side * rho;
        const oracle::Roots roots = oracle::roots(shifted, 0, Wide(h));
        result.doubtful |= roots.doubtful;
        nodes.insert(nodes.end(), roots.times.begin(), roots.times.end());
    }
    std::sort(nodes.begin(), nodes.end());
    int side = c[0] > 0 ? 1 : -1;
    bool in_band = false;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
        const Wide v = oracle::value(widen(c), (nodes[i] + nodes[i + 1]) / 2);
        const int sign = oracle::magnitude(v) <= rho ? 0 : v > 0 ? 1 : -1;
        if (sign == 0) {
            in_band = true;
            continue;
        }
        if (sign != side) result.roots.push_back(sign > 0 ? Crossing::up : Crossing::down);
        else if (in_band) ++result.grazes;
        side = sign;
        in_band = false;
    }
    result.ends_in_band = in_band;
    return result;
}

}  // namespace

TEST_CASE("with a remainder bound: leaving the band decides between root and graze") {
    int compared = 0;
    int grazes = 0;
    CHECK(rc::check([&](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        RootWorkspace workspace;
        for (int i = 0; i < 20; ++i) {
            const auto c = draw.coin() ? draw.polynomial(draw.integer(2, 9)) : draw.taylor(20);
            const double rho = std::pow(10, draw.uniform(-6, -2));
            const Passages truth = judge_passages(c, 1, rho);
            const bool borderline = truth.doubtful || truth.ends_in_band ||
                                    judge_passages(c, 1, Wide(rho) * Wide(1 + 1e-6)) != truth ||
                                    judge_passages(c, 1, Wide(rho) * Wide(1 - 1e-6)) != truth;
            if (borderline) continue;
            const RootSearch found = all_roots({.coefficients = c, .h = 1, .rho = rho}, workspace);
            ++compared;
            grazes += truth.grazes;
            RC_ASSERT(found.roots.size() == truth.roots.size());
            for (std::size_t k = 0; k < found.roots.size(); ++k) {
                const Root& root = found.roots[k];
                RC_ASSERT(root.direction == truth.roots[k]);
                RC_ASSERT(root.certain || (k == 0 && std::fabs(c[0]) <= rho));
            }
            RC_ASSERT(static_cast<int>(found.grazes.size()) == truth.grazes);
            for (const Graze& graze : found.grazes) {
                RC_ASSERT(std::fabs(graze.value) <= rho * (1 + 1e-9));
                const Wide exact = oracle::value(widen(c), Wide(graze.time));
                RC_ASSERT(oracle::magnitude(exact - Wide(graze.value)) <= Wide(1e-15 * rho + 1e-13));
            }
        }
    }));
    MESSAGE("compared " << compared << " searches with " << grazes << " grazes");
    CHECK(compared > 1000);
    CHECK(grazes > 50);
}

TEST_CASE("a dip of known depth: missed, touching, crossing twice") {
    // (t − 1/2)² + δ with exactly representable coefficients.
    RootWorkspace workspace;
    const auto search = [&](double delta, double rho = 0) {
        const std::vector<double> c{0.25 + delta, -1, 1};
        REQUIRE(c[0] - 0.25 == delta);
        return all_roots({.coefficients = c, .h = 1, .rho = rho}, workspace);
    };
    CHECK(search(0x1p-52).status == RootStatus::none);
    CHECK(search(0x1p-52).grazes.empty());

    const RootSearch touch = search(0);
    CHECK(touch.status == RootStatus::none);
    REQUIRE(touch.grazes.size() == 1);
    CHECK(touch.grazes[0].time == 0.5);
    CHECK(touch.grazes[0].value == 0);
    CHECK(touch.grazes[0].side == 1);

    const RootSearch twice = search(-0x1p-54);  // roots 1/2 ∓ 2⁻²⁷, 1.5e-8 apart
    REQUIRE(twice.roots.size() == 2);
    CHECK(twice.roots[0].time == 0.5 - 0x1p-27);
    CHECK(twice.roots[1].time == 0.5 + 0x1p-27);
    CHECK(twice.roots[0].direction == Crossing::down);
    CHECK(twice.roots[1].direction == Crossing::up);
    CHECK(twice.roots[0].simple);
    CHECK(twice.roots[0].certain);
    CHECK(twice.roots[0].derivative == doctest::Approx(-0x1p-26).epsilon(1e-7));

    // The same dip inside the remainder is a graze with its depth.
    const RootSearch hidden = search(-0x1p-54, 1e-15);
    CHECK(hidden.status == RootStatus::none);
    REQUIRE(hidden.grazes.size() == 1);
    CHECK(hidden.grazes[0].time == doctest::Approx(0.5).epsilon(1e-7));
    CHECK(hidden.grazes[0].value == doctest::Approx(-0x1p-54).epsilon(1e-6));
}

TEST_CASE("two roots 1e-9 apart are two certified roots") {
    RootWorkspace workspace;
    // ((t − 1/2)² − ε²/4)(2 + t): the coefficients are rounded, so the judge tells the roots.
    const double eps = 1e-9;
    const oracle::Coefficients exact{Wide(0.5) - Wide(eps) * eps / 2,
                                     Wide(-1.75) - Wide(eps) * eps / 4, 1, 1};
    std::vector<double> c;
    for (const Wide x : exact) c.push_back(static_cast<double>(x));
    c[0] = std::nextafter(c[0], 0);  // make the dip survive the rounding of c_0
    const auto truth = oracle::roots(widen(c), 0, 1);
    REQUIRE(truth.times.size() == 2);
    const RootSearch found = all_roots({.coefficients = c, .h = 1}, workspace);
    REQUIRE(found.roots.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(found.roots[i].simple);
        CHECK(Wide(found.roots[i].lower) <= truth.times[i]);
        CHECK(truth.times[i] <= Wide(found.roots[i].upper));
    }
    CHECK(first_root({.coefficients = c, .h = 1, .direction = Crossing::up}, workspace).roots[0].time ==
          found.roots[1].time);
}

// ---------------------------------------------------------------- the start of a step

TEST_CASE("a root at the start does not fire again, the next one does, however soon") {
    RootWorkspace workspace;
    const double g = 9.81;  // m/s²
    for (const double v : {1.0, 1e-3, 1e-8, 1e-12, 1e-100}) {
        // Gap after an impact; rounding left something in c_0 on either side.
        for (const double noise : {0.0, 1e-17, -1e-17}) {
            const std::vector<double> c{noise, v, -g / 2};
            const RootSearch found = first_root({.coefficients = c,
                                                 .h = 1,
                                                 .direction = Crossing::down,
                                                 .start_multiplicity = 1},
                                                workspace);
            REQUIRE(found.roots.size() == 1);
            CHECK(found.roots[0].time == doctest::Approx(2 * v / g).epsilon(4e-16));
            CHECK(found.roots[0].derivative == doctest::Approx(-v).epsilon(1e-15));
            CHECK_FALSE(found.roots[0].at_start);
        }
    }
}

TEST_CASE("lift-off leaves a triple root at the start") {
    RootWorkspace workspace;
    const std::vector<double> c{1e-18, -1e-17, 1e-16, 2, -5, 1};  // t³(2 − 5t + t²) with noise below
    const RootSearch found = all_roots({.coefficients = c, .h = 1, .start_multiplicity = 3}, workspace);
    REQUIRE(found.roots.size() == 1);
    CHECK(found.roots[0].time == doctest::Approx((5 - std::sqrt(17.0)) / 2).epsilon(1e-15));
    const double t = found.roots[0].time;
    CHECK(found.roots[0].derivative == doctest::Approx(t * t * t * (2 * t - 5)).epsilon(1e-14));
}

TEST_CASE("a guard found on the other side at a step start fires there") {
    RootWorkspace workspace;
    const std::vector<double> c{-1e-17, -1, 0.1};
    const RootSearch with_memory =
        first_root({.coefficients = c, .h = 1, .direction = Crossing::down, .side = 1}, workspace);
    REQUIRE(with_memory.roots.size() == 1);
    CHECK(with_memory.roots[0].time == 0);
    CHECK(with_memory.roots[0].at_start);
    CHECK(with_memory.side_at_end == -1);
    CHECK(first_root({.coefficients = c, .h = 1}, workspace).status == RootStatus::none);

    // Exactly on the guard without notice: leaving downwards is a crossing down, not a crossing up.
    const std::vector<double> on{0, -1, 0.1};
    CHECK(first_root({.coefficients = on, .h = 1, .direction = Crossing::down}, workspace)
              .roots.size() == 1);
    CHECK(first_root({.coefficients = on, .h = 1, .direction = Crossing::up}, workspace).status ==
          RootStatus::none);
}

TEST_CASE("chains of steps: no crossing is lost or doubled at step ends") {
    // sin(5 t) by Taylor series of order 24, one step after the other, many step ends near the roots.
    CHECK(rc::check([](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        RootWorkspace workspace;
        const double pi = std::acos(-1.0);
        double t = 0.1;
        int side = 1;
        int events = 0;
        int multiplicity = 0;
        const double end = 20.05;  // 5 · 20.05/π = 31.9: between two roots
        while (t < end) {
            double h = std::min(draw.uniform(0.05, 0.5), end - t);
            // Often stop within rounding of a root.
            const double next = std::ceil(5 * t / pi) * pi / 5;
            if (draw.coin() && next - t > 1e-3 && next - t < 0.5 && next < end)
                h = next - t + draw.integer(-3, 3) * 1e-16;
            std::vector<double> c;
            double factor = 1;
            for (int k = 0; k <= 24; ++k) {
                c.push_back(factor * std::sin(5 * t + k * pi / 2));
                factor *= 5.0 / (k + 1);
            }
            const RootSearch found = first_root({.coefficients = c,
                                                 .h = h,
                                                 .rho = 1e-15,
                                                 .start_multiplicity = multiplicity,
                                                 .side = side},
                                                workspace);
            multiplicity = 0;
            side = found.side_at_end;
            if (found.roots.empty()) {
                t += h;
                continue;
            }
            ++events;
            t += found.roots[0].time;
            RC_ASSERT(std::fabs(std::sin(5 * t)) < 1e-13);
            multiplicity = 1;
        }
        RC_ASSERT(events == 31);
    }));
}

TEST_CASE("a remainder that grows like t^r does not hide an event soon after the start") {
    // Flight of 1e-9 s after an impact, remainder 1e-6 at the end of a long step: with a uniform bound nothing is
    // certain, with the growth of a Taylor remainder the impact is.
    RootWorkspace workspace;
    const std::vector<double> c{0, 0.5e-9, -0.5};
    RootQuery query{.coefficients = c, .h = 1, .direction = Crossing::down, .rho = 1e-6,
                    .start_multiplicity = 1};
    const RootSearch uniform = first_root(query, workspace);
    REQUIRE(uniform.roots.size() == 1);
    CHECK_FALSE(uniform.roots[0].certain);
    CHECK(uniform.roots[0].location_error > 1e-7);
    query.remainder_order = 3;
    const RootSearch growing = first_root(query, workspace);
    REQUIRE(growing.roots.size() == 1);
    CHECK(growing.roots[0].certain);
    CHECK(growing.roots[0].time == doctest::Approx(1e-9).epsilon(1e-15));
    CHECK(growing.roots[0].location_error < 1e-20);
}

TEST_CASE("the root lies within its location error of the root of g, for g = P + remainder") {
    // g = sin(t + s) cut after order 9 on a step of 0.7: the remainder bound is h¹⁰/10!.
    CHECK(rc::check([](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        RootWorkspace workspace;
        const double pi = std::acos(-1.0);
        const double h = 0.7;
        const double exact = draw.uniform(0.05, 0.65);
        std::vector<double> c;
        double factor = 1;
        for (int k = 0; k <= 9; ++k) {
            c.push_back(factor * std::sin(pi - exact + k * pi / 2));
            factor /= k + 1;
        }
        const double rho = std::pow(h, 10) * factor;
        const RootSearch found = first_root(
            {.coefficients = c, .h = h, .rho = rho, .remainder_order = 10}, workspace);
        RC_ASSERT(found.roots.size() == 1u);
        RC_ASSERT(found.roots[0].certain);
        const double error = std::fabs(found.roots[0].time - exact);
        RC_ASSERT(error <= found.roots[0].location_error * 1.001 + 1e-15);
    }));
}

// ---------------------------------------------------------------- form, scale, bad input, cost

TEST_CASE("results do not depend on the units of time and guard") {
    CHECK(rc::check([](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        const auto c = draw.polynomial(draw.integer(1, 8));
        const int value_shift = draw.integer(-600, 600);
        const int time_shift = draw.integer(-40, 40);
        std::vector<double> scaled;
        for (std::size_t k = 0; k < c.size(); ++k)
            scaled.push_back(std::ldexp(c[k], value_shift + time_shift * static_cast<int>(k)));
        RootWorkspace a;
        RootWorkspace b;
        const RootSearch plain = all_roots({.coefficients = c, .h = 1, .rho = 1e-12}, a);
        const RootSearch other = all_roots({.coefficients = scaled,
                                            .h = std::ldexp(1.0, -time_shift),
                                            .rho = std::ldexp(1e-12, value_shift)}, b);
        RC_ASSERT(plain.roots.size() == other.roots.size());
        RC_ASSERT(plain.grazes.size() == other.grazes.size());
        for (std::size_t i = 0; i < plain.roots.size(); ++i)
            RC_ASSERT(std::ldexp(other.roots[i].time, time_shift) == plain.roots[i].time);
    }));
}

TEST_CASE("time plus correction is the root to double length") {
    RootWorkspace workspace;
    const std::vector<double> c{-2, 0, 1};
    const RootSearch found = first_root({.coefficients = c, .h = 2}, workspace);
    REQUIRE(found.roots.size() == 1);
    // √2 = 1.41421356237309504880168872420969807856967…
    CHECK(found.roots[0].time == std::sqrt(2.0));
    const DoubleLength square = (DoubleLength(found.roots[0].time) + found.roots[0].correction) *
                                (DoubleLength(found.roots[0].time) + found.roots[0].correction);
    CHECK(std::fabs((square - 2.0).rounded()) < 1e-31);
}

TEST_CASE("input that is no polynomial on an interval is refused, not searched") {
    RootWorkspace workspace;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    const std::vector<double> good{1, -2};
    for (const double h : {0.0, -1.0, nan, inf})
        CHECK(first_root({.coefficients = good, .h = h}, workspace).status == RootStatus::invalid);
    for (const double bad : {nan, inf, -inf})
        for (std::size_t place = 0; place < 3; ++place) {
            std::vector<double> c{1, 0.1, 0.1};
            c[place] = bad;
            CHECK(first_root({.coefficients = c, .h = 1}, workspace).status == RootStatus::invalid);
        }
    CHECK(first_root({.coefficients = good, .h = 1, .rho = nan}, workspace).status ==
          RootStatus::invalid);
    CHECK(first_root({.coefficients = good, .h = 1, .rho = -1}, workspace).status ==
          RootStatus::invalid);
    CHECK(first_root({.coefficients = std::vector<double>(58, 1.0), .h = 1}, workspace).status ==
          RootStatus::invalid);
    const std::vector<double> zero(5, 0.0);
    CHECK(first_root({.coefficients = zero, .h = 1}, workspace).status ==
          RootStatus::identically_zero);
    CHECK(first_root({.coefficients = {}, .h = 1}, workspace).status == RootStatus::identically_zero);
}

TEST_CASE("a guard that stays inside the band all the time is one graze, cheaply") {
    RootWorkspace workspace;
    const std::vector<double> c{1e-17, -3e-17, 2e-17, 1e-17};
    const RootSearch found = all_roots({.coefficients = c, .h = 1, .rho = 1e-15}, workspace);
    CHECK(found.roots.empty());
    CHECK(found.grazes.size() == 1);
    CHECK(found.in_band_at_end);
    CHECK(found.pieces <= 3);
}

TEST_CASE("exclusion proves: never for a polynomial with a root, the same in every lane") {
    using Lanes = double __attribute__((vector_size(16)));
    int excluded = 0;
    int rootless = 0;
    CHECK(rc::check([&](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        std::vector<std::vector<double>> guards;
        for (int lane = 0; lane < 2; ++lane) guards.push_back(draw.taylor(12));
        std::vector<Lanes> c(13);
        for (std::size_t k = 0; k < 13; ++k)
            for (std::size_t lane = 0; lane < 2; ++lane) c[k][lane] = guards[lane][k];
        const double h = draw.uniform(0.01, 0.6);
        const Lanes margin = exclusion_margin(c.data(), c.size(), Lanes{h, h}, Lanes{});
        for (std::size_t lane = 0; lane < 2; ++lane) {
            const double scalar = exclusion_margin(guards[lane].data(), 13, h, 0.0);
            RC_ASSERT(scalar == margin[lane]);
            const bool has_root = !oracle::roots(widen(guards[lane]), 0, Wide(h)).times.empty();
            RC_ASSERT(!(scalar > 0 && has_root));
            rootless += !has_root;
            excluded += scalar > 0;
        }
    }));
    MESSAGE("excluded " << excluded << " of " << rootless << " guards without root");
    CHECK(excluded > rootless / 2);
}

TEST_CASE("the usual guard costs a few Bernstein pieces") {
    Draw draw{std::mt19937_64(7)};
    RootWorkspace workspace;
    int pieces = 0;
    int most = 0;
    const int cases = 2000;
    for (int i = 0; i < cases; ++i) {
        const auto c = draw.taylor(20);
        const RootSearch found = first_root({.coefficients = c, .h = 1, .rho = 1e-14}, workspace);
        pieces += found.pieces;
        most = std::max(most, found.pieces);
    }
    MESSAGE("pieces per search: mean " << double(pieces) / cases << ", most " << most);
    CHECK(pieces < 3 * cases);
    CHECK(most < 40);
}
