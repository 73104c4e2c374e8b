// SPDX-License-Identifier: Apache-2.0
// Terms, Bernstein coefficients and their signs in rows; then Halley's iteration and one compensated value. For
// row_variants.hpp.

// P, or P/t where the start is a known zero, and its form on [0, h].
struct Look {
    std::array<Row, k_lane_room> a; // coefficients
    std::array<Row, k_lane_room> b; // Bernstein coefficients
    Row h;
    Row band;
    Row first;
    Row where; // of a passage, as a fraction of h
    Mask clear;
    Mask once;
};

LIAISON_ROWS void read(const double* c, std::size_t size, const Mask& shifted, Look* look) {
    if (!any_lane(shifted)) {
        for (std::size_t k = 0; k < size; ++k) load_row(c + k * k_lanes, look->a[k]);
        return;
    }
    Row here;
    load_row(c, here);
    for (std::size_t k = 0; k + 1 < size; ++k) {
        Row next;
        load_row(c + (k + 1) * k_lanes, next);
        look->a[k] = shifted ? next : here;
        here = next;
    }
    look->a[size - 1] = shifted ? Row{} : here;
}

// The proofs of usual_step(), with the same margins: here a term has at most n roundings of its power and one of the
// product, and a sum at most n additions.
LIAISON_ROWS void prove(std::size_t size, const BernsteinWeights* weights, Look* look) {
    const std::size_t n = size - 1;
    const Row zero{};
    const Row one = zero + 1.0;
    const Row h = look->h;
    std::array<Row, k_lane_room> term;
    std::array<Row, 4> power{one, h, h * h, h * h * h};
    const Row advance = power[2] * power[2];
    term[0] = look->a[0];
    Row up{};
    Row down{};
    Row last_power = one;
    for (std::size_t k = 1; k <= n; ++k) {
        Row& p = power[k % 4];
        if (k >= 4) p *= advance;
        last_power = p;
        const Row t = look->a[k] * p;
        term[k] = t;
        // not a number: neither sum would see it, so it goes into both
        up += t > zero ? t : t * zero;
        down += t < zero ? -t : t * zero;
    }
    const Row first = term[0];
    const Row others = up + down;
    Row size_of_first;
    take_size(first, size_of_first);
    const Row total = size_of_first + others;
    constexpr double k_tiny = 1e-290;
    const double gamma = 1.01 * static_cast<double>(2 * n + 8) * k_unit_roundoff;
    const Row slack = gamma * total + look->band * (1 + gamma) + k_tiny;
    // Numbers whose powers come near the ends of the range are not for lanes.
    const Mask moderate = (last_power > 1e-150) & (last_power < 1e20) & (total > 1e-100) &
                          (total < 1e100) & (look->band < 1e100);
    const Row pull = first > zero ? down : up;
    look->first = first;
    look->once = Mask{};
    look->where = zero;
    look->clear = (size_of_first - pull > slack) & moderate;
    Row end;
    take_size(first + (up - down), end);
    const Mask open = ~look->clear & moderate & (end > slack);
    if (!any_lane(open)) return;

    const std::size_t stride = weights->stride;
    constexpr std::size_t k_block = 4;
    for (std::size_t i = 0; i <= n; i += k_block) {
        std::array<Row, k_block> sum{};
        const std::size_t last = std::min(n, i + k_block - 1);
        const double* w = weights->column.data() + i;
        for (std::size_t k = 0; k <= last; ++k, w += stride)
            for (std::size_t j = 0; j < k_block; ++j)
                fma_rows(w[j] - zero, term[k], sum[j], sum[j]);
        for (std::size_t j = 0; j < k_block; ++j) look->b[i + j] = sum[j];
    }
    // The first coefficient that is not certainly on the side of the start, the last that is not certainly on the
    // other one. Certain is what lies beyond margin + i·slope.
    const Row margin = 1.02 * gamma * size_of_first + look->band * (1 + 2 * gamma) + k_tiny;
    const Row slope = 1.02 * gamma * others / static_cast<double>(n);
    const Row side = first > zero ? one : -one;
    const double count = static_cast<double>(n) + 1.0;
    Row ends = zero + count; // the side of the start
    Row begins = -one; // the other side, one before
    Row certain = margin;
    Row place = zero;
    for (std::size_t i = 0; i <= n; ++i) {
        const Row value = side * look->b[i];
        const Row here = value > certain ? zero + count : place;
        ends = here < ends ? here : ends;
        begins = value < -certain ? begins : place;
        certain += slope;
        place += one;
    }
    look->clear |= open & (ends == count);
    look->once = open & (ends > zero) & (ends < count) & (begins < count - 1.0) & (begins <= ends);
    if (!any_lane(look->once)) return;
    // Between its neighbours that are certain, the root as on a straight line.
    Row at;
    Row to;
    for (std::size_t l = 0; l < k_lanes; ++l) {
        const bool passes = look->once[l] != 0;
        at[l] = look->b[passes ? static_cast<std::ptrdiff_t>(ends[l]) - 1 : 0][l];
        to[l] = look->b[passes ? static_cast<std::ptrdiff_t>(begins[l]) + 1 : n][l];
    }
    const Row from = ends - 1.0;
    look->where = (from + at / (at - to) * (begins + 1.0 - from)) / static_cast<double>(n);
}

