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
    const auto narrow = [&](double a, double b) {
        const double ulp = std::nextafter(std::fmax(std::fabs(a), std::fabs(b)), HUGE_VAL) -
                           std::fmax(std::fabs(a), std::fabs(b));
        return b - a <= std::fmax(options.tolerance, 2 * ulp);
    };
    auto budget = static_cast<std::uintmax_t>(options.max_calls);
    const auto bracket = boost::math::tools::toms748_solve(counted, lower, upper, at_lower,
                                                           at_upper, narrow, budget);
    result.lower = bracket.first;
    result.upper = bracket.second;
    result.root = bracket.first + 0.5 * (bracket.second - bracket.first);
    if (!finite)
        result.status = ScalarRootStatus::not_finite;
    else if (!narrow(bracket.first, bracket.second))
        result.status = ScalarRootStatus::too_many_calls;
    return result;
}

} // namespace liaison::solve
