// SPDX-License-Identifier: Apache-2.0
// Which of the frictional guides at rest stick and which slip, and where reactions press: one decision over all guides together.
//
// Candidates. A guide at rest may stick (a row ṡ = 0 of its own), or have its friction at the bound, T = −μ σ |λ|, with σ = ±1;
// a guide that slips has its σ. The sense χ of a reaction is a part of the candidate. Several guides along one slip share
// its load in a way that rigid bodies leave open, and rows of all of them would depend on each other: some of them stick and the
// others stand at a bound. A sum of bounds is tiled by such assignments, so that together they hold all that friction can.
//
// A candidate is accepted if in its mode, by the first Taylor coefficients that are not zero (flow::InstantSeries),
//   χ λ ≥ 0;   where it sticks μ|λ| − |T| ≥ 0 and its slip is not determined without it;
//   at a bound the slip starts along σ, or stays zero because others that stick and constraints determine it.
// A slip that constraints alone determine (a slider in its dead centre) has one σ that is accepted, and never sticks.
#pragma once

#include "liaison/flow/instant_series.hpp"
#include "liaison/flow/probe.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace liaison::realise {

// B₁ as a share of its value without friction at which a side of the guide counts as singular.
inline constexpr double k_locked_guide = 1e-3;

struct GuideItem {
    std::string name;
    std::size_t stick = 0; // mode slots
    std::size_t sign = 0;
    std::size_t sense = 0;
    std::size_t slips = 0; // 1 while it moves
    flow::Probe facts;
    flow::Probe changes; // by unit impulses: D_nn, D_tn, D_nt, D_tt, then the velocities
    // Guards, in this order: the slip, the reaction, the end of sticking, the loss of solvability on the side that
    // presses, and on the other; the coefficient of friction, where it changes.
    std::size_t first_guard = 0;
    std::size_t guards = 5;
};

// What is known about a guide in some mode.
struct GuideFacts {
    double slip = 0.0;
    double slip_rate = 0.0;
    double reaction = 0.0;
    double holding = 0.0;
    double share = 0.0; // B₁/D
    double sticking = 0.0; // μ at rest
    double normal = 0.0; // D
    double slip_alone = 0.0; // W_T M⁻¹ W_Tᵀ, without constraints
};
GuideFacts facts(const GuideItem& g, const flow::Instant& now);
// Slip with this sign (0: stick) and a reaction of this sense.
void set_mode(const GuideItem& g, flow::Instant& now, double sign, double sense);

class GuideDecision {
  public:
    GuideDecision() = default;
    // `terms`: of each guide ṡ, λ, the force while it sticks, μ at rest.
    GuideDecision(const flow::Flow& flow, std::vector<expr::Expr> terms)
        : series_(flow, std::move(terms)) {}

    struct Decided {
        std::vector<double> mode;
        std::vector<flow::Armed> armed;
        bool several_motions = false; // others are accepted that move otherwise
        bool forces_chosen = false; // a guide at rest stands at a bound: others share its load
    };
    // `resting`: by guide, 1 where its slip is zero. Nothing where no candidate is accepted.
    [[nodiscard]] std::optional<Decided> decide(std::span<const GuideItem> guides,
                                                std::span<const char> resting,
                                                const flow::Instant& now) const;

  private:
    flow::InstantSeries series_;
};

} // namespace liaison::realise
