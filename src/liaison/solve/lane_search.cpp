// SPDX-License-Identifier: Apache-2.0
// Terms, Bernstein coefficients and their signs in vectors of four; then Halley's iteration and one compensated value.
#include "liaison/solve/lane_search.hpp"

#include "liaison/compile/fma_dispatch.hpp"
#include "liaison/solve/bernstein_weights.hpp"
#include "liaison/solve/double_length.hpp"
#include "liaison/solve/four.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace liaison::solve {
namespace {

constexpr std::size_t k_lanes = k_search_lanes;
constexpr std::size_t k_lane_room = (k_max_degree / 8 + 1) * 8;

using Bits = std::int64_t __attribute__((vector_size(32)));
using Passage = UsualStep::Passage;

#define LIAISON_LANES [[gnu::always_inline]] inline

LIAISON_LANES void take_size(const Four& x, Four& size) { size = x < 0 ? -x : x; }
LIAISON_LANES void add_product(const Four& a, const Four& b, Four& sum) {
    Four result;
    for (int l = 0; l < 4; ++l) result[l] = __builtin_fma(a[l], b[l], sum[l]);
    sum = result;
}
LIAISON_LANES bool any(const Bits& mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }

// P, or P/t where the start is a known zero, and its form on [0, h].
struct LaneLook {
    alignas(32) std::array<Four, k_lane_room> a; // coefficients
    std::array<Four, k_lane_room> b; // Bernstein coefficients
    Four h;
    Four band;
    Four first;
    Four where; // of a passage, as a fraction of h
    Bits clear;
    Bits once;
};

struct ReadCoefficients {
    LIAISON_LANES static void run(const double* c, std::size_t size, const char* at_zero,
                                  LaneLook* look) {
        Bits shifted;
        for (std::size_t l = 0; l < k_lanes; ++l) shifted[l] = at_zero[l] != 0 ? -1 : 0;
        if (!any(shifted)) {
            for (std::size_t k = 0; k < size; ++k) load_four(c + k * k_lanes, look->a[k]);
            return;
        }
        Four here;
        load_four(c, here);
        for (std::size_t k = 0; k < size; ++k) {
            Four next{};
            if (k + 1 < size) load_four(c + (k + 1) * k_lanes, next);
            look->a[k] = shifted ? next : here;
            here = next;
        }
    }
};

// The proofs of usual_step(), with the same margins: here a term has at most n roundings of its power and one of the
// product, and a sum at most n additions.
struct Prove {
    LIAISON_LANES static void run(std::size_t size, const BernsteinWeights* weights,
                                  LaneLook* look) {
        const std::size_t n = size - 1;
        const Four zero{};
        const Four one = zero + 1.0;
        const Four h = look->h;
        std::array<Four, k_lane_room> term;
        std::array<Four, 4> power{one, h, h * h, h * h * h};
        const Four advance = power[2] * power[2];
        term[0] = look->a[0];
        Four up{};
        Four down{};
        Four last_power = one;
        for (std::size_t k = 1; k <= n; ++k) {
            Four& p = power[k % 4];
            if (k >= 4) p *= advance;
            last_power = p;
            const Four t = look->a[k] * p;
            term[k] = t;
            // not a number: neither sum would see it, so it goes into both
            up += t > zero ? t : t * zero;
            down += t < zero ? -t : t * zero;
        }
        const Four first = term[0];
        const Four others = up + down;
        Four size_of_first;
        take_size(first, size_of_first);
        const Four total = size_of_first + others;
        constexpr double k_tiny = 1e-290;
        const double gamma = 1.01 * static_cast<double>(2 * n + 8) * k_unit_roundoff;
        const Four slack = gamma * total + look->band * (1 + gamma) + k_tiny;
        // Numbers whose powers come near the ends of the range are not for lanes.
        const Bits moderate = (last_power > 1e-150) & (last_power < 1e20) & (total > 1e-100) &
                              (total < 1e100) & (look->band < 1e100);
        const Four pull = first > zero ? down : up;
        look->first = first;
        look->once = Bits{};
        look->where = zero;
        look->clear = (size_of_first - pull > slack) & moderate;
        Four end;
        take_size(first + (up - down), end);
        const Bits open = ~look->clear & moderate & (end > slack);
        if (!any(open)) return;

        const std::size_t stride = weights->stride;
        constexpr std::size_t k_block = 4;
        for (std::size_t i = 0; i <= n; i += k_block) {
            std::array<Four, k_block> sum{};
            const std::size_t last = std::min(n, i + k_block - 1);
            const double* w = weights->column.data() + i;
            for (std::size_t k = 0; k <= last; ++k, w += stride)
                for (std::size_t j = 0; j < k_block; ++j)
                    add_product(Four{w[j], w[j], w[j], w[j]}, term[k], sum[j]);
            for (std::size_t j = 0; j < k_block; ++j) look->b[i + j] = sum[j];
        }
        // Coefficients beyond the margin on the side of the start, counted from the left; on the other side, from the
        // right.
        const Four margin = 1.02 * gamma * size_of_first + look->band * (1 + 2 * gamma) + k_tiny;
        const Four slope = 1.02 * gamma * others / static_cast<double>(n);
        const Four side = first > zero ? one : -one;
        Four before{};
        Four after{};
        Bits unbroken = open;
        Four certain = margin; // beyond margin + i·slope
        for (std::size_t i = 0; i <= n; ++i, certain += slope) {
            unbroken &= side * look->b[i] > certain;
            before += unbroken ? one : zero;
        }
        const double count = static_cast<double>(n) + 1.0;
        look->clear |= open & (before == count);
        const Bits rest = open & ~look->clear & (before > zero);
        if (!any(rest)) return;
        unbroken = rest;
        for (std::size_t i = n + 1; i-- > 0;) {
            certain -= slope;
            unbroken &= -side * look->b[i] > certain;
            after += unbroken ? one : zero;
        }
        look->once = rest & (after > zero) & (before + after >= count - 1.0);
        for (std::size_t l = 0; l < k_lanes; ++l) {
            if (look->once[l] == 0) continue;
            const auto from = static_cast<std::size_t>(before[l]) - 1;
            const auto to = n + 1 - static_cast<std::size_t>(after[l]);
            const double at = look->b[from][l];
            const double place = at / (at - look->b[to][l]) * static_cast<double>(to - from);
            look->where[l] = (static_cast<double>(from) + place) / static_cast<double>(n);
        }
    }
};

struct Polished {
    Four x;
    Four correction;
    Four slope;
    Four error;
    Bits good;
};

struct Polish {
    LIAISON_LANES static void fma(const Four& a, const Four& b, const Four& c, Four& result) {
        for (int l = 0; l < 4; ++l) result[l] = __builtin_fma(a[l], b[l], c[l]);
    }