struct Polished {
    Row x;
    Row correction;
    Row slope;
    Row error;
    Mask good;
};

// One step of Halley's iteration, as ApproximateRoot of polish.cpp.
LIAISON_ROWS void halley(const Row* a, std::size_t size, const Row& x, Row& value, Row& step) {
    const Row y = x * x;
    Row even{}, even1{}, even2{}, odd{}, odd1{}, odd2{};
    std::size_t k = size;
    if ((k & 1) != 0) even = a[--k];
    for (; k >= 2; k -= 2) {
        fma_rows(odd2, y, odd1, odd2);
        fma_rows(odd1, y, odd, odd1);
        fma_rows(odd, y, a[k - 1], odd);
        fma_rows(even2, y, even1, even2);
        fma_rows(even1, y, even, even1);
        fma_rows(even, y, a[k - 2], even);
    }
    Row inner;
    fma_rows(x, odd, even, value);
    fma_rows(x, odd1, even1, inner);
    const Row slope = odd + 2 * x * inner;
    fma_rows(x, odd2, even2, inner);
    const Row half_curvature = even1 + x * (3 * odd1 + 4 * x * inner);
    step = -value * slope / (slope * slope - value * half_curvature);
}

// The value at x to double length with the bound of its error, as compensated_horner, and the slope.
LIAISON_ROWS void value_at(const Row* a, std::size_t size, const Row& x, Row& value, Row& error,
                           Row& slope) {
    Row correction{};
    Row modulus{};
    Row first{};
    value = first;
    slope = first;
    for (std::size_t k = size; k-- > 0;) {
        slope = slope * x + value;
        const Row c = a[k];
        const Row product = value * x;
        Row product_error;
        fma_rows(value, x, -product, product_error);
        const Row sum = product + c;
        const Row c_virtual = sum - product;
        const Row sum_error = (product - (sum - c_virtual)) + (c - c_virtual);
        value = sum;
        correction = correction * x + (product_error + sum_error);
        Row size_of_c;
        take_size(c, size_of_c);
        modulus = modulus * x + size_of_c; // x > 0
    }
    const double gamma = 2.0 * static_cast<double>(size) * k_unit_roundoff;
    value += correction;
    error = 1.1 * gamma * gamma * modulus + 1e-300;
}

