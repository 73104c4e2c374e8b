// SPDX-License-Identifier: Apache-2.0
// A Taylor plan laid out for code that makes one coefficient of every series at a time, whatever its order.
#pragma once

#include "liaison/compile/taylor_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace liaison::compile {

// Most terms of the products of round n are known before the round begins. Of the two chains of
//   Σ_j a_j b_{n−j}   (taylor_series.hpp)
// only the last terms, a_0 b_n and a_n b_0, wait for coefficients of the round. So all long sums of a round are independent
// of each other: loops run over them side by side in vector registers, whatever waits for what, and the rest of the round is
// straight code of a few instructions per rule.
struct InnerSum {
    enum class Shape : std::uint8_t {
        full, // 1 ≤ j ≤ n − 1, chains that meet at n/2
        tail, // the same of a sum over 1 ≤ j ≤ n, whose chains meet at (n + 1)/2
        square, // a = b: one chain, the half of it
    };
    Shape shape{};
    bool late = false; // n = k − 1
    std::uint32_t a = 0; // slots; k_none in places that fill up a register
    std::uint32_t b = 0;
};

// Numbers in the workspace, `lanes` of each:
//   constants | coefficients 0 of all series | coefficients 1 | … | chains of the sums | packed operands | clock
// A single motion packs the operands of `width` sums side by side; lanes lie side by side already.
struct RoundPlan {
    static constexpr std::uint32_t k_none = TaylorPlan::k_none;

    // Functions in the order in which they run.
    struct Part {
        enum class Kind : std::uint8_t { states, sums, rules };
        Kind kind{};
        std::uint32_t begin = 0; // of `sums` or `sequence`
        std::uint32_t end = 0;
    };
    // Round 1 knows all of its chains to be empty, and that late rules make coefficients 0.
    struct Round {
        std::vector<Part> parts;
        std::size_t for_outputs = 0; // as many of them are needed in the last round
    };

    unsigned order = 0;
    std::uint32_t lanes = 1;
    std::uint32_t width = 1;
    std::uint32_t n_series = 0; // numbers from coefficient k to k + 1
    std::vector<std::uint32_t> sequence; // rules, those for outputs first
    std::vector<std::uint32_t> sum_of; // by rule: its place in `sums`, or none
    std::vector<std::uint32_t>
        by_hand; // by rule: its number among the rules that are interpreted, or none
    std::uint32_t n_by_hand = 0;
    std::vector<InnerSum> sums; // `width` neighbours have one shape and are late or not together
    std::vector<std::vector<std::size_t>> packed; // by slot: places of its packed coefficients 0
    Round first;
    Round later;
    std::size_t chains = 0; // places: low chains of all sums, then high ones
    std::size_t clock = 0; // k
    std::size_t size = 0; // of the workspace in numbers of every lane

    [[nodiscard]] std::size_t place(std::uint32_t slot, unsigned k) const {
        return slot + std::size_t{k} * n_series;
    }
    [[nodiscard]] std::size_t low(std::uint32_t sum) const { return chains + sum; }
    [[nodiscard]] std::size_t high(std::uint32_t sum) const { return chains + sums.size() + sum; }
    // Packed operand 0 or 1 of the `width` sums that begin with this one.
    [[nodiscard]] std::size_t pack(std::uint32_t sum, unsigned operand) const {
        return packs + (2 * std::size_t{sum} + std::size_t{operand} * width) * (order + 1U);
    }
    std::size_t packs = 0;
};

// `width`: sums that fill a register, for one lane.
RoundPlan plan_rounds(const TaylorPlan& plan, unsigned order, std::uint32_t lanes,
                      std::uint32_t width);

// What a round needs to know of its number k, for code: `lanes` copies of each of
//   1/k and the rest of it, k, ½ or 0 as k and k − 1 are even or odd,
// then whole numbers for n = k, and for n = k − 1.
enum class RoundNumber : std::uint8_t { inverse, inverse_rest, k, half, half_before, count };
enum class RoundWhole : std::uint8_t { n, middle, above, tail_middle, tail_above, square, count };
std::vector<double> round_numbers(unsigned k, std::uint32_t lanes);

} // namespace liaison::compile
