// SPDX-License-Identifier: Apache-2.0
// The root of a continuous function in a bracket, for guards that are not polynomials.
//
// Alefeld, Potra, Shi: Algorithm 748 (ACM TOMS 21, 1995) as in Boost.Math: never leaves the bracket, about 1.7th
// order on smooth functions, no worse than bisection up to a constant. It finds *a* root of the bracket; only
// a polynomial search (polynomial.hpp) can say that it is the first.
#pragma once

#include <boost/math/tools/toms748_solve.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace liaison::solve {

enum class ScalarRootStatus {
    found,
    no_sign_change, // f has the same sign at both ends
    not_finite, // f or an end of the bracket is not a finite number
    too_many_calls // the bracket returned is the best so far
};

struct ScalarRoot {
    ScalarRootStatus status = ScalarRootStatus::found;
    double root = 0;
    double lower = 0; // f changes sign in [lower, upper]
    double upper = 0;
    int calls = 0;
};

struct ScalarRootOptions {
    double tolerance = 0; // absolute width wanted; 0: as narrow as doubles allow (a few ulp)
    int max_calls = 200;
};

template <class Function>
[[nodiscard]] ScalarRoot find_scalar_root(Function&& f, double lower, double upper,
                                          const ScalarRootOptions& options = {}) {
    if (lower > upper) std::swap(lower, upper);
    ScalarRoot result{.lower = lower, .upper = upper};
    bool finite = std::isfinite(lower) && std::isfinite(upper);
    const auto counted = [&](double x) {
        ++result.calls;
        const double value = f(x);
        // Boost must not see a NaN; a zero ends its iteration at once.
        if (!std::isfinite(value)) finite = false;
        return finite ? value : 0.0;
    };
    const double at_lower = finite ? counted(lower) : 0;
    const double at_upper = finite ? counted(upper) : 0;
    if (!finite) {
        result.status = ScalarRootStatus::not_finite;
        return result;
    }
    if (at_lower == 0 || at_upper == 0) {
        result.root = result.lower = result.upper = at_lower == 0 ? lower : upper;
        return result;
    }
    if (std::signbit(at_lower) == std::signbit(at_upper)) {
        result.status = ScalarRootStatus::no_sign_change;
        return result;
    }
    // Boost bisects the last digits of brackets with a > 0 only: others are mirrored, and those about zero may stay
    // wider by its smallest step.
    const bool mirrored = upper <= 0;
    const auto turned = [&](double x) { return counted(mirrored ? -x : x); };
    const auto narrow = [&](double a, double b) {
        constexpr double k_narrowest = 4 * std::numeric_limits<double>::epsilon();
        const double size = std::fmax(std::fabs(a), std::fabs(b));
        const double ulp = std::nextafter(size, HUGE_VAL) - size;
        const double smallest = a < 0 ? k_narrowest * size : 2 * ulp;
        return b - a <= std::fmax(options.tolerance, smallest);
    };
    auto budget = static_cast<std::uintmax_t>(options.max_calls);
    auto bracket = mirrored ? boost::math::tools::toms748_solve(turned, -upper, -lower, at_upper,
                                                                at_lower, narrow, budget)
                            : boost::math::tools::toms748_solve(turned, lower, upper, at_lower,
                                                                at_upper, narrow, budget);
    const bool done = narrow(bracket.first, bracket.second);
    if (mirrored) bracket = {-bracket.second, -bracket.first};
    result.lower = bracket.first;
    result.upper = bracket.second;
    result.root = bracket.first + 0.5 * (bracket.second - bracket.first);
    if (!finite)
        result.status = ScalarRootStatus::not_finite;
    else if (!done)
        result.status = ScalarRootStatus::too_many_calls;
    return result;
}

} // namespace liaison::solve
