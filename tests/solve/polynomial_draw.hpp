// SPDX-License-Identifier: Apache-2.0
// Random guard polynomials for the tests of the certified search.
#pragma once

#include "solve/polynomial_oracle.hpp"

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace oracle {

inline Coefficients widen(const std::vector<double>& c) { return {c.begin(), c.end()}; }

// Π (t − r_i) rounded once per coefficient, times a factor.
inline std::vector<double> from_roots(const std::vector<double>& roots, double factor) {
    Coefficients c{Wide(factor)};
    for (const double r : roots) {
        c.push_back(0);
        for (std::size_t k = c.size(); k-- > 0;)
            c[k] = (k > 0 ? c[k - 1] : Wide(0)) - c[k] * Wide(r);
    }
    std::vector<double> rounded;
    for (const Wide x : c) rounded.push_back(static_cast<double>(x));
    return rounded;
}

struct Draw {
    std::mt19937_64 engine;
    double uniform(double a, double b) {
        return std::uniform_real_distribution<double>(a, b)(engine);
    }
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

} // namespace oracle
