// SPDX-License-Identifier: Apache-2.0
// The formulas of taylor_step.cpp on vectors of four.
#include "liaison/compile/taylor_lanes.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/compile/fma_dispatch.hpp"
#include "liaison/compile/step_rule.hpp"

#include <cstdint>
#include <cstring>
#include <limits>

namespace liaison::compile {
namespace {

using Four = double __attribute__((vector_size(32)));
using Bits = std::int64_t __attribute__((vector_size(32)));

constexpr double k_unbounded = std::numeric_limits<double>::infinity();
constexpr double k_largest = std::numeric_limits<double>::max();

#define LIAISON_LANES [[gnu::always_inline]] inline

LIAISON_LANES void load(const double* from, Four& to) { std::memcpy(&to, from, sizeof to); }
LIAISON_LANES void store(double* to, const Four& from) { std::memcpy(to, &from, sizeof from); }
// By reference: a vector returned by value has another calling convention with and without AVX.
LIAISON_LANES void take_larger(Four& a, const Four& b) { a = a < b ? b : a; }
LIAISON_LANES void take_size(const Four& x, Four& size) {
    constexpr std::int64_t k_magnitude = std::numeric_limits<std::int64_t>::max();
    size = reinterpret_cast<Four>(reinterpret_cast<Bits>(x) & k_magnitude);
}
LIAISON_LANES void take_log2(const Four& x, Four& y) {
    y = __builtin_convertvector(reinterpret_cast<Bits>(x), Four) * 0x1p-52 - 1023.0;
}
LIAISON_LANES void take_exp2(const Four& y, Four& x) {
    const Four low = Four{} - 1000.0;
    const Four high = Four{} + 1000.0;
    Four bounded = y > low ? y : low; // not a number: low
    bounded = high < bounded ? high : bounded;
    x = reinterpret_cast<Four>(
        __builtin_convertvector((bounded + (1023.0 - k_rough_centre)) * 0x1p52, Bits));
}
LIAISON_LANES void take_root(const Four& x, const Four& y, double inverse, double inverse_before,
                             Four& root) {
    Four by_last;
    Four by_before;
    take_log2(x, by_last);
    take_log2(y, by_before);
    by_last *= inverse;
    by_before *= inverse_before;
    take_larger(by_last, by_before);
    take_exp2(-by_last, root);
}

struct ChooseSteps {
    // `rows`: the series of the states one after the other, order + 1 rows each.
    LIAISON_LANES static void run(const double* rows, std::size_t n, std::size_t order,
                                  const Tolerance* tolerance, double* steps) {
        const std::size_t length = (order + 1) * k_lanes;
        const double inverse = 1.0 / static_cast<double>(order);
        const double inverse_before = 1.0 / (static_cast<double>(order) - 1.0);
        Four size{};
        Four last{};
        Four before{};
        Bits finite = ~Bits{};
        Four c;
        Four d;
        for (std::size_t i = 0; i < n; ++i) {
            const double* const s = rows + i * length;
            load(s, c);
            take_size(c, d);
            take_larger(size, d);
            load(s + order * k_lanes, c);
            take_size(c, d);
            finite &= d <= k_largest;
            take_larger(last, d);
            load(s + (order - 1) * k_lanes, c);
            take_size(c, d);
            finite &= d <= k_largest;
            take_larger(before, d);
        }
        const Four zero{};
        auto polynomial = (last == zero) & (before == zero);
        const Four target = 1.0 / (tolerance->absolute + tolerance->relative * size);
        Four guess;
        take_root(last * target, before * target, inverse, inverse_before, guess);
        last = before = zero;
        for (std::size_t i = 0; i < n; ++i) {
            const double* const s = rows + i * length;
            Four over;
            load(s, c);
            take_size(c, over);
            load(s + k_lanes, c);
            take_size(c, d);
            take_larger(over, d * guess);
            const Four scale = 1.0 / (k_share * (tolerance->absolute + tolerance->relative * over));
            load(s + order * k_lanes, c);
            take_size(c, d);
            take_larger(last, d * scale);
            load(s + (order - 1) * k_lanes, c);
            take_size(c, d);
            take_larger(before, d * scale);
        }
        polynomial |= (last == zero) & (before == zero);
        Four step;
        take_root(last, before, inverse, inverse_before, step);
        step = polynomial ? Four{} + k_unbounded : step;
        step = finite ? step : zero;
        store(steps, step);
    }
};

struct LimitSteps {
    LIAISON_LANES static void run(const double* series, std::size_t n, double allowed,
                                  const double* counts, double* steps) {
        const Four zero{};
        Four c;
        Four first;
        Four last;
        Four before;
        Four root;
        Four step;
        Four counted;
        load(series, c);
        take_size(c, first);
        load(series + n * k_lanes, c);
        take_size(c, last);
        load(series + (n - 1) * k_lanes, c);
        take_size(c, before);
        load(steps, step);
        load(counts, counted);
        const Four scale = 1.0 / (allowed * (1.0 + first));
        take_root(last * scale, before * scale, 1.0 / static_cast<double>(n),
                  1.0 / static_cast<double>(n - 1), root);
        root = ((last == zero) & (before == zero)) ? Four{} + k_unbounded : root;
        root = last + before <= k_largest ? root : zero;
        root = root < step ? root : step;
        store(steps, counted != zero ? root : step);
    }
};

struct Truncations {
    LIAISON_LANES static void run(const double* series, std::size_t n, const double* tau,
                                  double* result) {
        Four t;
        Four last;
        Four before;
        Four a;
        Four b;
        load(tau, t);
        load(series + n * k_lanes, last);
        load(series + (n - 1) * k_lanes, before);
        Four x;
        take_size(t, x);
        Four power = Four{} + 1.0;
        for (std::size_t k = n - 1; k > 0; k >>= 1, x *= x)
            if ((k & 1) != 0) power *= x;
        take_size(before, a);
        take_size(last * t, b);
        a *= power;
        take_larger(a, b * power);
        store(result, a);
    }
};

struct Evaluate {
    LIAISON_LANES static void run(const double* c, std::size_t size, const double* tau,
                                  double* values, double* lows) {
        Four t;
        Four low;
        Four next;
        load(tau, t);
        load(lows, low);
        const Four square = t * t;
        Four first{};
        Four second{};
        std::size_t k = size;
        if ((size & 1) == 0) load(c + --k * k_lanes, first);
        for (; k >= 3; k -= 2) {
            load(c + (k - 1) * k_lanes, next);
            for (int l = 0; l < 4; ++l) second[l] = __builtin_fma(second[l], square[l], next[l]);
            load(c + (k - 2) * k_lanes, next);
            for (int l = 0; l < 4; ++l) first[l] = __builtin_fma(first[l], square[l], next[l]);
        }
        Four rest;
        for (int l = 0; l < 4; ++l) rest[l] = __builtin_fma(second[l], t[l], first[l]);
        Four c0;
        load(c, c0);
        const Four increment = rest * t;
        Four lost;
        for (int l = 0; l < 4; ++l) lost[l] = __builtin_fma(rest[l], t[l], -increment[l]);
        lost += low;
        const Four sum = c0 + increment;
        const Four virtual_increment = sum - c0;
        const Four error = (c0 - (sum - virtual_increment)) + (increment - virtual_increment);
        const Four carried = error + lost;
        const Four value = sum + carried;
        store(values, value);
        store(lows, carried - (value - sum));
    }
};

#undef LIAISON_LANES

} // namespace

void choose_steps(const TaylorBatch& batch, const TaylorWorkspace& workspace,
                  const Tolerance& tolerance, LaneValues& steps) {
    LIAISON_ASSERT(batch.lanes() == k_lanes, "four lanes");
    run_dispatched<ChooseSteps>(batch.state(workspace, 0).data(), batch.plan().states.size(),
                                std::size_t{batch.order()}, &tolerance, steps.data());
}

void limit_steps(std::span<const double> series, double share, double tolerance,
                 const LaneValues& counts, LaneValues& steps) {
    run_dispatched<LimitSteps>(series.data(), series.size() / k_lanes - 1, share * tolerance,
                               counts.data(), steps.data());
}

void truncations(std::span<const double> series, const LaneValues& tau, LaneValues& result) {
    run_dispatched<Truncations>(series.data(), series.size() / k_lanes - 1, tau.data(),
                                result.data());
}

void evaluate_compensated(std::span<const double> series, const LaneValues& tau, double* values,
                          double* lows) {
    run_dispatched<Evaluate>(series.data(), series.size() / k_lanes, tau.data(), values, lows);
}

} // namespace liaison::compile