    // One step of Halley's iteration, as ApproximateRoot of polish.cpp.
    LIAISON_LANES static void halley(const Four* a, std::size_t size, const Four& x, Four& value,
                                     Four& step) {
        const Four y = x * x;
        Four even{}, even1{}, even2{}, odd{}, odd1{}, odd2{};
        std::size_t k = size;
        if ((k & 1) != 0) even = a[--k];
        for (; k >= 2; k -= 2) {
            fma(odd2, y, odd1, odd2);
            fma(odd1, y, odd, odd1);
            fma(odd, y, a[k - 1], odd);
            fma(even2, y, even1, even2);
            fma(even1, y, even, even1);
            fma(even, y, a[k - 2], even);
        }
        Four inner;
        fma(x, odd, even, value);
        fma(x, odd1, even1, inner);
        const Four slope = odd + 2 * x * inner;
        fma(x, odd2, even2, inner);
        const Four half_curvature = even1 + x * (3 * odd1 + 4 * x * inner);
        const Four newton = -value / slope;
        step = newton / (1 + newton * (half_curvature / slope));
    }

    // The value at x to double length with the bound of its error, as compensated_horner, and the slope.
    LIAISON_LANES static void value_at(const Four* a, std::size_t size, const Four& x, Four& value,
                                       Four& error, Four& slope) {
        Four correction{};
        Four modulus{};
        Four first{};
        value = first;
        slope = first;
        for (std::size_t k = size; k-- > 0;) {
            slope = slope * x + value;
            const Four c = a[k];
            const Four product = value * x;
            Four product_error;
            for (int l = 0; l < 4; ++l)
                product_error[l] = __builtin_fma(value[l], x[l], -product[l]);
            const Four sum = product + c;
            const Four c_virtual = sum - product;
            const Four sum_error = (product - (sum - c_virtual)) + (c - c_virtual);
            value = sum;
            correction = correction * x + (product_error + sum_error);
            Four size_of_c;
            take_size(c, size_of_c);
            modulus = modulus * x + size_of_c; // x > 0
        }
        const double gamma = 2.0 * static_cast<double>(size) * k_unit_roundoff;
        value += correction;
        error = 1.1 * gamma * gamma * modulus + 1e-300;
    }

