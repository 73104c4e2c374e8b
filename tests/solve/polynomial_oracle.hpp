// SPDX-License-Identifier: Apache-2.0
// An independent, slow and simple root finder in 113-bit arithmetic, the judge of the certified search.
//
// Between two neighbouring roots of P′ the polynomial is monotone, so its roots follow from signs and
// bisection; the roots of P′ are found the same way, down to a constant. The rounding error 1e-32 Σ|c_k| t^k
// is far below everything the tests ask about; values that small are reported as doubtful.
#pragma once

#include <cstddef>
#include <vector>

namespace oracle {

using Wide = __float128;
using Coefficients = std::vector<Wide>;

inline Wide magnitude(Wide x) { return x < 0 ? -x : x; }

inline Wide value(const Coefficients& c, Wide t) {
    Wide sum = 0;
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * t + c[k];
    return sum;
}

inline Wide rounding(const Coefficients& c, Wide t) {
    Wide sum = 0;
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * magnitude(t) + magnitude(c[k]);
    return sum * Wide(1e-32);
}

inline int sign(const Coefficients& c, Wide t) {
    const Wide v = value(c, t);
    if (magnitude(v) <= rounding(c, t)) return 0;
    return v > 0 ? 1 : -1;
}

struct Roots {
    std::vector<Wide> times;
    bool doubtful = false; // an extremum or an end is zero as far as 113 bits can tell
};

// Sign-changing roots in the open interval (from, to).
inline Roots roots(const Coefficients& c, Wide from, Wide to) {
    if (c.size() <= 1) return {};
    Coefficients derivative(c.size() - 1);
    for (std::size_t k = 1; k < c.size(); ++k) derivative[k - 1] = Wide(static_cast<int>(k)) * c[k];
    std::vector<Wide> nodes = roots(derivative, from, to).times;
    nodes.insert(nodes.begin(), from);
    nodes.push_back(to);
    Roots result;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
        Wide a = nodes[i];
        Wide b = nodes[i + 1];
        const int left = sign(c, a);
        const int right = sign(c, b);
        result.doubtful |= left == 0 || right == 0;
        const bool rises = value(c, a) < 0;
        if ((value(c, b) < 0) == rises) continue;
        for (int step = 0; step < 120; ++step) {
            const Wide middle = (a + b) / 2;
            if ((value(c, middle) < 0) == rises)
                a = middle;
            else
                b = middle;
        }
        result.times.push_back((a + b) / 2);
    }
    return result;
}

} // namespace oracle
