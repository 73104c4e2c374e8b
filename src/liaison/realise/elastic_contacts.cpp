// SPDX-License-Identifier: Apache-2.0
// Potentials and damping forces of elastic contacts.
#include "liaison/realise/elastic_contacts.hpp"

#include "liaison/equations/effective_mass.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/laws/damped_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace liaison::realise {
namespace {

using equations::LagrangianInput;
using expr::Expr;

class Elastic {
  public:
    Elastic(const model::Model& model, const prepare::Point& point, LagrangianInput& input)
        : model_(model), point_(point), input_(input), pool_(*model.pool),
          free_(equations::derive(with_potentials(model, input), equations::Form::plain)) {}

    ElasticContacts run() {
        for (std::size_t k = 0; k < model_.contacts.size(); ++k) {
            for (const auto& side : model_.contacts[k].sides) add(k, side);
        }
        couple();
        input_.contacts.clear();
        return std::move(result_);
    }

  private:
    void add(std::size_t k, const model::Contact::Side& which) {
        const model::Contact& contact = model_.contacts[k];
        const model::Elasticity& elastic = contact.elastic;
        const equations::RateRow& normal = free_.contacts[result_.sides.size()].normal;
        ElasticSide side;
        side.name = contact.name;
        side.side = which.name;
        side.contact = k;
        side.gap = which.gap.expr;
        side.rate = normal.rate;
        side.exit = elastic.exit;
        side.mask = pool_.symbol(fmt::format("touching#{}", result_.sides.size()));
        Expr mass;
        const auto mu = [&] {
            if (!mass) mass = equations::effective_mass(free_, normal.W);
            return mass;
        };

        Expr potential;
        if (elastic.potential) {
            // A choice, not a product: a potential that has no value at positive gaps is not evaluated there.
            const auto while_touching = [&](Expr e) {
                return pool_.select(side.mask, e, pool_.number(0));
            };
            potential = while_touching(potential_of(elastic, side.gap));
            side.push = while_touching(push_of(elastic, side.gap, result_.sides.size(), mu));
        } else {
            const Expr profile = elastic.profile ? elastic.profile.expr : mu();
            side.stiff = elastic.stiffness.expr * profile;
            side.stiffness = elastic.stiffness.expr;
            side.squared_frequency = side.stiff / mu();
            potential =
                pool_.number(expr::Number(1) / expr::Number(2)) * side.stiff * side.gap * side.gap;
            side.push = -(side.stiff * side.gap);
        }
        side.damping = damping(contact, side, mu);
        if (!side.damping.is_zero()) add_damping(side, normal.W);
        add_potential(elastic.potential ? potential : side.mask * potential);
        result_.sides.push_back(std::move(side));
    }

    static Expr potential_of(const model::Elasticity& elastic, Expr gap) {
        return expr::substitute(elastic.potential.expr, elastic.gap_symbol, gap);
    }

    // Every own potential once more as if it were a gap, behind the gaps themselves: its gradient by the velocities.
    static LagrangianInput with_potentials(const model::Model& model, LagrangianInput input) {
        for (const model::Contact& contact : model.contacts) {
            for (const auto& side : contact.sides) {
                if (contact.elastic.potential)
                    input.contacts.push_back(
                        {contact.name, potential_of(contact.elastic, side.gap.expr), {}});
            }
        }
        return input;
    }

    // The force along ∇g. A potential of the gap alone has −P'(g); one that is written in coordinates, wholly or in part,
    // −μ ∇g M⁻¹ ∇Pᵀ: the part of −∇P that changes the gap, as reactions are measured.
    template <class Mass>
    Expr push_of(const model::Elasticity& elastic, Expr gap, std::size_t side, const Mass& mu) {
        const Expr P = elastic.potential.expr;
        const std::size_t own = n_potentials_++;
        const bool of_gap_alone = std::ranges::none_of(
            model_.coordinates, [&](const auto& c) { return expr::depends_on(P, c.q); });
        if (of_gap_alone)
            return -expr::substitute(expr::differentiate(P, elastic.gap_symbol), elastic.gap_symbol,
                                     gap);
        const auto system = equations::assemble(free_, equations::bilateral_rows(free_));
        const std::vector<equations::Row> normal{free_.contacts[side].normal.W};
        const std::vector<equations::Row> slope{free_.contacts[n_sides_ + own].normal.W};
        const auto D = equations::delassus(free_, pool_.factor(system.structure, system.entries),
                                           normal, slope);
        return -(mu() * D[0][0]);
    }

