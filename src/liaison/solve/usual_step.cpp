// SPDX-License-Identifier: Apache-2.0
// Terms of the step in four chains; exclusion by their signed sums; signs of the Bernstein coefficients.
#include "liaison/solve/usual_step.hpp"

#include "liaison/compile/fma_dispatch.hpp"
#include "liaison/solve/bernstein_weights.hpp"
#include "liaison/solve/four.hpp"

#include <array>
#include <cmath>

namespace liaison::solve {
namespace {

using Passage = UsualStep::Passage;

constexpr std::size_t k_room = (k_max_degree / 8 + 1) * 8;

struct Terms {
    std::array<double, k_room> term; // c_k h^k
    double up; // Σ_{k≥1} of the positive and of the negative ones, in size
    double down;
    double power; // h^k just beyond the last term
};

struct MakeTerms {
    [[gnu::always_inline]] static void run(const double* c, std::size_t size, double h,
                                           Terms* result) {
        double* const term = result->term.data();
        const double h2 = h * h;
        Four power{1.0, h, h2, h2 * h};
        const Four advance = Four{} + h2 * h2;
        const Four zero{};
        Four up{};
        Four down{};
        std::size_t k = 0;
        const auto take = [&](Four t) __attribute__((always_inline)) {
            // not a number: neither sum would see it, so it goes into both
            up += t > zero ? t : t * zero;
            down += t < zero ? -t : t * zero;
            store_four(term + k, t);
            power *= advance;
        };
        for (; k + 4 <= size; k += 4) {
            Four next;
            load_four(c + k, next);
            take(next * power);
        }
        if (k < size) {
            Four rest{};
            for (std::size_t l = 0; k + l < size; ++l) rest[l] = c[k + l] * power[l];
            take(rest);
        }
        result->up = (up[0] + up[1]) + (up[2] + up[3]) - (term[0] > 0 ? term[0] : 0.0);
        result->down = (down[0] + down[1]) + (down[2] + down[3]) + (term[0] < 0 ? term[0] : 0.0);
        result->power = power[0];
    }
};

// b_i has the sign `side` for all i: clear; up to some i, and then, after at most one that is uncertain, the other sign:
// one passage, at a fraction `where` of the part. Certain is what exceeds margin + i·slope.
UsualStep read_signs(const double* b, std::size_t n, double side, double margin, double slope) {
    const auto beyond = [&](std::size_t i, double sign) {
        return sign * b[i] > margin + static_cast<double>(i) * slope;
    };
    std::size_t i = 0;
    while (i <= n && beyond(i, side)) ++i;
    if (i > n) return {Passage::clear};
    const std::size_t last = i - 1; // on the side of the start
    if (i == 0) return {};
    if (!beyond(i, -side)) ++i;
    if (i > n) return {};
    const std::size_t first = i; // on the other side
    for (; i <= n; ++i)
        if (!beyond(i, -side)) return {};
    const double place = b[last] / (b[last] - b[first]) * static_cast<double>(first - last);
    return {Passage::once, (static_cast<double>(last) + place) / static_cast<double>(n)};
}

} // namespace

namespace {

// Terms of one step and what their roundings may amount to.
struct Look {
    Terms terms;
    std::size_t size = 0; // of all terms
    std::size_t n = 0; // degree without dust
    double side = 0.0; // of the start
    double margin = 0.0; // of a Bernstein coefficient: margin + slope · (mean of its arguments)
    double slope = 0.0;
    bool moderate = false;
};

// False: the answer is known without Bernstein coefficients.
bool look_at(std::span<const double> coefficients, double h, double band, Look& look,
             UsualStep& answer) {
    const std::size_t size = coefficients.size();
    if (size == 0 || size > k_max_degree + 1) return false;
    Terms& terms = look.terms;
    compile::run_dispatched<MakeTerms>(coefficients.data(), size, h, &terms);
    const double first = terms.term[0];
    const double others = terms.up + terms.down;
    const double total = std::fabs(first) + others;
    constexpr double k_largest = 1e280;
    if (!(total + band < k_largest)) return false;
    // Terms at the end that are no more than this share of all go into the band.
    constexpr double k_dust = 0x1p-66;
    const double dust = k_dust * total;
    std::size_t n = size - 1;
    const auto small = [&](std::size_t k) { return std::fabs(terms.term[k]) <= dust; };
    while (n > 4 && (small(n) & small(n - 1) & small(n - 2) & small(n - 3))) n -= 4;
    while (n > 0 && small(n)) --n;
    band += static_cast<double>(size - 1 - n) * dust;
    // Roundings of a term: its power, the product; of the sums: their additions. Underflow goes into k_tiny.
    constexpr double k_tiny = 1e-290;
    const double gamma = 1.01 * static_cast<double>(2 * size + 6) * k_unit_roundoff;
    const double slack = gamma * total + band * (1 + gamma) + k_tiny;
    look.side = first > 0 ? 1.0 : -1.0;
    const double pull = first > 0 ? terms.down : terms.up;
    if (std::fabs(first) - pull > slack) {
        answer.passage = Passage::clear;
        return false;
    }
    // At both ends the guard must be beyond the band.
    if (n == 0 || !(std::fabs(first + (terms.up - terms.down)) > slack)) return false;
    look.size = size;
    look.n = n;
    look.margin = 1.01 * gamma * std::fabs(first) + band * (1 + gamma) + k_tiny;
    look.slope = 1.01 * gamma * others;
    look.moderate = total > 1e-100 && total < 1e100;
    return true;
}

UsualStep read_part(const Look& look, const BernsteinWeights& weights, double side, double lower,
                    double upper) {
    std::array<double, k_room> b;
    weighted_sums(weights, look.terms.term.data(), look.n, b.data());
    return read_signs(b.data(), look.n, side, look.margin + look.slope * lower,
                      look.slope * (upper - lower) / static_cast<double>(look.n));
}

// Whether x = t does for the search, and the terms that count at a root near the fraction `where` of the step: those left
// out are together far below the last bits of its correction.
void choose_terms(const Look& look, double h, UsualStep& step) {
    std::size_t last = look.size - 1;
    double power = look.terms.power; // of h, beyond the last term
    if (look.n < last) {
        const double total = std::fabs(look.terms.term[0]) + look.terms.up + look.terms.down;
        const double least = 0x1p-90 * std::fabs(look.terms.term[0]);
        const double w = std::fmin(1.0, 2.0 * step.where);
        const std::size_t size = look.size;
        last = 1;
        power = h;
        double part = w; // w^k
        double hk = h;
        for (std::size_t k = 1; k < size && part * total > least; ++k) {
            hk *= h;
            if (std::fabs(look.terms.term[k]) * part > least) {
                last = k;
                power = hk;
            }
            part *= w;
        }
    }
    step.terms = last + 1;
    step.moderate = look.moderate && power > 1e-150 && power < 1e20;
}

} // namespace

UsualStep usual_step(std::span<const double> coefficients, double h, double band) {
    Look look;
    UsualStep answer;
    if (!look_at(coefficients, h, band, look, answer)) return answer;
    answer = read_part(look, bernstein_weights(look.n), look.side, 0.0, 1.0);
    if (answer.passage == Passage::once) choose_terms(look, h, answer);
    return answer;
}

FirstPassage first_passage(std::span<const double> coefficients, double h, double band,
                           Wanted wanted) {
    Look look;
    FirstPassage answer;
    const auto take = [&](const UsualStep& part) { static_cast<UsualStep&>(answer) = part; };
    if (!look_at(coefficients, h, band, look, answer)) {
        answer.side = static_cast<int>(look.side);
        return answer;
    }
    double side = look.side;
    const auto is_wanted = [&] {
        return wanted == Wanted::both || (wanted == Wanted::down) == (side > 0.0);
    };
    // One part; true: it is the answer.
    const auto read = [&](const UsualStep& part, double lower, double upper) {
        if (part.passage == Passage::once && !is_wanted()) {
            side = -side;
            return false;
        }
        if (part.passage == Passage::clear) return false;
        take(part);
        answer.where = lower + (upper - lower) * part.where;
        answer.lower = lower;
        answer.upper = upper;
        if (part.passage == Passage::once) choose_terms(look, h, answer);
        return true;
    };
    const auto finished = [&] {
        answer.side = static_cast<int>(side);
        return answer;
    };
    const UsualStep whole = read_part(look, bernstein_weights(look.n), side, 0.0, 1.0);
    take({.passage = Passage::clear});
    if (whole.passage != Passage::unknown) {
        read(whole, 0.0, 1.0);
        return finished();
    }
    for (std::size_t half = 0; half < 2; ++half) {
        const auto looked = [&](StepPart part) {
            return read_part(look, bernstein_weights(look.n, part), side, part.lower(),
                             part.upper());
        };
        const StepPart part{1, half};
        const UsualStep step = looked(part);
        if (step.passage != Passage::unknown) {
            if (read(step, part.lower(), part.upper())) return finished();
            continue;
        }
        for (std::size_t quarter = 2 * half; quarter < 2 * half + 2; ++quarter) {
            const StepPart smaller{2, quarter};
            if (read(looked(smaller), smaller.lower(), smaller.upper())) return finished();
        }
    }
    return finished();
}

} // namespace liaison::solve
