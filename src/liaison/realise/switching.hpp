// SPDX-License-Identifier: Apache-2.0
// Nonsmooth functions as modes: abs, sign, min, max, floor, if, data tables, the cut of atan2 and the ends of tanh become
// smooth pieces with guards.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/realise/angle_charts.hpp"

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace liaison::realise {

using expr::Expr;

// Collects the switching surfaces of a model. Each surface S(t, x) carries a mode slot: its sign σ = ±1 for
// abs, sign, min, max and comparisons, the integer below for floor, the polynomial of the current piece for tables.
// Inside a piece of motion the slots are constant, so the field is smooth; the guards end the piece at S = 0.
class Switching {
  public:
    explicit Switching(expr::Pool& pool) : pool_(pool) {}

    // The same expressions with every nonsmooth node replaced through mode symbols.
    std::vector<Expr> smooth(std::span<const Expr> expressions);

    // A surface whose sign somebody else keeps (a relay): `side` stands for it, without a slot and a guard of its own.
    void adopt(Expr surface, Expr side);

    // A surface at which somebody else ends pieces of motion (an elastic contact): powers may begin there.
    void ends_at(Expr surface);

    // Symbols that change at events only, as discrete states and parameters do. Comparisons of them are constant inside a
    // piece of motion: they need no surface, and x > 0 is false at x = 0, where a surface would not know its side.
    void keep(Expr symbol) { kept_.push_back(symbol); }

    // Changes all surfaces at once, when no further ones are to come: values of relays in them become functions of the state.
    void rewrite_surfaces(const std::function<std::vector<Expr>(const std::vector<Expr>&)>& change);

    // A real function that is positive exactly where the condition holds (a < b ↦ b − a, or ±1 where both change at
    // events only, and ↦ min, or ↦ max).
    Expr positive_where(Expr condition);
    // The same of smooth comparisons, `smooth` of each of them, and not smooth itself: its value at one instant.
    Expr value_where(Expr condition, const std::function<Expr(Expr)>& smooth);

    [[nodiscard]] bool empty() const {
        return signs_.empty() && steps_.empty() && pieces_.empty() && saturations_.empty() &&
               angles_.empty();
    }

    // Adds the mode slots; then, when all slots, states and rates of the flow are there, guards and transition.
    void declare(flow::Flow& flow) const;
    void install(flow::Flow& flow) const;

    // sign of a surface (abs, sign, min, max, comparisons)
    struct Sign {
        Expr surface;
        Expr sigma;
    };
    // floor(argument) = level
    struct StepFunction {
        Expr argument;
        Expr level;
    };
    // tanh(argument) beyond ±k_saturated is ±1 to the last digits: a constant, in whose series nothing tells that the
    // function turns nearby, so that a long step could pass over the turn. The motion stops at both ends unseen.
    struct Saturation {
        Expr argument;
        Expr level; // −1, 0 (between the ends), 1
    };
    static constexpr int k_saturated = 16; // 1 − tanh 16 = 2.5e-14: still seen by the series inside
    // table(argument) = Σ c_j (argument − low)^j on [low, high]
    struct TablePiece {
        Expr argument;
        std::shared_ptr<const expr::Table> data;
        Expr low, high, low_guard;
        std::vector<Expr> c;
    };

  private:
    Expr sigma(Expr surface);
    [[nodiscard]] bool changes_at_events_only(Expr node) const;
    Expr replace(Expr node);
    Expr replace_table(Expr node);
    Expr replace_tanh(Expr node);
    Expr replace_angle(Expr node);

    expr::Pool& pool_;
    std::vector<Sign> signs_;
    std::vector<Sign> adopted_;
    std::vector<Expr> ends_;
    std::vector<Expr> kept_;
    std::vector<StepFunction> steps_;
    std::vector<TablePiece> pieces_;
    std::vector<Saturation> saturations_;
    std::vector<Angle> angles_;
    std::unordered_map<Expr, Expr> known_;
};

} // namespace liaison::realise
