// SPDX-License-Identifier: Apache-2.0
// Enclosures of the elementary functions: library values moved outwards, extrema and poles found.
#include "liaison/expr/interval.hpp"
#include "liaison/expr/rounding.hpp"

#include <cmath>
#include <numbers>

namespace liaison::expr {
namespace {

using namespace rounding;

double lowered(double value) {
    for (int i = 0; i < Interval::k_function_ulps; ++i) value = below(value);
    return value;
}
double raised(double value) {
    for (int i = 0; i < Interval::k_function_ulps; ++i) value = above(value);
    return value;
}

// Every function below maps 0 to 0 or 1 exactly, which thin boxes at the origin like to keep.
template <class F>
double lower(F f, double x) {
    return x == 0.0 ? f(x) : lowered(f(x));
}
template <class F>
double upper(F f, double x) {
    return x == 0.0 ? f(x) : raised(f(x));
}

template <class F>
Interval increasing(F f, const Interval& x, const Interval& range) {
    if (x.is_empty()) return x;
    return intersect({std::min(lower(f, x.lo()), k_max), std::max(upper(f, x.hi()), -k_max)},
                     range);
}

constexpr auto k_sin = [](double v) { return std::sin(v); };
constexpr auto k_cos = [](double v) { return std::cos(v); };

// Beyond this the quotient by π no longer tells periods apart.
constexpr double k_largest_angle = 1e15;

struct Extrema {
    bool even = false; // an even integer may lie in the interval
    bool odd = false;
};
Extrema integers_in(const Interval& q) {
    const double first = std::ceil(q.lo());
    if (first > q.hi()) return {};
    if (first + 1.0 <= q.hi()) return {true, true};
    const bool even = std::fmod(first, 2.0) == 0.0;
    return {even, !even};
}

// sin and cos alike: maxima where `phase` is an even integer, minima where it is odd, monotonic
// between.
template <class F>
Interval wave(F f, const Interval& x, const Interval& phase) {
    const Extrema at = integers_in(phase);
    const Interval ends =
        hull({lower(f, x.lo()), upper(f, x.lo())}, {lower(f, x.hi()), upper(f, x.hi())});
    return {at.odd ? -1.0 : std::max(ends.lo(), -1.0), at.even ? 1.0 : std::min(ends.hi(), 1.0)};
}

Interval unit() { return {-1.0, 1.0}; }
Interval half_pi() { return {Interval::pi().lo() / 2.0, Interval::pi().hi() / 2.0}; }

} // namespace

Interval sin(const Interval& x) {
    if (x.is_empty()) return x;
    if (x.magnitude() > k_largest_angle) return unit();
    return wave(k_sin, x, (x - half_pi()) / Interval::pi());
}

Interval cos(const Interval& x) {
    if (x.is_empty()) return x;
    if (x.magnitude() > k_largest_angle) return unit();
    return wave(k_cos, x, x / Interval::pi());
}

bool may_contain_pole_of_tan(const Interval& x) {
    if (x.is_empty()) return false;
    if (x.magnitude() > k_largest_angle) return true;
    const Extrema at = integers_in((x - half_pi()) / Interval::pi());
    return at.even || at.odd;
}

Interval tan(const Interval& x) {
    if (x.is_empty()) return x;
    if (may_contain_pole_of_tan(x)) return Interval::whole();
    return increasing([](double v) { return std::tan(v); }, x, Interval::whole());
}

Interval asin(const Interval& x) {
    const double end = half_pi().hi();
    return increasing([](double v) { return std::asin(v); }, intersect(x, unit()), {-end, end});
}

Interval acos(const Interval& x) {
    const Interval domain = intersect(x, unit());
    if (domain.is_empty()) return domain;
    // decreasing; acos(1) = 0 exactly
    const double lo = domain.hi() == 1.0 ? 0.0 : lowered(std::acos(domain.hi()));
    const double hi = domain.lo() == 1.0 ? 0.0 : raised(std::acos(domain.lo()));
    return intersect({lo, hi}, {0.0, Interval::pi().hi()});
}

Interval atan(const Interval& x) {
    const double end = half_pi().hi();
    return increasing([](double v) { return std::atan(v); }, x, {-end, end});
}

Interval atan2(const Interval& y, const Interval& x) {
    if (x.is_empty() || y.is_empty()) return Interval::empty();
    const double end = Interval::pi().hi();
    if (x == Interval(0.0) && y == Interval(0.0)) return Interval::empty();
    const bool origin = x.contains(0.0) && y.contains(0.0);
    const bool across_cut = y.lo() < 0.0 && y.hi() >= 0.0 && x.lo() < 0.0;
    if (across_cut) return {-end, end};
    // A convex box that does not cross the cut: seen from the origin its extreme directions are
    // corners, and with the origin on its boundary the corners other than the origin.
    Interval range = Interval::empty();
    for (const double b : {y.lo(), y.hi()}) {
        for (const double a : {x.lo(), x.hi()}) {
            if (a == 0.0 && b == 0.0) continue;
            const double height = b == 0.0 ? 0.0 : b; // −0 would land on the other side of the cut
            const double angle = std::atan2(height, a);
            range = hull(range, {lowered(angle), raised(angle)});
        }
    }
    // The origin on an edge: both directions along that edge belong to the box (corners have them),
    // and the open half plane between them is covered by their hull.
    if (origin && x.lo() < 0.0 && x.hi() > 0.0 && y.lo() == 0.0) range = hull(range, {0.0, end});
    return intersect(range, {-end, end});
}

Interval sinh(const Interval& x) {
    return increasing([](double v) { return std::sinh(v); }, x, Interval::whole());
}

Interval cosh(const Interval& x) {
    const Interval size = abs(x);
    return increasing([](double v) { return std::cosh(v); }, size, {1.0, k_inf});
}

Interval tanh(const Interval& x) {
    return increasing([](double v) { return std::tanh(v); }, x, unit());
}

Interval exp(const Interval& x) {
    return increasing([](double v) { return std::exp(v); }, x, {0.0, k_inf});
}

Interval log(const Interval& x) {
    const Interval domain = intersect(x, {0.0, k_inf});
    if (domain.is_empty() || domain == Interval(0.0)) return Interval::empty();
    const double lo = domain.lo() == 0.0   ? -k_inf
                      : domain.lo() == 1.0 ? 0.0
                                           : lowered(std::log(domain.lo()));
    const double hi = domain.hi() == 1.0 ? 0.0 : raised(std::log(domain.hi()));
    return {lo, std::isinf(domain.hi()) ? k_inf : hi};
}

} // namespace liaison::expr
