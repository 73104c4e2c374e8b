// SPDX-License-Identifier: Apache-2.0
// Unilateral contacts as stiff springs: gap ≥ 0 realised by the potential N·½·B·gap² with optional damping.
//
//   M v̇ + … = Q − [in contact] (N B g ∇g + ½ N g² ∇B + c ġ ∇g),   c = 2ζ√(N B μ)
//
// Each side has a mode slot, 1 in contact: inside a piece the field is smooth, and the guards end the piece where
// the contact begins and ends, so that the order of the method survives and no short jump is missed.
#pragma once

#include "liaison/equations/equations.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"

#include <string>
#include <vector>

namespace liaison::realise {

struct ElasticSide {
    std::string name; // contact
    std::string side; // "", "lower", "upper"
    std::size_t contact = 0; // index in the model
    expr::Expr gap;
    expr::Expr rate; // ġ
    expr::Expr stiff; // N B, physical stiffness of the gap; empty where the user gave a potential
    expr::Expr stiffness; // N as the user wrote it, and
    expr::Expr squared_frequency; // ω² = N B/μ; both empty where the user gave a potential
    expr::Expr damping; // c; zero where undamped
    expr::Expr push; // force along ∇g while in contact, before the mask
    expr::Expr mask; // mode symbol: 1 in contact, 0 free
    model::Elasticity::Exit exit = model::Elasticity::Exit::gap;

    [[nodiscard]] std::string label() const { return side.empty() ? name : name + " " + side; }
};

// Two sides that feel each other: W_i M⁻¹ W_jᵀ is not identically zero. Where both are in contact at once the
// rigid limit depends on the ratio of their stiffnesses.
struct ElasticCoupling {
    std::size_t one = 0;
    std::size_t other = 0;
    expr::Expr value;
};

struct ElasticContacts {
    std::vector<ElasticSide> sides;
    std::vector<ElasticCoupling> couplings;
    std::string missing; // why a contact cannot be realised; empty: all can
    base::Span missing_span;
};

// Adds the potentials and damping forces of all contacts to the input; they appear with their masks, so that one
// derivation serves every mode. Restitution without damping is translated into a damping ratio.
ElasticContacts add_elastic_contacts(const model::Model& model, const prepare::Point& point,
                                     equations::LagrangianInput& input);

// Adds guards and the transition; states, rates and mode slots of the flow must be complete. `impulses`: state
// index of ∫ push dt by side. `energy` is probed for the energy that a contact loses when it ends at zero force.
void install(const ElasticContacts& contacts, const std::vector<std::size_t>& impulses,
             expr::Expr energy, flow::Flow& flow);

} // namespace liaison::realise