LIAISON_ROWS void polish(std::size_t size, const Look* look, Polished* result) {
    constexpr int k_most = 12; // more are for the safeguards of polish_root
    const Row* const a = look->a.data();
    const Row zero{};
    const Row side = look->first > zero ? zero + 1.0 : zero - 1.0;
    const Mask inside = look->once & (look->where > zero) & (look->where < 1.0);
    Row lower{};
    Row upper = look->h;
    Row x = inside ? look->h * look->where : 0.5 * look->h;
    Row last_step = upper;
    Mask open = inside;
    Row value;
    Row step;
    for (int i = 0; i < k_most && any_lane(open); ++i) {
        halley(a, size, x, value, step);
        const Mask left = side * value > zero;
        lower = open & left ? x : lower;
        upper = open & ~left ? x : upper;
        Row next = x + step;
        Row size_of_step;
        Row size_of_last;
        take_size(step, size_of_step);
        take_size(last_step, size_of_last);
        // cubic convergence: what is left after a small step is its cube
        const Mask small = size_of_step <= 3e-6 * x;
        const Mask astray =
            ~((next > lower) & (next < upper)) | (size_of_step > 0.5 * size_of_last);
        const Row clamped = next < lower ? lower : (next > upper ? upper : next);
        next = small ? clamped : (astray ? 0.5 * (lower + upper) : next);
        last_step = open ? next - x : last_step;
        x = open ? next : x;
        open &= ~small;
    }
    Row slope;
    Row error;
    value_at(a, size, x, value, error, slope);
    step = -value / slope;
    Row size_of_value;
    Row size_of_step;
    take_size(value, size_of_value);
    const Mask vanishes = size_of_value <= error;
    step = vanishes ? zero : step;
    take_size(step, size_of_step);
    const Row next = x + step;
    constexpr double k_near = 32 * k_unit_roundoff;
    result->good = inside & ~open & (size_of_step <= k_near * x) & (side * slope < zero);
    result->correction = step - (next - x);
    result->x = next;
    result->slope = slope;
    result->error = error;
}

LIAISON_ROW_TARGET void search(const LaneQuery& query, std::size_t size,
                               const BernsteinWeights* weights, LaneRoots& found) {
    const Row zero{};
    Mask wanted;
    Mask at_zero;
    read_mask(query.wanted.data(), wanted);
    read_mask(query.at_zero.data(), at_zero);
    Look look;
    read(query.coefficients.data(), size, at_zero, &look);
    Row whole;
    Row band;
    load_row(query.h.data(), whole);
    load_row(query.rho.data(), band);
    wanted &= whole > zero;
    whole = wanted ? whole : zero + 1.0;
    band = wanted ? band : zero;
    band = at_zero ? band / whole : band;
    look.h = whole;
    look.band = band;
    prove(size, weights, &look);
    const Mask clear = look.clear;
    const Mask open = wanted & ~clear & ~look.once;
    if (any_lane(open)) {
        // For the first root nothing needs to be known of what comes later: a part of the step, up to where the first two
        // terms let the root be expected (early in a chatter), else half of it.
        const Mask once = look.once;
        const Row where = look.where;
        const Row half = 0.5 * whole;
        const Row expected = -1.4 * look.a[0] / look.a[1];
        const Row part = expected > zero ? (expected < 0.9 * whole ? expected : half) : half;
        look.h = open ? part : whole;
        prove(size, weights, &look);
        look.once = (once & ~open) | (look.once & open);
        look.where = open ? look.where : where;
    }
    const Mask decided = wanted & (look.first != zero);
    write_mask(look.first > zero, found.above.data());
    write_mask(decided & clear, found.clear.data());
    look.once &= decided & ~clear;
    if (!any_lane(look.once)) return;
    Polished polished;
    polish(size, &look, &polished);
    write_mask(polished.good, found.once.data());
    const Row x = polished.x;
    Row steepness;
    take_size(polished.slope, steepness);
    // The remainder grows like the power of the time.
    Row base = x / whole;
    base = base < 1.0 ? base : zero + 1.0;
    Row share = at_zero ? zero + 1.0 : base;
    for (int k = query.remainder_order - 1; k > 0; k >>= 1, base *= base)
        if ((k & 1) != 0) share *= base;
    constexpr double k_bracket = 64 * k_unit_roundoff;
    Row accuracy = (band * share + polished.error) / steepness;
    take_larger(accuracy, k_bracket * x);
    store_row(found.time.data(), x);
    store_row(found.correction.data(), polished.correction);
    store_row(found.derivative.data(), at_zero ? polished.slope * x : polished.slope);
    store_row(found.accuracy.data(), accuracy);
}
