// SPDX-License-Identifier: Apache-2.0
// A Taylor plan laid out for the interpreter: places in the workspace, order of execution, packed products.
#pragma once

#include "liaison/compile/taylor_plan.hpp"
#include "liaison/compile/taylor_sums.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace liaison::compile {

// A rule with its places in the workspace and the degrees that bound its sums.
struct JetStep {
    Jet kind{};
    Code code{};
    bool late = false;
    bool for_outputs = false;
    bool pack = false; // a is an index of packs
    std::size_t dst = 0, a = 0, b = 0, c = 0;
    std::int64_t degree = 0, degree_a = 0, degree_b = 0, degree_c = 0;
    double value = 0.0;
};

// `place` of a slot in the workspace.
template <class Place>
JetStep placed(const TaylorPlan& plan, const JetRule& r, Place place) {
    JetStep s{.kind = r.kind,
              .code = r.code,
              .late = r.late,
              .for_outputs = r.for_outputs,
              .dst = place(r.dst),
              .value = r.value};
    s.degree = plan.degree[r.dst];
    const auto operand = [&](std::uint32_t slot, std::size_t& where, std::int64_t& degree) {
        where = place(slot);
        degree = plan.degree[slot];
    };
    const bool kernel = r.kind == Jet::factor || r.kind == Jet::solve;
    const bool input = r.kind == Jet::value && r.code == Code::input;
    if (kernel || input)
        s.a = r.a;
    else
        operand(r.a, s.a, s.degree_a);
    if (r.kind == Jet::value && r.code == Code::table)
        s.b = r.b;
    else
        operand(r.b, s.b, s.degree_b);
    operand(r.c, s.c, s.degree_c);
    return s;
}

// Four products that need not wait for each other, side by side in a vector. Their operands are copied into
// packed arrays as they become known, one order per round.
struct JetPack {
    Jet kind{};
    bool late = false;
    std::array<std::size_t, k_pack> dst{}, a{}, b{}, c{};
    std::array<std::int64_t, k_pack> degree_c{};
    std::size_t packed_a = 0, packed_b = 0;
};

// Workspace: constants, one number each, then an array of max_order + 1 coefficients per slot, then packed arrays.
struct TaylorSchedule {
    std::vector<JetStep> prologue;
    std::vector<JetStep> start; // order 0, in the order of the plan
    std::vector<JetStep> rounds; // rules with coefficients beyond order 0
    std::vector<JetStep> last_round; // those of them that outputs need
    std::vector<JetPack> packs;
    std::size_t size = 0; // of the workspace

    [[nodiscard]] static std::size_t offset(const TaylorPlan& plan, unsigned max_order,
                                            std::uint32_t slot) {
        if (slot < plan.n_constants) return slot;
        return plan.n_constants + (slot - plan.n_constants) * (max_order + std::size_t{1});
    }
};

// A rule needs coefficients of the same round only from rules of lower levels: rounds run by level and kind, and
// full products of one level are packed by fours.
TaylorSchedule schedule(const TaylorPlan& plan, unsigned max_order);

} // namespace liaison::compile
