// SPDX-License-Identifier: Apache-2.0
// Truths about guard searches step after step: start roots, step ends, units, bad input, cost.
#include "liaison/solve/polynomial.hpp"
#include "liaison/solve/polynomial_exclusion.hpp"
#include "liaison/solve/usual_step.hpp"

#include "solve/polynomial_draw.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace liaison::solve;
using oracle::Draw;
using oracle::Wide;
using oracle::widen;
using Passage = UsualStep::Passage;

TEST_CASE("a root at the start does not fire again, the next one does, however soon") {
    RootWorkspace workspace;
    const double g = 9.81;  // m/s²
    for (const double v : {1.0, 1e-3, 1e-8, 1e-12, 1e-100}) {
        // Gap after an impact; rounding left something in c_0 on either side.
        for (const double noise : {0.0, 1e-17, -1e-17}) {
            const std::vector<double> c{noise, v, -g / 2};
            const RootSearch found = first_root(
                {.coefficients = c, .h = 1, .direction = Crossing::down, .start_multiplicity = 1},
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
    const std::vector<double> c{1e-18, -1e-17, 1e-16, 2, -5, 1}; // t³(2 − 5t + t²) with noise below
    const RootSearch found =
        all_roots({.coefficients = c, .h = 1, .start_multiplicity = 3}, workspace);
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
        const double end = 20.05; // 5 · 20.05/π = 31.9: between two roots
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
    RootQuery query{.coefficients = c,
                    .h = 1,
                    .direction = Crossing::down,
                    .rho = 1e-6,
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
        const RootSearch found =
            first_root({.coefficients = c, .h = h, .rho = rho, .remainder_order = 10}, workspace);
        RC_ASSERT(found.roots.size() == 1u);
        RC_ASSERT(found.roots[0].certain);
        const double error = std::fabs(found.roots[0].time - exact);
        RC_ASSERT(error <= found.roots[0].location_error * 1.001 + 1e-15);
    }));
}

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
                                            .rho = std::ldexp(1e-12, value_shift)},
                                           b);
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
    CHECK(first_root({.coefficients = {}, .h = 1}, workspace).status ==
          RootStatus::identically_zero);
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

TEST_CASE("a step said to be clear of zero has no root, with and without a band") {
    int clear = 0;
    int rootless = 0;
    CHECK(rc::check([&](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        const auto order = static_cast<int>(draw.uniform(1.0, 30.0));
        const auto guard = draw.taylor(order);
        const double h = draw.uniform(0.01, 1.2);
        const double band = draw.uniform(0.0, 1.0) < 0.5 ? 0.0 : draw.uniform(0.0, 0.3);
        const bool said = usual_step(guard, h, band).passage == Passage::clear;
        // |P| > band: neither P + band nor P − band has a root
        bool has_root = false;
        for (const double shift : {-band, band}) {
            auto moved = guard;
            moved[0] += shift;
            has_root |= !oracle::roots(widen(moved), 0, Wide(h)).times.empty();
        }
        RC_ASSERT(!(said && has_root));
        rootless += !has_root;
        clear += said;
    }));
    MESSAGE("clear " << clear << " of " << rootless << " guards without root");
    CHECK(clear > rootless / 2);
    const double bad[] = {1.0, std::numeric_limits<double>::quiet_NaN(), 0.1};
    CHECK(usual_step(bad, 0.1, 0.0).passage == Passage::unknown);
    const double huge[] = {1.0, std::numeric_limits<double>::infinity()};
    CHECK(usual_step(huge, 0.1, 0.0).passage == Passage::unknown);
    CHECK(usual_step({}, 0.1, 0.0).passage == Passage::unknown);
}

