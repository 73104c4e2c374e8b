// SPDX-License-Identifier: Apache-2.0
// Writes recurrences into a Taylor plan: one method per operation and function of a plan.
#pragma once

#include "liaison/compile/taylor_plan.hpp"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

namespace liaison::compile {

// Names a slot while a plan is written. Slots with series are counted apart from constants until all are known:
// finish() gives them their final numbers.
using Slot = std::uint32_t;

class JetWriter {
  public:
    TaylorPlan plan; // slots in it are provisional until finish()

    static bool constant(Slot s) { return (s & k_jet) == 0; }
    Slot new_constant(std::uint32_t count = 1) {
        return std::exchange(n_constants_, n_constants_ + count);
    }
    Slot new_jet(std::uint32_t count = 1) {
        return std::exchange(n_jets_, n_jets_ + count) | k_jet;
    }

    // Values without series: numbers, and what the prologue computes from parameters and modes.
    Slot literal(double value);
    Slot constant_value(Code code, Slot a, Slot b = 0, Slot c = 0);
    // A value at the point that is frozen during the step.
    Slot frozen(Code code, Slot a, Slot b = 0, Slot c = 0);
    // A rule with a fresh slot; the same rule again gives the same slot.
    Slot rule(Jet kind, Slot a, Slot b = 0, Slot c = 0, bool late = false);
    void emit(Slot dst, Jet kind, Slot a, Slot b = 0, Slot c = 0, bool late = false);

    // code(a, b, c), at least one operand with a series.
    Slot function(Code code, Slot a, Slot b, Slot c);
    // plan.tables[index] at u.
    Slot table(std::uint32_t index, Slot u);

    void finish();

  private:
    static constexpr Slot k_jet = Slot{1} << 31;

    void integrate(Slot dst, Code code, Slot a, Slot b, Slot source, bool minus = false);
    Slot integral(Code code, Slot a, Slot b, Slot source, bool minus = false);
    Slot product(Slot a, Slot b);
    Slot product_plus(Slot a, Slot b, Slot c);
    Slot quotient(Slot a, Slot b, bool late = false);
    Slot rate(Slot a) { return rule(Jet::derivative, a, 0, 0, true); }
    Slot exponential(Slot a);
    Slot tangent(Slot a, Code code);
    Slot root(Slot a);
    Slot cofactor(Slot a);
    std::pair<Slot, Slot> pair(Slot a, Code odd, Code even, bool minus);
    Slot angle(Slot y, Slot x);
    Slot power(Slot u, Slot alpha);
    std::uint32_t scaled_derivative(std::uint32_t table, std::uint32_t m);

    std::uint32_t n_constants_ = 0;
    std::uint32_t n_jets_ = 0;
    std::map<double, Slot> literals_;
    std::map<std::tuple<Jet, Slot, Slot, Slot, bool>, Slot> known_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> derivatives_;
    std::map<Slot, Slot> reciprocals_;
    std::map<Slot, Slot> roots_;
    std::map<std::pair<Slot, Code>, std::pair<Slot, Slot>> pairs_;
};

} // namespace liaison::compile
