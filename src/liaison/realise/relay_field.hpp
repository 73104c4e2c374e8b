// SPDX-License-Identifier: Apache-2.0
// Relays inside the field: one smooth field for all modes, with the sliding values from one masked linear system.
//
// Every relay has a scaled value w ∈ [−1, 1]. Above its surface w = 1, below it w = −1; while it slides, w keeps
// S^(r) = α + D w = 0, with r the relative degree (the first derivative of S along the motion that contains a relay
// value). With the modes σ (side) and m (1 while sliding) the values of all relays solve
//   Σ_γ (m_β D_βγ + (1 − m_β) δ_βγ) w_γ = (1 − m_β) σ_β − m_β α_β.
// Relays that slide together with dependent rows of D share the work: one keeps its value, the other follows.
// Where S^(r) is not affine in w (products of relays, equivalent control of nonlinear forces) the sliding values are
// states that follow their root: J ẇ = −∂S^(r)/∂t at fixed w, and are polished after each step.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/laws/moments.hpp"
#include "liaison/model/model.hpp"
#include "liaison/realise/branch.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace liaison::realise {

using expr::Expr;

struct RelaySurface {
    std::string name;
    bool of_function = false; // made by sign(S) or if(S > 0, …) in a force
    Expr surface; // S
    laws::RelayValue value; // u between above and below
    Expr limit; // |w| ≤ limit while sliding: 1, more with a static level
    bool holding = false; // there is a static level
    Expr side; // mode: 1, −1, 0 while sliding
    Expr slides; // mode: 1 while the linear system gives its value
    Expr
        held; // mode: its value otherwise: the side, or a constant where another relay does the work
    std::vector<Expr> lower; // S, Ṡ, … S^(r−1): free of relay values
    Expr rate; // S^(r), a function of all w
    std::vector<Expr> D; // ∂S^(r)/∂w_γ
    Expr drift; // S^(r) at w = 0
    Branch branch = Branch::none;
    bool blind = false; // no relay value ever reaches S: it is crossed, never kept
};

class RelayField {
  public:
    RelayField(const model::Model& model, std::optional<double> layer);

    // What the user wants where a surface does not determine the motion.
    void choose(const Branches& branches);

    [[nodiscard]] bool empty() const { return surfaces_.empty(); }
    // Relays are smoothed, w = tanh(S/layer) inside the forces: nothing switches. The limit is Utkin's.
    [[nodiscard]] bool smoothed() const { return layer_.has_value(); }
    [[nodiscard]] std::vector<RelaySurface>& surfaces() { return surfaces_; }
    [[nodiscard]] const std::vector<RelaySurface>& surfaces() const { return surfaces_; }

    // Forces or right-hand sides of the model with relay values u replaced by functions of w, as the definition says.
    // sign(S) of the state is a relay too, and if(S > 0, a, b) with a ≠ b on S = 0: one is made for every new surface,
    // relays of the same surface are reused.
    [[nodiscard]] std::vector<Expr> forces(std::span<const Expr> with_u);
    // u of the model in outputs: the value between the limits.
    [[nodiscard]] std::vector<Expr> outputs(std::span<const Expr> with_u) const;

    // Adds the mode slots.
    void declare(flow::Flow& flow) const;
    // Mode: 1 while the system moves, 0 once the sliding surfaces hold every velocity at zero; empty where time
    // enters the field and nothing can rest for good. It multiplies the accelerations, so that rounding cannot
    // set a body in motion again.
    Expr moves;
    // Derives S^(r), D and α along `deciding` (rates by state, as functions of w) and adds states for sliding
    // values that no linear system gives.
    void derive(flow::Flow& flow, std::span<const Expr> deciding);

    // Expressions of w with the values that the mode gives.
    [[nodiscard]] std::vector<Expr> close(std::span<const Expr> with_w) const;
    // The same without the weights of moments: what S^(r) is at the values themselves.
    [[nodiscard]] std::vector<Expr> at_values(std::span<const Expr> with_w) const;
    // w by relay in the present mode.
    [[nodiscard]] const std::vector<Expr>& values() const { return values_; }
    // The same values in another form: smoothed ones with the ends of tanh as modes.
    void rewrite_values(std::vector<Expr> values) { values_ = std::move(values); }
    // How one velocity of Filippov's set is chosen: "bilinear", "moments"; empty where the set is a point (a field
    // affine in all w together) and under other definitions.
    [[nodiscard]] std::optional<std::string> convex_choice() const;
    // S^(r) is affine in all w together.
    [[nodiscard]] bool affine() const { return affine_; }
    // The states that carry sliding values where it is not: first index in the flow.
    [[nodiscard]] std::size_t first_state() const { return first_state_; }

  private:
    void solve_affine();
    void follow_roots(flow::Flow& flow);
    [[nodiscard]] Expr sign_as_relay(Expr surface);
    [[nodiscard]] Expr choice_as_relay(Expr node);
    [[nodiscard]] Expr sign_of(Expr surface);
    [[nodiscard]] Expr choice_of(Expr condition, Expr yes, Expr no);
    [[nodiscard]] const laws::RelayValue* relay_inside(Expr e) const;
    template <class Of>
    [[nodiscard]] Expr on_either_side(const laws::RelayValue& inner, Expr e, const Of& of);
    void weigh_pairs();
    [[nodiscard]] std::vector<Expr> symbols() const;
    [[nodiscard]] std::vector<laws::RelayValue> entries() const;

    expr::Pool* pool_;
    std::vector<Expr> states_; // symbols that move: positions and velocities
    model::RelayRealisation definition_;
    bool moments_ = false;
    std::optional<double> layer_;
    // Two relays that slide alone: the field is a weighted mean of its four limits.
    struct Pair {
        std::size_t first = 0;
        std::size_t second = 0;
        Expr acts;
        laws::Vertices weights;
    };
    std::vector<Pair> pairs_;
    [[nodiscard]] std::vector<Expr> at_vertex(const Pair& pair, std::size_t vertex) const;
    std::vector<RelaySurface> surfaces_;
    std::vector<Expr> values_;
    bool affine_ = true;
    bool affine_field_ = true;
    std::size_t first_state_ = 0;
};

} // namespace liaison::realise