    LIAISON_LANES static void run(std::size_t size, const LaneLook* look, Polished* result) {
        constexpr int k_most = 12; // more are for the safeguards of polish_root
        const Four* const a = look->a.data();
        const Four zero{};
        const Four side = look->first > zero ? zero + 1.0 : zero - 1.0;
        const Bits inside = look->once & (look->where > zero) & (look->where < 1.0);
        Four lower{};
        Four upper = look->h;
        Four x = inside ? look->h * look->where : 0.5 * look->h;
        Four last_step = upper;
        Bits open = inside;
        Four value;
        Four step;
        for (int i = 0; i < k_most && any(open); ++i) {
            halley(a, size, x, value, step);
            const Bits left = side * value > zero;
            lower = open & left ? x : lower;
            upper = open & ~left ? x : upper;
            Four next = x + step;
            Four size_of_step;
            Four size_of_last;
            take_size(step, size_of_step);
            take_size(last_step, size_of_last);
            // cubic convergence: what is left after a small step is its cube
            const Bits small = size_of_step <= 3e-6 * x;
            const Bits astray =
                ~((next > lower) & (next < upper)) | (size_of_step > 0.5 * size_of_last);
            const Four clamped = next < lower ? lower : (next > upper ? upper : next);
            next = small ? clamped : (astray ? 0.5 * (lower + upper) : next);
            last_step = open ? next - x : last_step;
            x = open ? next : x;
            open &= ~small;
        }
        Four slope;
        Four error;
        value_at(a, size, x, value, error, slope);
        step = -value / slope;
        Four size_of_value;
        Four size_of_step;
        take_size(value, size_of_value);
        const Bits vanishes = size_of_value <= error;
        step = vanishes ? zero : step;
        take_size(step, size_of_step);
        const Four next = x + step;
        constexpr double k_near = 32 * k_unit_roundoff;
        result->good = inside & ~open & (size_of_step <= k_near * x) & (side * slope < zero);
        result->correction = step - (next - x);
        result->x = next;
        result->slope = slope;
        result->error = error;
    }
};

#undef LIAISON_LANES

// x^k by squaring.
double whole_power(double x, int k) {
    double result = 1.0;
    for (; k > 0; k >>= 1, x *= x)
        if ((k & 1) != 0) result *= x;
    return result;
}

} // namespace

void search_lanes(const LaneQuery& query, std::array<LaneRoot, k_search_lanes>& found) {
    found.fill({});
    const std::size_t size = query.coefficients.size() / k_lanes;
    if (size < 3 || size > k_max_degree + 1) return;
    LaneLook look;
    compile::run_dispatched<ReadCoefficients>(query.coefficients.data(), size, query.at_zero.data(),
                                              &look);
    std::array<double, k_lanes> band{};
    for (std::size_t l = 0; l < k_lanes; ++l) {
        const bool asked = query.wanted[l] != 0 && query.h[l] > 0.0;
        look.h[l] = asked ? query.h[l] : 1.0;
        band[l] = asked ? query.rho[l] : 0.0;
        if (query.at_zero[l] != 0) band[l] /= look.h[l];
        look.band[l] = band[l];
    }
    const BernsteinWeights& weights = bernstein_weights(size - 1);
    compile::run_dispatched<Prove>(size, &weights, &look);
    const Four whole = look.h;
    Bits open;
    bool some = false;
    for (std::size_t l = 0; l < k_lanes; ++l) {
        open[l] = query.wanted[l] != 0 && look.clear[l] == 0 && look.once[l] == 0 ? -1 : 0;
        some = some || open[l] != 0;
    }
    const Bits clear = look.clear;
    if (some) {
        // For the first root nothing needs to be known about the second half, if it lies in the first one.
        const Bits once = look.once;
        const Four where = look.where;
        look.h = open ? 0.5 * whole : whole;
        compile::run_dispatched<Prove>(size, &weights, &look);
        look.once = (once & ~open) | (look.once & open);
        look.where = open ? look.where : where;
    }
    bool passes = false;
    for (std::size_t l = 0; l < k_lanes; ++l) {
        LaneRoot& root = found[l];
        root.side = look.first[l] > 0.0 ? 1 : -1;
        if (query.wanted[l] == 0 || look.first[l] == 0.0) continue;
        if (clear[l] != 0)
            root.passage = Passage::clear;
        else if (look.once[l] != 0)
            passes = true;
    }
    if (!passes) return;
    Polished polished;
    compile::run_dispatched<Polish>(size, &look, &polished);
    for (std::size_t l = 0; l < k_lanes; ++l) {
        LaneRoot& root = found[l];
        if (query.wanted[l] == 0 || clear[l] != 0 || polished.good[l] == 0) continue;
        const double x = polished.x[l];
        const int m = query.at_zero[l] != 0 ? 1 : 0;
        const double in_band =
            band[l] * whole_power(std::fmin(1.0, x / whole[l]), query.remainder_order - m);
        root.passage = Passage::once;
        root.time = x;
        root.correction = polished.correction[l];
        root.derivative = m == 0 ? polished.slope[l] : polished.slope[l] * x;
        constexpr double k_bracket = 64 * k_unit_roundoff;
        root.accuracy =
            std::max((in_band + polished.error[l]) / std::fabs(polished.slope[l]), k_bracket * x);
    }
}

} // namespace liaison::solve
