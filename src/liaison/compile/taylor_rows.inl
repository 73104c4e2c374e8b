// SPDX-License-Identifier: Apache-2.0
// The formulas of taylor_step.cpp on rows; for row_variants.hpp.

LIAISON_ROWS void take_log2(const Row& x, Row& y) {
    y = __builtin_convertvector(reinterpret_cast<Mask>(x), Row) * 0x1p-52 - 1023.0;
}
LIAISON_ROWS void take_exp2(const Row& y, Row& x) {
    const Row low = Row{} - 1000.0;
    const Row high = Row{} + 1000.0;
    Row bounded = y > low ? y : low; // not a number: low
    bounded = high < bounded ? high : bounded;
    x = reinterpret_cast<Row>(
        __builtin_convertvector((bounded + (1023.0 - k_rough_centre)) * 0x1p52, Mask));
}
LIAISON_ROWS void take_root(const Row& x, const Row& y, double inverse, double inverse_before,
                            Row& root) {
    Row by_last;
    Row by_before;
    take_log2(x, by_last);
    take_log2(y, by_before);
    by_last *= inverse;
    by_before *= inverse_before;
    take_larger(by_last, by_before);
    take_exp2(-by_last, root);
}
// `rows`: the series of the states one after the other, order + 1 rows each.
LIAISON_ROW_TARGET void choose_steps(const double* rows, std::size_t n, std::size_t order,
                                     const Tolerance* tolerance, double* steps) {
    const std::size_t length = (order + 1) * k_lanes;
    const double inverse = 1.0 / static_cast<double>(order);
    const double inverse_before = 1.0 / (static_cast<double>(order) - 1.0);
    Row size{};
    Row last{};
    Row before{};
    Mask finite = ~Mask{};
    Row c;
    Row d;
    for (std::size_t i = 0; i < n; ++i) {
        const double* const s = rows + i * length;
        load_row(s, c);
        take_size(c, d);
        take_larger(size, d);
        load_row(s + order * k_lanes, c);
        take_size(c, d);
        finite &= d <= k_largest;
        take_larger(last, d);
        load_row(s + (order - 1) * k_lanes, c);
        take_size(c, d);
        finite &= d <= k_largest;
        take_larger(before, d);
    }
    const Row zero{};
    auto polynomial = (last == zero) & (before == zero);
    const Row target = 1.0 / (tolerance->absolute + tolerance->relative * size);
    Row guess;
    take_root(last * target, before * target, inverse, inverse_before, guess);
    last = before = zero;
    for (std::size_t i = 0; i < n; ++i) {
        const double* const s = rows + i * length;
        Row over;
        load_row(s, c);
        take_size(c, over);
        load_row(s + k_lanes, c);
        take_size(c, d);
        take_larger(over, d * guess);
        const Row scale = 1.0 / (k_share * (tolerance->absolute + tolerance->relative * over));
        load_row(s + order * k_lanes, c);
        take_size(c, d);
        take_larger(last, d * scale);
        load_row(s + (order - 1) * k_lanes, c);
        take_size(c, d);
        take_larger(before, d * scale);
    }
    polynomial |= (last == zero) & (before == zero);
    Row step;
    take_root(last, before, inverse, inverse_before, step);
    step = polynomial ? Row{} + k_unbounded : step;
    step = finite ? step : zero;
    store_row(steps, step);
}

LIAISON_ROW_TARGET void limit_steps(const double* series, std::size_t n, double allowed,
                                    const double* counts, double* steps) {
    const Row zero{};
    Row c;
    Row first;
    Row last;
    Row before;
    Row root;
    Row step;
    Row counted;
    load_row(series, c);
    take_size(c, first);
    load_row(series + n * k_lanes, c);
    take_size(c, last);
    load_row(series + (n - 1) * k_lanes, c);
    take_size(c, before);
    load_row(steps, step);
    load_row(counts, counted);
    const Row scale = 1.0 / (allowed * (1.0 + first));
    take_root(last * scale, before * scale, 1.0 / static_cast<double>(n),
              1.0 / static_cast<double>(n - 1), root);
    root = ((last == zero) & (before == zero)) ? Row{} + k_unbounded : root;
    root = last + before <= k_largest ? root : zero;
    root = root < step ? root : step;
    store_row(steps, counted != zero ? root : step);
}

LIAISON_ROW_TARGET void truncations(const double* series, std::size_t n, const double* tau,
                                    double* result) {
    Row t;
    Row last;
    Row before;
    Row a;
    Row b;
    load_row(tau, t);
    load_row(series + n * k_lanes, last);
    load_row(series + (n - 1) * k_lanes, before);
    Row x;
    take_size(t, x);
    Row power = Row{} + 1.0;
    for (std::size_t k = n - 1; k > 0; k >>= 1, x *= x)
        if ((k & 1) != 0) power *= x;
    take_size(before, a);
    take_size(last * t, b);
    a *= power;
    take_larger(a, b * power);
    store_row(result, a);
}

LIAISON_ROW_TARGET void evaluate(const double* c, std::size_t size, const double* tau,
                                 double* values, double* lows) {
    Row t;
    Row low;
    Row next;
    load_row(tau, t);
    load_row(lows, low);
    const Row square = t * t;
    Row first{};
    Row second{};
    std::size_t k = size;
    if ((size & 1) == 0) load_row(c + --k * k_lanes, first);
    for (; k >= 3; k -= 2) {
        load_row(c + (k - 1) * k_lanes, next);
        fma_rows(second, square, next, second);
        load_row(c + (k - 2) * k_lanes, next);
        fma_rows(first, square, next, first);
    }
    Row rest;
    fma_rows(second, t, first, rest);
    Row c0;
    load_row(c, c0);
    const Row increment = rest * t;
    Row lost;
    fma_rows(rest, t, -increment, lost);
    lost += low;
    const Row sum = c0 + increment;
    const Row virtual_increment = sum - c0;
    const Row error = (c0 - (sum - virtual_increment)) + (increment - virtual_increment);
    const Row carried = error + lost;
    const Row value = sum + carried;
    store_row(values, value);
    store_row(lows, carried - (value - sum));
}