TEST_CASE("the first passage found in parts of a step is the first one there is") {
    int seen = 0;
    int in_parts = 0;
    CHECK(rc::check([&](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        for (int i = 0; i < 10; ++i) {
            const auto order = static_cast<int>(draw.uniform(2.0, 40.0));
            const auto guard = draw.coin() ? draw.taylor(order) : draw.polynomial(1 + order / 4);
            const double h = draw.uniform(0.01, 2.0);
            const double band = draw.coin() ? 0.0 : std::pow(10, draw.uniform(-12, -1));
            const Wanted wanted = draw.coin()   ? Wanted::both
                                  : draw.coin() ? Wanted::up
                                                : Wanted::down;
            const FirstPassage found = first_passage(guard, h, band, wanted);
            if (found.passage == Passage::unknown) continue;
            ++seen;
            in_parts += usual_step(guard, h, band).passage == Passage::unknown;
            // Simple roots change the sign, in turn.
            int side = guard[0] > 0 ? 1 : -1;
            std::vector<Wide> before; // passages the other way
            std::vector<Wide> wanted_ones;
            for (const Wide& time : oracle::roots(widen(guard), 0, Wide(h)).times) {
                const bool counts =
                    wanted == Wanted::both || (wanted == Wanted::down) == (side > 0);
                (counts ? wanted_ones : before).push_back(time);
                side = -side;
            }
            if (found.passage == Passage::clear) {
                RC_ASSERT(wanted_ones.empty());
                RC_ASSERT(found.side == side);
                continue;
            }
            RC_ASSERT(!wanted_ones.empty());
            RC_ASSERT(wanted_ones.front() > Wide(found.lower * h));
            RC_ASSERT(wanted_ones.front() < Wide(found.upper * h));
            RC_ASSERT(found.where > found.lower && found.where < found.upper);
            // In its part it is the only root, at every level of the band.
            for (const double level : {-band, 0.0, band}) {
                auto moved = guard;
                moved[0] += level;
                RC_ASSERT(oracle::roots(widen(moved), Wide(found.lower * h), Wide(found.upper * h))
                              .times.size() == 1);
            }
        }
    }));
    MESSAGE(seen << " steps, " << in_parts << " of them in parts");
    CHECK(in_parts > seen / 50);
    // cos over a turn and a half: down, up, down; the whole step tells nothing.
    std::vector<double> cosine(41);
    double term = 1.0;
    for (std::size_t k = 0; k < cosine.size(); ++k) {
        cosine[k] = k % 2 == 0 ? (k % 4 == 0 ? term : -term) : 0.0;
        term /= static_cast<double>(k + 1);
    }
    CHECK(usual_step(cosine, 6.0, 1e-9).passage == Passage::unknown);
    const FirstPassage up = first_passage(cosine, 6.0, 1e-9, Wanted::up);
    CHECK(up.passage == Passage::once);
    CHECK(up.side == -1);
    CHECK(up.where * 6.0 == doctest::Approx(4.712).epsilon(0.1));
}

TEST_CASE("a step said to be passed once has one root for every level of the band") {
    int once = 0;
    int single = 0;
    CHECK(rc::check([&](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        for (int i = 0; i < 10; ++i) {
            const auto order = static_cast<int>(draw.uniform(1.0, 40.0));
            // Taylor guards, and products of clustered, doubled and far roots.
            const auto guard = draw.coin() ? draw.taylor(order) : draw.polynomial(1 + order / 4);
            const double h = draw.uniform(0.01, 1.2);
            const double band = draw.coin() ? 0.0 : std::pow(10, draw.uniform(-12, -1));
            const UsualStep step = usual_step(guard, h, band);
            const auto truth = oracle::roots(widen(guard), 0, Wide(h));
            single += truth.times.size() == 1;
            if (step.passage != Passage::once) continue;
            ++once;
            for (const double level : {-band, 0.0, band}) {
                auto moved = guard;
                moved[0] += level;
                RC_ASSERT(oracle::roots(widen(moved), 0, Wide(h)).times.size() == 1);
            }
            RC_ASSERT(step.where > 0 && step.where < 1);
            // the search finds that root, wherever the unit of time lies
            RootWorkspace workspace;
            for (const int shift : {0, 8, -8, 20}) {
                auto shifted = guard;
                for (std::size_t k = 0; k < shifted.size(); ++k)
                    shifted[k] = std::ldexp(shifted[k], -shift * static_cast<int>(k));
                const auto found =
                    first_root({.coefficients = shifted, .h = std::ldexp(h, shift)}, workspace);
                RC_ASSERT(found.roots.size() == 1);
                const double time = std::ldexp(found.roots[0].time, -shift);
                const double off =
                    static_cast<double>(oracle::magnitude(Wide(time) - truth.times[0]));
                const double doubt =
                    static_cast<double>(oracle::rounding(widen(guard), Wide(time))) /
                    std::fabs(std::ldexp(found.roots[0].derivative, shift));
                RC_ASSERT(off <= std::nextafter(time, 2.0) - time + 1e3 * doubt);
            }
        }
    }));
    MESSAGE("once " << once << " of " << single << " guards with a single root");
    CHECK(once > single / 4);
}