    void couple() {
        constexpr std::size_t k_most = 32; // pairs grow with the square
        const std::size_t n = n_sides_;
        if (n < 2 || n > k_most) return;
        const auto system = equations::assemble(free_, equations::bilateral_rows(free_));
        std::vector<equations::Row> rows;
        for (std::size_t k = 0; k < n; ++k) rows.push_back(free_.contacts[k].normal.W);
        const auto D =
            equations::delassus(free_, pool_.factor(system.structure, system.entries), rows, rows);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (!D[i][j].is_zero() && result_.sides[i].contact != result_.sides[j].contact)
                    result_.couplings.push_back({j, i, D[i][j]});
            }
        }
    }

    // c, or 2ζ√(N B μ), or the ζ that gives the restitution of the contact.
    template <class Mass>
    Expr damping(const model::Contact& contact, const ElasticSide& side, const Mass& mu) {
        const model::Elasticity& elastic = contact.elastic;
        if (elastic.damping)
            return expr::substitute(elastic.damping.expr, elastic.gap_symbol, side.gap);
        const Expr ratio = elastic.damping_ratio ? elastic.damping_ratio.expr : ratio_for(contact);
        if (ratio.is_zero()) return ratio;
        if (!side.stiff) {
            miss(fmt::format(
                     "restitution or a damping ratio of contact {} beside a potential of its "
                     "own (give damping instead, which may contain gap)",
                     contact.name),
                 contact.span);
            return pool_.number(0);
        }
        return pool_.number(2) * ratio * expr::sqrt(side.stiff * mu());
    }

    // ζ = L/√(π² + L²), L = −ln e; with e = 0 the last bit of e stands for it and ζ is 1 to three digits.
    Expr ratio_for(const model::Contact& contact) {
        if (!contact.restitution || contact.restitution.expr.is_one()) return pool_.number(0);
        const Expr e = contact.restitution.expr;
        if (contact.elastic.exit == model::Elasticity::Exit::force) {
            const double value = prepare::Evaluator(model_).at(point_, e);
            const auto ratio = laws::damping_ratio_for(value, laws::ContactExit::force);
            if (!ratio) {
                miss(fmt::format("restitution {} of contact {} with exit = \"force\": no damping "
                                 "gives it",
                                 value, contact.name),
                     contact.span);
                return pool_.number(0);
            }
            return pool_.number(expr::Number(*ratio));
        }
        constexpr double k_least = 1e-300;
        constexpr double k_pi2 = std::numbers::pi * std::numbers::pi;
        const Expr loss = -expr::log(e + expr::Number(k_least));
        return loss / expr::sqrt(loss * loss + expr::Number(k_pi2));
    }

    // −c ġ ∂ġ/∂v, and the part of `push` it contributes.
    void add_damping(ElasticSide& side, const equations::Row& W) {
        // Without a stiffness the law is the user's, and may have no value at positive gaps.
        const Expr law = -(side.damping * side.rate);
        const Expr force = side.stiff ? law : pool_.select(side.mask, law, pool_.number(0));
        side.push = side.push + force;
        equations::ForceInput input;
        input.name = side.name;
        input.Q.resize(input_.v.size());
        for (const equations::RowEntry& e : W)
            input.Q[e.index] = side.stiff ? side.mask * force * e.value : force * e.value;
        input_.forces.push_back(std::move(input));
    }

    void add_potential(Expr potential) {
        if (input_.L)
            input_.L = input_.L - potential;
        else
            input_.V = input_.V ? input_.V + potential : potential;
    }

    void miss(std::string what, base::Span span) {
        if (!result_.missing.empty()) return;
        result_.missing = std::move(what);
        result_.missing_span = span;
    }

    const model::Model& model_;
    const prepare::Point& point_;
    LagrangianInput& input_;
    expr::Pool& pool_;
    std::size_t n_sides_ = input_.contacts.size();
    std::size_t n_potentials_ = 0;
    equations::Equations free_;
    ElasticContacts result_;
};

} // namespace

ElasticContacts add_elastic_contacts(const model::Model& model, const prepare::Point& point,
                                     LagrangianInput& input) {
    return Elastic(model, point, input).run();
}

} // namespace liaison::realise