TEST_CASE("terms far below rounding cost no accuracy: the root is right to double length") {
    int shortened = 0;
    CHECK(rc::check([&](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        RootWorkspace workspace;
        for (int i = 0; i < 10; ++i) {
            // A line or a low power, and the dust that an expansion leaves where its terms cancel.
            const double h = std::pow(10.0, draw.uniform(-4, 4));
            std::vector<double> guard;
            const int degree = draw.integer(1, 3);
            for (int k = 0; k <= 26; ++k) {
                const double size =
                    k <= degree ? 1.0 : std::pow(10.0, -15 * k / 2 + draw.uniform(-3, 0));
                guard.push_back(size * draw.uniform(-1, 1) / std::pow(h, k));
            }
            const auto truth = oracle::roots(widen(guard), 0, Wide(h));
            const UsualStep step = usual_step(guard, h, 0.0);
            if (step.passage == Passage::clear) RC_ASSERT(truth.times.empty());
            if (step.passage != Passage::once) continue;
            RC_ASSERT(truth.times.size() == 1u);
            shortened += step.terms < guard.size();
            const auto found = first_root({.coefficients = guard, .h = h}, workspace);
            RC_ASSERT(found.roots.size() == 1u);
            const Root& root = found.roots[0];
            const Wide time = Wide(root.time) + Wide(root.correction);
            const auto off = static_cast<double>(oracle::magnitude(time - truth.times[0]));
            const auto doubt = static_cast<double>(oracle::rounding(widen(guard), time)) /
                               std::fabs(root.derivative);
            const double left_out = 0x1p-85 * std::fabs(guard[0] / root.derivative);
            RC_ASSERT(off <= 1e-29 * root.time + 1e3 * doubt + left_out);
        }
    }));
    CHECK(shortened > 100);
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

TEST_CASE("any bits at all: an answer in order, finite and inside the step") {
    CHECK(rc::check([](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        RootWorkspace workspace;
        for (int i = 0; i < 50; ++i) {
            // Magnitudes over the whole range of doubles, zeros and equal numbers included.
            const int spread = draw.coin() ? 1000 : 5;
            std::vector<double> c;
            const int degree = draw.integer(0, 56);
            for (int k = 0; k <= degree; ++k)
                c.push_back(draw.integer(0, 5) == 0 ? 0.0
                            : draw.coin()
                                ? draw.integer(-2, 2) * 1.0
                                : std::ldexp(draw.uniform(-1, 1), draw.integer(-spread, spread)));
            const double h = std::ldexp(draw.uniform(0.5, 1), draw.integer(-spread, spread) / 2);
            const double rho = draw.coin() ? 0 : std::ldexp(1.0, draw.integer(-spread, spread));
            const RootSearch found = all_roots({.coefficients = c,
                                                .h = h,
                                                .rho = rho,
                                                .remainder_order = draw.integer(0, 60),
                                                .start_multiplicity = draw.integer(0, 4),
                                                .side = draw.integer(-1, 1)},
                                               workspace);
            double last = 0;
            for (const Root& root : found.roots) {
                RC_ASSERT(root.time >= last && root.time <= h);
                RC_ASSERT(root.lower <= root.time && root.time <= root.upper);
                RC_ASSERT(std::isfinite(root.location_error) && !std::isnan(root.derivative));
                last = root.time;
            }
            for (const Graze& graze : found.grazes) {
                RC_ASSERT(graze.time >= 0 && graze.time <= h);
                RC_ASSERT(!std::isnan(graze.value));
            }
            RC_ASSERT(found.pieces <= 4001);
            RC_ASSERT(found.status != RootStatus::invalid);
        }
    }));
}
