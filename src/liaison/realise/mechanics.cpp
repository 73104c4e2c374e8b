// SPDX-License-Identifier: Apache-2.0
// Energies, forces and constraints as a flow of positions and velocities.
#include "liaison/equations/from_model.hpp"
#include "liaison/equations/system.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/flow/motion_alone.hpp"
#include "liaison/laws/lagrange.hpp"
#include "liaison/model/known_integrals.hpp"
#include "liaison/model/realisation_words.hpp"
#include "liaison/realise/bilateral.hpp"
#include "liaison/realise/branch_points.hpp"
#include "liaison/realise/carried_contact.hpp"
#include "liaison/realise/constraint_kinks.hpp"
#include "liaison/realise/contact_events.hpp"
#include "liaison/realise/dependent_gaps.hpp"
#include "liaison/realise/elastic_contacts.hpp"
#include "liaison/realise/faint_exponentials.hpp"
#include "liaison/realise/friction_events.hpp"
#include "liaison/realise/friction_rows.hpp"
#include "liaison/realise/guide_friction.hpp"
#include "liaison/realise/index2.hpp"
#include "liaison/realise/integral_hold.hpp"
#include "liaison/realise/kinematics.hpp"
#include "liaison/realise/obstacles.hpp"
#include "liaison/realise/periodicity.hpp"
#include "liaison/realise/projection.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/realise/relay_events.hpp"
#include "liaison/realise/relay_history.hpp"
#include "liaison/realise/routh.hpp"
#include "liaison/realise/switching.hpp"
#include "liaison/realise/unit_orientation.hpp"
#include "liaison/realise/user_events.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::realise {
namespace {

using expr::Expr;
using flow::Flow;
using flow::OutputGroup;

flow::Direction direction(model::Event::Direction d) {
    switch (d) {
    case model::Event::Direction::up: return flow::Direction::up;
    case model::Event::Direction::down: return flow::Direction::down;
    case model::Event::Direction::both: break;
    }
    return flow::Direction::both;
}

laws::Restitution restitution(model::RestitutionLaw law) {
    switch (law) {
    case model::RestitutionLaw::poisson: return laws::Restitution::poisson;
    case model::RestitutionLaw::newton: return laws::Restitution::newton;
    case model::RestitutionLaw::energetic:
    case model::RestitutionLaw::moreau: break;
    }
    return laws::Restitution::energetic;
}

// What every kind of model has: parameters, discrete states, observed quantities, events.
class Builder {
  public:
    Builder(const model::Model& m, const prepare::Point& setting, std::optional<double> layer,
            bool lift_off, const Branches& branches)
        : model_(m), setting_(setting), switching_(*m.pool), relays_(m, layer), layer_(layer),
          lift_off_(lift_off) {
        relays_.choose(branches);
        flow_.pool = m.pool;
        flow_.model = m.name;
        flow_.time = m.t;
        for (const model::Parameter& p : m.parameters) {
            flow_.parameters.push_back(p.symbol);
            switching_.keep(p.symbol);
            flow_.parameter_names.push_back(p.name);
        }
        flow_.parameter_values = setting.parameters;
        flow_.start_time = setting.time;
        for (std::size_t i = 0; i < m.states.size(); ++i) {
            flow_.modes.push_back(
                {m.states[i].name, m.states[i].symbol, setting.states[i], {}, true});
            switching_.keep(m.states[i].symbol);
        }
    }

    Flow first_order() {
        flow_.realisation = words();
        for (std::size_t i = 0; i < model_.coordinates.size(); ++i)
            add_state(model_.coordinates[i].q, model_.coordinates[i].name, setting_.q[i]);
        flow_.rates = relays_.forces(equations::first_order_rates(model_));
        adopt_surfaces();
        flow_.n_controlled = flow_.n_positions = flow_.states.size();
        if (!model_.constraints.empty()) {
            kinematics_ = std::make_unique<KinematicFamily>(model_, flow_);
            flow_.rates = kinematics_->rates(flow_.rates);
        }
        state_outputs();
        finish();
        return std::move(flow_);
    }

    Flow kinematic() {
        flow_.realisation = words();
        for (std::size_t i = 0; i < model_.coordinates.size(); ++i)
            add_state(model_.coordinates[i].q, model_.coordinates[i].name, setting_.q[i]);
        flow_.n_controlled = flow_.n_positions = flow_.states.size();
        kinematics_ = std::make_unique<KinematicFamily>(model_, flow_);
        std::vector<Expr> wanted;
        if (model_.kinematics) {
            for (const model::Formula& f : model_.kinematics->velocity)
                wanted.push_back(f ? f.expr : model_.pool->number(0));
        }
        flow_.rates = kinematics_->rates(wanted);
        state_outputs();
        finish();
        return std::move(flow_);
    }

    Flow mechanical() {
        const bool elastic =
            !model_.contacts.empty() && model_.run.contact == model::ContactRealisation::elastic;
        flow_.realisation = words();
        auto input = equations::lagrangian_input(model_);
        if (elastic) elastic_ = add_elastic_contacts(model_, setting_, input);
        for (const ElasticSide& side : elastic_.sides) switching_.ends_at(side.gap);
        for (auto& force : input.forces) {
            force.Q = relays_.forces(force.Q);
            force.vector = relays_.forces(force.vector);
        }
        if (switches_in_index2()) return std::move(flow_);
        if (lagrange()) {
            for (std::size_t r = 0; r < model_.relays.size(); ++r) {
                const RelaySurface& relay = relays_.surfaces()[r];
                silence(input.forces[model_.forces.size() + r].Q, relay);
                for (std::size_t k = 0; k < model_.forces.size(); ++k) {
                    silence_terms(input.forces[k].Q, relay);
                    silence_terms(input.forces[k].vector, relay);
                }
            }
        }
        adopt_surfaces();
        equations_ = std::make_unique<equations::Equations>(equations::derive(input));
        const equations::Equations& eq = *equations_;

        auto rows = bilateral_rows(model_, eq, flow_);
        guides_ = declare_guides(model_, eq, flow_);
        add_friction(guides_, eq, rows);
        const auto bilateral = rows;
        if (elastic)
            declare_elastic();
        else
            declare_contacts();
        first_normal_ = bilateral.size();
        // Order: bilateral constraints, normals of all sides, stick rows of all sides.
        for (const ContactSide& s : sides_)
            rows.push_back(normal_row(*model_.pool, s, eq.frame.size(), first_normal_));
        for (const ContactSide& s : sides_) {
            const auto stick = stick_rows(s);
            rows.insert(rows.end(), stick.begin(), stick.end());
        }
        const Dependence dependent = dependence(model_, eq, setting_);
        mu_ = dependent.mu;
        flow_.reactions_unique = !dependent.redundant;
        loaded_ = std::make_unique<equations::Equations>(with_given(eq, sides_));
        auto acc = mu_ == 0.0 ? equations::accelerations(*loaded_, rows)
                              : equations::least_reactions(*loaded_, rows, mu_);
        first_multiplier_ = rows.size();
        if (lagrange()) acc = with_multipliers(acc, rows);

        complete(guides_, eq, rows, acc);

        std::optional<Index2> index2;
        std::vector<double> start_reactions;
        if (!model_.constraints.empty() &&
            model_.run.bilateral == model::BilateralRealisation::index2) {
            start_reactions = prepare::Evaluator(model_).at(setting_, acc.reactions);
            index2.emplace(model_, eq, rows, acc);
            acc = index2->accelerations();
        }
        add_states(acc);
        if (index2) index2->add_states(flow_, start_reactions);
        add_responses(rows);
        add_outputs(acc);
        smooth_contact_numbers(bilateral);
        finish();
        return std::move(flow_);
    }

    // Contacts by Routh's function: the states are q, p and the unfolded gaps.
    Flow routh() {
        unfolded_ = unfold(model_, setting_);
        if (!unfolded_.refused.empty()) return std::move(flow_);
        flow_.realisation = "routh";
        for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
            add_state(model_.coordinates[i].q, model_.coordinates[i].name, setting_.q[i]);
            flow_.rates.push_back(unfolded_.velocities[i]);
        }
        flow_.n_positions = flow_.states.size();
        for (std::size_t i = 0; i < unfolded_.p.size(); ++i) {
            add_state(unfolded_.p[i], "p of " + model_.coordinates[i].name, unfolded_.start_p[i]);
            flow_.rates.push_back(unfolded_.p_rates[i]);
        }
        for (std::size_t k = 0; k < unfolded_.contacts.size(); ++k) add_unfolded(k);
        flow_.n_controlled = flow_.states.size();
        add_state(model_.pool->symbol("work#"), std::string(flow::k_work), 0.0);
        flow_.rates.push_back(unfolded_.power);
        add_unfolded_outputs();
        smooth_unfolded();
        energy_ = unfolded_.energy;
        finish();
        return std::move(flow_);
    }

    // Forces with sign() or if() on which the motion may slide are relays without a name.
    [[nodiscard]] bool switches_in_index2() const {
        return !relays_.empty() && !model_.constraints.empty() &&
               model_.run.bilateral == model::BilateralRealisation::index2;
    }
    // What stands against realising the elastic contacts; empty: nothing.
    [[nodiscard]] const ElasticContacts& elastic() const { return elastic_; }
    [[nodiscard]] std::shared_ptr<const ContactProblem> contacts() const { return problem_; }
    [[nodiscard]] const Unfolded& unfolded() const { return unfolded_; }
    // A sign() or if() in a force on which the motion may slide, where Lagrange's definition is asked for: the multiplier
    // takes the place of the force of a relay, and such a force has none of its own.
    [[nodiscard]] std::string without_multiplier() const {
        if (relays_.smoothed() || model_.run.relay != model::RelayRealisation::lagrange) return {};
        const auto found = std::ranges::find_if(relays_.surfaces(), [](const RelaySurface& s) {
            return s.of_function && s.lower.size() == 1;
        });
        return found == relays_.surfaces().end() ? std::string() : found->name;
    }

  private:
    [[nodiscard]] bool lagrange() const {
        return !model_.relays.empty() && !relays_.smoothed() &&
               model_.run.relay == model::RelayRealisation::lagrange;
    }
    // A relay that slides gives its place to the multiplier; components without u are constant forces and stay.
    static void silence(std::vector<Expr>& force, const RelaySurface& relay) {
        for (Expr& component : force) {
            if (component && expr::depends_on(component, relay.value.w))
                component = component * (1 - relay.slides);
        }
    }
    // The same for forces that use the value of a relay beside others.
    static void silence_terms(std::vector<Expr>& force, const RelaySurface& relay) {
        for (Expr& component : force) {
            if (component)
                component = component - relay.slides * laws::carried_by(component, relay.value.w);
        }
    }
    // Accelerations with the multipliers of sliding surfaces; those of the convex combination go on deciding.
    equations::Accelerations with_multipliers(const equations::Accelerations& acc,
                                              std::vector<equations::ReactionRow> rows) {
        std::vector<Expr> slides;
        std::vector<Expr> zeros;
        for (std::size_t k = 0; k < model_.relays.size(); ++k) {
            const RelaySurface& r = relays_.surfaces()[k];
            slides.push_back(r.slides);
            zeros.push_back(model_.pool->number(0));
            rows.push_back(laws::multiplier_row(equations_->frame, r.surface, r.slides));
        }
        deciding_ =
            expr::substitute(std::span(acc.u_dot).first(model_.velocities.size()), slides, zeros);
        return equations::accelerations(*loaded_, rows);
    }
    // What the flow is called in reports.
    [[nodiscard]] std::string words() const {
        return relays_.smoothed() && layer_ ? fmt::format("layer {:g}", *layer_)
                                            : model::realisation_of(model_);
    }
    void add_state(Expr symbol, const std::string& name, double value) {
        flow_.states.push_back(symbol);
        flow_.state_names.push_back(name);
        flow_.start_state.push_back(value);
    }
    void output(OutputGroup group, std::string name, Expr value, std::string part = {}) {
        flow_.outputs.push_back({group, std::move(name), std::move(part), value});
    }

    void state_outputs() {
        for (std::size_t i = 0; i < flow_.states.size(); ++i) {
            output(OutputGroup::q, model_.coordinates[i].name, flow_.states[i]);
            output(OutputGroup::v, model_.coordinates[i].name, flow_.rates[i]);
        }
        for (const flow::HeldConstraint& held : flow_.constraints)
            output(OutputGroup::violation, held.name, held.f);
    }

    // q, v and the quadrature of the power of everything that is not in the energy.
    void add_states(const equations::Accelerations& acc) {
        const equations::Equations& eq = *equations_;
        for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
            add_state(model_.coordinates[i].q, model_.coordinates[i].name, setting_.q[i]);
            flow_.rates.push_back(model_.coordinates[i].rate.expr);
        }
        flow_.n_positions = flow_.states.size();
        for (std::size_t i = 0; i < model_.velocities.size(); ++i) {
            add_state(model_.velocities[i].v, model_.velocities[i].name, setting_.v[i]);
            flow_.rates.push_back(acc.u_dot[i]);
        }
        flow_.n_controlled = flow_.states.size();
        // Reactions along W do work on what moves; friction is kept apart.
        std::vector<Expr> power{eq.energy.minus_L_t};
        std::vector<Expr> relay_power;
        const std::size_t first_relay = model_.forces.size();
        for (std::size_t k = 0; k < eq.forces.size(); ++k) {
            const bool relay = k >= first_relay && k < first_relay + model_.relays.size();
            (relay ? relay_power : power).push_back(eq.forces[k].power);
        }
        std::vector<Expr> friction;
        const auto rate = [&](const equations::Row& row) {
            return equations::dot(*model_.pool, row, eq.frame.u());
        };
        for (std::size_t k = 0; k < model_.constraints.size(); ++k)
            power.push_back(acc.reactions[k] * rate(eq.constraints[k].reaction));
        for (const Guide& g : guides_) friction.push_back(g.force * g.friction.slips[0].rate);
        for (std::size_t k = 0; k < sides_.size(); ++k) {
            normal_.push_back(normal_force(sides_[k], acc.reactions[first_normal_ + k]));
            power.push_back(normal_[k] * rate(sides_[k].normal.W));
        }
        std::size_t next = first_normal_ + sides_.size();
        for (std::size_t k = 0; k < sides_.size(); ++k) {
            const auto& slips = sides_[k].friction.slips;
            tangential_.emplace_back();
            if (slips.empty()) continue;
            tangential_.back() = friction_forces(
                sides_[k], normal_[k], std::span(acc.reactions).subspan(next, slips.size()));
            next += slips.size();
            for (std::size_t j = 0; j < slips.size(); ++j)
                friction.push_back(tangential_[k][j] * rate(slips[j].W));
        }
        for (std::size_t k = first_multiplier_; k < acc.reactions.size(); ++k) {
            const RelaySurface& r = relays_.surfaces()[k - first_multiplier_];
            relay_power.push_back(acc.reactions[k] * rate(eq.frame.velocity_gradient(r.surface)));
        }
        add_state(model_.pool->symbol("work#"), std::string(flow::k_work), 0.0);
        flow_.rates.push_back(model_.pool->sum(power));
        if (!relays_.empty()) {
            add_state(model_.pool->symbol("relay work#"), std::string(flow::k_relay_work), 0.0);
            flow_.rates.push_back(model_.pool->sum(relay_power));
        }
        if (with_friction_ || !guides_.empty()) {
            add_state(model_.pool->symbol("friction work#"), std::string(flow::k_friction_work),
                      0.0);
            flow_.rates.push_back(model_.pool->sum(friction));
        }
        // The clock runs while a direction of slip is given, and fades otherwise.
        for (const ContactSide& s : sides_) {
            const SideFriction& f = s.friction;
            if (!f.clock) continue;
            add_state(f.clock, "clock of " + label(s.name, s.side), 0.0);
            flow_.rates.push_back(f.lead - (1 - f.lead) * f.clock);
        }
        for (const ElasticSide& s : elastic_.sides) {
            const std::string name = "impulse " + s.label();
            impulses_.push_back(flow_.states.size());
            add_state(model_.pool->symbol(name + "#"), name, 0.0);
            flow_.rates.push_back(s.mask * s.push);
        }
    }

    void add_unfolded(std::size_t k) {
        const UnfoldedContact& c = unfolded_.contacts[k];
        const Expr one = model_.pool->number(1);
        const Expr open = one - c.closed;
        // R_x of R = 1 + k sgn w sin(x − centre); one-sided contacts have a constant R.
        const Expr bend =
            c.two_sided ? c.loss * c.heading * expr::cos(c.x - c.centre) : model_.pool->number(0);
        add_state(c.x, "unfolded " + c.name, unfolded_.start_x[k]);
        flow_.rates.push_back(open * c.stretch * c.w);
        add_state(c.w, "unfolded rate of " + c.name, unfolded_.start_w[k]);
        flow_.rates.push_back(open * (c.sheet * c.acceleration - bend * c.stretch * c.w * c.w) /
                              c.stretch);
        const auto hidden = [&](Expr symbol, double value) {
            flow_.modes.push_back({symbol.name(), symbol, value, {}});
        };
        flow_.modes.push_back({c.name, c.closed, 0.0, {{0.0, "open"}, {1.0, "closed"}}});
        hidden(c.sheet, 1.0);
        hidden(c.centre, 0.0);
        hidden(c.factor, unfolded_.start_factor[k]);
        hidden(c.loss, unfolded_.start_loss[k]);
        hidden(c.heading, unfolded_.start_heading[k]);
        hidden(c.wall, 1.0);
        hidden(c.lossy, unfolded_.start_loss[k] > 0.0 ? 1.0 : 0.0);
        hidden(model_.pool->symbol(fmt::format("last#{}", k)), 0.0);
        hidden(model_.pool->symbol(fmt::format("limit#{}", k)), 0.0);
        for (std::size_t i = 0; i < c.chart.size(); ++i)
            hidden(c.chart[i], i == unfolded_.start_chart[k] ? 1.0 : 0.0);
    }

    void add_unfolded_outputs() {
        const expr::Number half = expr::Number(1) / expr::Number(2);
        for (const auto& c : model_.coordinates) output(OutputGroup::q, c.name, c.q);
        for (std::size_t i = 0; i < model_.coordinates.size(); ++i)
            output(OutputGroup::v, model_.coordinates[i].name, unfolded_.velocities[i]);
        for (std::size_t i = 0; i < model_.coordinates.size(); ++i)
            output(OutputGroup::a, model_.coordinates[i].name, unfolded_.accelerations[i]);
        for (const UnfoldedContact& c : unfolded_.contacts) {
            const auto& sides = model_.contacts[c.contact].sides;
            for (std::size_t s = 0; s < sides.size(); ++s) {
                const Expr at_wall =
                    c.two_sided
                        ? (s == 0 ? c.wall + expr::Number(1) : expr::Number(1) - c.wall) * half
                        : model_.pool->number(1);
                output(OutputGroup::reaction, label(c.name, sides[s].name),
                       c.closed * at_wall * c.reaction);
                output(OutputGroup::gap, label(c.name, sides[s].name), sides[s].gap.expr);
            }
        }
        output(OutputGroup::energy, "energy", unfolded_.energy);
    }

    // Everything probed at events, with the same smooth pieces as the field.
    void smooth_unfolded() {
        std::vector<Expr*> places{&unfolded_.energy};
        for (auto* list : {&unfolded_.velocities, &unfolded_.coupling}) {
            for (Expr& e : *list) places.push_back(&e);
        }
        for (UnfoldedContact& c : unfolded_.contacts) {
            for (Expr* e : {&c.f, &c.scale, &c.restitution, &c.stretch, &c.rate, &c.acceleration,
                            &c.acceleration_by_rate, &c.mass, &c.momentum, &c.reaction})
                places.push_back(e);
            for (Expr& e : c.gradient) {
                if (e) places.push_back(&e);
            }
        }
        std::vector<Expr> values;
        for (const Expr* e : places) values.push_back(*e);
        values = switching_.smooth(values);
        for (std::size_t i = 0; i < places.size(); ++i) *places[i] = values[i];
    }

    // An expression of the user in what the flow contains: velocities may be no states.
    Expr told(Expr e) const {
        if (unfolded_.contacts.empty() && model_.kind != model::Kind::kinematic) return e;
        std::vector<Expr> symbols;
        for (const model::Velocity& velocity : model_.velocities) symbols.push_back(velocity.v);
        if (model_.kind != model::Kind::kinematic)
            return expr::substitute(std::vector<Expr>{e}, symbols, unfolded_.velocities)[0];
        // Constraints alone give the velocities, and their derivatives along the motion are the accelerations.
        std::vector<Expr> values = flow_.rates;
        std::vector<Expr> atoms = flow_.states;
        std::vector<Expr> rates = flow_.rates;
        atoms.push_back(flow_.time);
        rates.push_back(model_.pool->number(1));
        for (const model::Velocity& velocity : model_.velocities) symbols.push_back(velocity.a);
        const auto accelerations = expr::differentiate_along(flow_.rates, atoms, rates);
        values.insert(values.end(), accelerations.begin(), accelerations.end());
        return expr::substitute(std::vector<Expr>{e}, symbols, values)[0];
    }

    static std::string label(const std::string& name, const std::string& side) {
        return side.empty() ? name : name + " " + side;
    }

    void declare_elastic() {
        for (const ElasticSide& s : elastic_.sides) {
            flow_.modes.push_back({s.label(), s.mask, 0.0, {{0.0, "open"}, {1.0, "closed"}}});
        }
        for (const char* hidden : {"impulse#{}", "unseen#{}"}) {
            for (std::size_t k = 0; k < elastic_.sides.size(); ++k) {
                const std::string name = fmt::format(fmt::runtime(hidden), k);
                flow_.modes.push_back({name, model_.pool->symbol(name), 0.0, {}});
            }
        }
    }

    // A₁ and B₁' of every side with friction. Each needs the system without its own rows: for few sides only.
    void add_responses(const std::vector<equations::ReactionRow>& rows) {
        if (!with_friction_) return add_responses_beside(rows);
        const bool few = sides_.size() <= k_most_watched_sides;
        std::size_t stick = first_normal_ + sides_.size();
        for (std::size_t k = 0; k < sides_.size(); ++k) {
            const std::size_t slips = sides_[k].friction.slips.size();
            responses_.emplace_back();
            if (slips > 0) {
                std::vector<std::size_t> others;
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    const bool mine = i == first_normal_ + k || (i >= stick && i < stick + slips);
                    if (i < first_normal_ || (!mine && few)) others.push_back(i);
                }
                responses_.back() = response_terms(
                    with_given(*equations_, sides_, k), equations::some_of(rows, others),
                    few ? k : 0, few ? std::span(sides_) : std::span(sides_).subspan(k, 1));
            }
            stick += slips;
        }
    }

    // Of smooth contacts beside bilateral constraints, on which they may come to depend.
    void add_responses_beside(const std::vector<equations::ReactionRow>& rows) {
        if (first_normal_ == 0 || sides_.size() > k_most_watched_sides) return;
        for (std::size_t k = 0; k < sides_.size(); ++k) {
            std::vector<std::size_t> others;
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (i != first_normal_ + k) others.push_back(i);
            beside_.push_back(
                response_terms(*equations_, equations::some_of(rows, others), k, sides_).response);
        }
    }

    // Contacts without friction have a transition of their own, which knows nothing of relays. The one with friction decides
    // smooth contacts too, and relays on their surfaces together with them.
    bool with_modes() const {
        const bool beside = !relays_.empty() && !relays_.smoothed() && !lagrange();
        return with_friction_ || beside;
    }

    void declare_contacts() {
        for (std::size_t k = 0; k < model_.contacts.size(); ++k) {
            const model::Contact& c = model_.contacts[k];
            for (std::size_t s = 0; s < c.sides.size(); ++s) {
                ContactSide side;
                side.name = c.name;
                side.side = c.sides[s].name;
                side.contact = k;
                side.gap = c.sides[s].gap.expr;
                side.normal = equations_->contacts[sides_.size()].normal;
                side.restitution = c.restitution ? c.restitution.expr : model_.pool->number(0);
                side.mask = model_.pool->symbol(fmt::format("closed#{}", sides_.size()));
                if (c.friction) {
                    side.friction =
                        side_friction(*model_.pool, c.friction,
                                      equations_->contacts[sides_.size()].slips, sides_.size());
                    with_friction_ = true;
                }
                side.preload = c.elastic.preload.expr;
                const laws::ImpactRule rule = impact_options().rule;
                side.returns_rate = rule == laws::ImpactRule::simultaneous ||
                                    (rule == laws::ImpactRule::sequential &&
                                     (!c.friction || c.law == model::RestitutionLaw::newton));
                sides_.push_back(std::move(side));
            }
        }
        if (with_modes()) {
            declare_given(*model_.pool, sides_, gaps_depend(model_, *equations_, sides_, setting_));
            FrictionModes::declare(sides_, *model_.pool, flow_);
            return;
        }
        for (const ContactSide& s : sides_) {
            const std::string name = s.side.empty() ? s.name : s.name + " " + s.side;
            flow_.modes.push_back(
                {name, s.mask, 0.0, {{0.0, "open"}, {1.0, "closed"}, {k_carried, "closed"}}});
        }
        for (const char* hidden : {"last#{}", "limit#{}", "met#{}", "interval#{}", "common#{}"}) {
            for (std::size_t k = 0; k < sides_.size(); ++k) {
                const std::string name = fmt::format(fmt::runtime(hidden), k);
                flow_.modes.push_back({name, model_.pool->symbol(name), 0.0, {}});
            }
        }
    }

    void add_outputs(const equations::Accelerations& acc) {
        const auto plain = [](const std::string& name) {
            return name.ends_with('\'') ? name.substr(0, name.size() - 1) : name;
        };
        for (const auto& c : model_.coordinates) output(OutputGroup::q, c.name, c.q);
        for (const auto& v : model_.velocities) output(OutputGroup::v, plain(v.name), v.v);
        for (std::size_t i = 0; i < model_.velocities.size(); ++i) {
            output(OutputGroup::a, plain(model_.velocities[i].name), acc.u_dot[i]);
        }
        for (std::size_t k = 0; k < model_.constraints.size(); ++k) {
            const auto guide = std::ranges::find(guides_, k, &Guide::constraint);
            const bool rubs = guide != guides_.end();
            output(OutputGroup::reaction, model_.constraints[k].name, acc.reactions[k],
                   rubs ? "normal" : "");
            if (rubs) {
                output(OutputGroup::reaction, guide->name, guide->force, "tangential");
                output(OutputGroup::reaction, guide->name, guide->response, "B1");
            }
            const flow::HeldConstraint& held = flow_.constraints[k];
            output(OutputGroup::violation, held.name, held.f);
            if (held.rate) output(OutputGroup::violation, held.name, held.rate, "rate");
        }
        for (std::size_t k = 0; k < sides_.size(); ++k) {
            const std::string name =
                sides_[k].side.empty() ? sides_[k].name : sides_[k].name + " " + sides_[k].side;
            output(OutputGroup::reaction, name, normal_[k], sides_[k].friction ? "normal" : "");
            for (const Expr force : tangential_[k])
                output(OutputGroup::reaction, name, force, "tangential");
            if (sides_[k].friction) {
                const auto& answer = responses_[k];
                if (answer) output(OutputGroup::reaction, name, answer->free, "A1");
                if (answer) output(OutputGroup::reaction, name, answer->response, "B1");
            }
            output(OutputGroup::gap, name, sides_[k].gap);
        }
        for (std::size_t k = first_multiplier_; k < acc.reactions.size(); ++k)
            output(OutputGroup::reaction, relays_.surfaces()[k - first_multiplier_].name,
                   acc.reactions[k]);
        for (const ElasticSide& s : elastic_.sides) {
            output(OutputGroup::reaction, s.label(), s.mask * s.push);
            output(OutputGroup::gap, s.label(), s.gap);
        }
        output(OutputGroup::energy, "energy", equations_->energy.jacobi);
    }

    // Slips in space look after the zeros of their speeds themselves.
    [[nodiscard]] std::vector<Expr> slip_radicands() const {
        std::vector<Expr> radicands;
        for (const ContactSide& s : sides_) {
            const auto& slips = s.friction.slips;
            if (slips.size() != 2) continue;
            const Expr squared = slips[0].rate * slips[0].rate + slips[1].rate * slips[1].rate;
            radicands.push_back(squared);
            radicands.push_back(squared + (1 - s.friction.sign) + s.friction.lead);
        }
        return radicands;
    }

    // Everything that is evaluated at events must see the same smooth pieces as the field.
    void smooth_contact_numbers(const std::vector<equations::ReactionRow>& bilateral) {
        free_system_ = equations::assemble(*equations_, bilateral);
        free_system_.entries = switching_.smooth(free_system_.entries);
        free_system_.rhs = switching_.smooth(free_system_.rhs);
        for (ContactSide& s : sides_) {
            s.gap = switching_.smooth(std::vector<Expr>{s.gap})[0];
            smooth(s.normal);
            for (equations::RateRow& slip : s.friction.slips) smooth(slip);
            if (s.preload) s.preload = switching_.smooth(std::vector<Expr>{s.preload})[0];
            if (!s.friction) continue;
            for (Expr* e : {&s.friction.sliding, &s.friction.sliding_plus,
                            &s.friction.sliding_minus, &s.friction.sticking})
                *e = switching_.smooth(std::vector<Expr>{*e})[0];
        }
        for (ElasticSide& s : elastic_.sides) {
            const auto values = switching_.smooth(std::vector{s.gap, s.rate, s.damping, s.push});
            s.gap = values[0];
            s.rate = values[1];
            s.damping = values[2];
            s.push = values[3];
            if (!s.stiffness) continue;
            const auto spring = switching_.smooth(std::vector{s.stiffness, s.squared_frequency});
            s.stiffness = spring[0];
            s.squared_frequency = spring[1];
        }
        for (ElasticCoupling& c : elastic_.couplings)
            c.value = switching_.smooth(std::vector{c.value})[0];
        energy_ = switching_.smooth(std::vector<Expr>{equations_->energy.jacobi})[0];
        normal_ = switching_.smooth(normal_);
        beside_ = switching_.smooth(beside_);
        for (auto& forces : tangential_) forces = switching_.smooth(forces);
        for (auto& r : responses_) {
            if (!r) continue;
            const auto smooth = switching_.smooth(std::vector{r->free, r->response, r->normal});
            r = ResponseTerms{smooth[0], smooth[1], smooth[2]};
        }
        if (model_.run.bilateral == model::BilateralRealisation::projection) {
            for (const auto& rows : equations_->constraints)
                kept_.push_back({rows.holonomic ? rows.f : Expr(), rows.row, {}});
            for (const Guide& g : guides_)
                kept_.push_back({Expr(), g.friction.slips[0], g.friction.stick});
        }
        for (const ContactSide& s : sides_) {
            kept_.push_back({s.gap, s.normal, s.mask});
            const SideFriction& f = s.friction;
            for (std::size_t j = 0; j < f.slips.size(); ++j)
                kept_.push_back({Expr(), f.slips[j], j == 0 ? f.stick : f.stick_second});
        }
        if (!kept_.empty()) changes_ = switching_.smooth(corrections(*equations_, kept_, mu_));
        answer_of_constraints();
    }
    // To what events set. Constraints that relax by their own law, or drift, keep a violation as it is set.
    void answer_of_constraints() {
        const auto held = model_.run.bilateral;
        if (model_.events.empty() || model_.constraints.empty() ||
            (held != model::BilateralRealisation::projection &&
             held != model::BilateralRealisation::index2))
            return;
        std::vector<KeptRow> rows;
        for (const auto& c : equations_->constraints)
            rows.push_back({c.holonomic ? c.f : Expr(), c.row, {}});
        answer_ = constraint_answer(*equations_, rows, mu_);
        for (auto* part : {&answer_.rate, &answer_.impulse, &answer_.kick, &answer_.shift})
            *part = switching_.smooth(*part);
        for (std::size_t k = 0; k < model_.constraints.size(); ++k) {
            answer_.names.push_back(model_.constraints[k].name);
            answer_.rough.push_back(model_.constraints[k].friction ? 1 : 0);
        }
    }
    // Everything of the guides that guards and decisions see.
    void smooth_guides() {
        for (Guide& g : guides_) {
            smooth(g.friction.slips[0]);
            for (Expr* e : {&g.reaction, &g.holding, &g.force, &g.slip_rate, &g.response, &g.normal,
                            &g.friction.sliding, &g.friction.sticking, &g.slip_by_normal,
                            &g.normal_by_slip, &g.slip_by_slip, &g.slip_alone})
                *e = switching_.smooth(std::vector<Expr>{*e})[0];
            g.normal_change = switching_.smooth(g.normal_change);
            g.slip_change = switching_.smooth(g.slip_change);
        }
    }
    void smooth(equations::RateRow& row) {
        std::vector<Expr> values{row.rate, row.drift};
        for (const auto& e : row.W) values.push_back(e.value);
        values = switching_.smooth(values);
        row.rate = values[0];
        row.drift = values[1];
        for (std::size_t i = 0; i < row.W.size(); ++i) row.W[i].value = values[i + 2];
    }

    // Observed quantities, events, switching surfaces; then transitions, once all slots are known.
    void finish() {
        known_ = model::known_integrals(model_, setting_.parameters);
        for (const model::Named& o : model_.observes)
            output(OutputGroup::observe, o.name, told(o.formula.expr));
        for (const model::Named& i : model_.integrals)
            output(OutputGroup::integral, i.name, told(i.formula.expr));
        for (const model::KnownIntegral& i : known_)
            output(OutputGroup::integral, i.name, told(i.value));
        for (const RelaySurface& r : relays_.surfaces()) {
            output(OutputGroup::relay, r.name, r.value.between());
            if (!relays_.smoothed()) output(OutputGroup::violation, r.name, r.slides * r.surface);
        }
        UserEvents events = user_events();

        flow_.rates = switching_.smooth(flow_.rates);
        for (flow::Algebraic& a : flow_.algebraic) {
            const auto both = switching_.smooth(std::vector<Expr>{a.equation, a.value});
            a = {both[0], both[1]};
        }
        smooth_guides();
        close_relays();
        std::vector<Expr> values;
        for (const flow::Output& o : flow_.outputs) values.push_back(o.value);
        values = seen_by_user(values);
        for (std::size_t i = 0; i < values.size(); ++i) flow_.outputs[i].value = values[i];
        const auto seen = [this](Expr e) { return seen_by_user(std::vector<Expr>{told(e)})[0]; };
        for (std::size_t i = 0; i < events.items.size(); ++i) {
            UserEvents::Item& item = events.items[i];
            const model::Event& e = model_.events[i];
            item.when = seen(item.when);
            item.value = e.condition ? switching_.value_where(e.when.expr, seen) : item.when;
            for (auto& set : item.sets) set.value = seen(set.value);
        }

        if (!relays_.empty())
            switching_.rewrite_surfaces(
                [this](const std::vector<Expr>& s) { return relays_.at_values(s); });
        events.energy = energy_;
        events.constraints = answer_;

        std::vector<std::string> held;
        for (const std::size_t k : model_.run.hold) held.push_back(model_.integrals[k].name);
        for (const auto& k : model_.run.hold_known) held.push_back(k.name);
        const IntegralHold hold = declare_hold(held, model_.run.hold_rate.expr, flow_);
        // Without velocities as states only the direction of the motion changes there.
        const bool moves = flow_.n_controlled > flow_.n_positions;
        const ConstraintKinks kinks = moves ? find_kinks(flow_, switching_) : ConstraintKinks{};
        switching_.declare(flow_);
        switching_.install(flow_);
        if (!sides_.empty()) {
            problem_ =
                std::make_shared<ContactProblem>(flow_, *equations_, sides_, free_system_, energy_);
            if (with_modes())
                install(friction_events(problem_), flow_);
            else
                install(ContactEvents{problem_, normal_, impact_options(), beside_}, flow_);
        }
        if (!elastic_.sides.empty()) install(elastic_, impulses_, energy_, flow_);
        if (kinematics_) kinematics_->install();
        realise::install(guides_, energy_, model_.run.paradox, flow_);
        std::vector<Expr> masks;
        for (const KeptRow& row : kept_) masks.push_back(row.mask);
        install_projection(std::move(changes_), masks, flow_);
        install(kinks, flow_);
        install(relays_, flow_);
        install(hold, flow_);
        if (unfolded_.contacts.empty()) install_unit_orientations(model_, flow_);
        install(events, flow_);
        install_faint_exponentials(flow_);
        install_branch_points(flow_, slip_radicands());
        if (!unfolded_.contacts.empty()) {
            for (auto& transition : flow_.transitions)
                transition = told_in_velocities(transition, unfolded_, flow_);
            install(unfolded_,
                    RouthOptions{lift_off_, model_.run.location == model::Location::exact}, flow_);
        }

        std::vector<Expr> timed = flow_.rates;
        for (const flow::Guard& g : flow_.guards) timed.push_back(g.value);
        for (const flow::Output& o : flow_.outputs) {
            const bool unheld =
                o.group == OutputGroup::integral && std::ranges::find(held, o.name) == held.end();
            if (o.group != OutputGroup::observe && !unheld) timed.push_back(o.value);
        }
        flow_.frequency = common_frequency(timed, flow_.time, flow_.states);
    }

    // |S| of a relay's own surface follows its side, and is zero while it slides.
    void adopt_surfaces() {
        if (relays_.smoothed()) return;
        for (const RelaySurface& r : relays_.surfaces()) switching_.adopt(r.surface, r.side);
    }
    // Relay values as functions of state and mode, in the field and in everything evaluated at contacts.
    void close_relays() {
        if (relays_.empty()) return;
        for (RelaySurface& r : relays_.surfaces()) {
            r.surface = switching_.smooth(std::vector<Expr>{r.surface})[0];
            r.limit = switching_.smooth(std::vector<Expr>{r.limit})[0];
        }
        const auto timed = [&](Expr e) { return expr::depends_on(e, flow_.time); };
        if (!relays_.smoothed() && flow_.n_controlled > flow_.n_positions &&
            std::ranges::none_of(flow_.rates, timed) &&
            std::ranges::none_of(relays_.surfaces(), timed, &RelaySurface::surface))
            relays_.moves = model_.pool->symbol("moves#");
        relays_.declare(flow_);
        if (!relays_.smoothed()) RelayHistory::declare(flow_, relays_.surfaces().size());
        std::vector<Expr> deciding = flow_.rates;
        if (!deciding_.empty()) {
            const auto smooth = switching_.smooth(deciding_);
            std::copy(smooth.begin(), smooth.end(),
                      deciding.begin() + static_cast<std::ptrdiff_t>(flow_.n_positions));
        }
        relays_.derive(flow_, deciding);
        if (relays_.smoothed()) relays_.rewrite_values(switching_.smooth(relays_.values()));
        flow_.rates = relays_.close(flow_.rates);
        if (relays_.moves) {
            for (std::size_t i = flow_.n_positions; i < flow_.n_controlled; ++i)
                flow_.rates[i] = flow_.rates[i] * relays_.moves;
        }
        free_system_.rhs = relays_.close(free_system_.rhs);
        normal_ = relays_.close(normal_);
        for (auto& forces : tangential_) forces = relays_.close(forces);
        for (auto& r : responses_) {
            if (r) r->free = relays_.close(std::vector{r->free})[0];
        }
    }
    std::vector<Expr> seen_by_user(const std::vector<Expr>& values) {
        return relays_.close(switching_.smooth(relays_.outputs(values)));
    }

    laws::NormalImpactOptions impact_options() const {
        laws::NormalImpactOptions options;
        switch (model_.run.order) {
        case model::ImpactOrder::deepest: options.order = laws::Order::deepest; break;
        case model::ImpactOrder::declared: options.order = laws::Order::declared; break;
        case model::ImpactOrder::reverse: options.order = laws::Order::reverse; break;
        }
        switch (model_.run.energy) {
        case model::ImpactEnergy::report: options.gain = laws::Gain::report; break;
        case model::ImpactEnergy::limit: options.gain = laws::Gain::limit; break;
        case model::ImpactEnergy::poisson: options.gain = laws::Gain::poisson; break;
        }
        bool poisson = false;
        bool moreau = model_.run.impacts == model::Impacts::simultaneous;
        for (const model::Contact& c : model_.contacts) {
            moreau = moreau || c.law == model::RestitutionLaw::moreau;
            poisson = poisson || (c.law == model::RestitutionLaw::poisson && c.law_given);
        }
        if (moreau)
            options.rule = poisson ? laws::ImpactRule::poisson : laws::ImpactRule::simultaneous;
        return options;
    }

    FrictionEvents friction_events(std::shared_ptr<const ContactProblem> problem) const {
        FrictionEvents events{std::move(problem), normal_,           tangential_, responses_, {},
                              impact_options(),   model_.run.paradox};
        for (const ContactSide& s : sides_)
            events.restitution.push_back(restitution(model_.contacts[s.contact].law));
        events.group_pivots = sides_.size() <= k_most_watched_sides;
        if (!relays_.empty() && !relays_.smoothed() && relays_.affine() && !lagrange())
            events.relays = std::make_shared<RelaysBeside>(flow_, relays_);
        return events;
    }

    UserEvents user_events() {
        UserEvents result;
        for (const model::Event& e : model_.events) {
            UserEvents::Item item;
            item.name = e.name;
            item.when = e.condition ? switching_.positive_where(e.when.expr) : e.when.expr;
            item.direction = e.condition ? flow::Direction::up : direction(e.direction);
            item.stop = e.stop;
            for (const model::Event::Set& s : e.sets) {
                UserEvents::Assignment a;
                a.value = s.value.expr;
                switch (s.what) {
                case model::Event::Set::What::coordinate:
                    a.index = s.index;
                    a.name = flow_.state_names[a.index];
                    break;
                case model::Event::Set::What::velocity:
                    a.index = flow_.n_positions + s.index;
                    a.name = flow_.state_names[a.index];
                    break;
                case model::Event::Set::What::state:
                    a.target = UserEvents::Assignment::Target::mode;
                    a.index = s.index;
                    a.name = model_.states[s.index].name;
                    break;
                }
                item.sets.push_back(a);
            }
            result.items.push_back(std::move(item));
        }
        return result;
    }

    const model::Model& model_;
    const prepare::Point& setting_;
    Flow flow_;
    Switching switching_;
    RelayField relays_;
    std::optional<double> layer_;
    bool lift_off_ = true;
    std::size_t first_multiplier_ = 0; // reactions from here on keep sliding surfaces (Lagrange)
    std::vector<Expr>
        deciding_; // accelerations that decide about sliding, where they are not the motion's
    std::unique_ptr<equations::Equations> equations_;
    std::unique_ptr<equations::Equations> loaded_; // with the given forces of redundant contacts
    std::unique_ptr<KinematicFamily> kinematics_;
    std::vector<ContactSide> sides_;
    std::vector<Guide> guides_;
    ElasticContacts elastic_;
    Unfolded unfolded_;
    std::vector<std::size_t> impulses_; // state of ∫ push dt by elastic side
    equations::LinearSystem free_system_;
    std::shared_ptr<const ContactProblem> problem_;
    double mu_ = 0.0; // regularises dependent constraints, see least_reactions()
    std::size_t first_normal_ = 0; // row of the first contact in the system of accelerations
    bool with_friction_ = false;
    std::vector<Expr> normal_; // reactions of the sides
    std::vector<std::vector<Expr>> tangential_; // their friction forces
    std::vector<std::optional<ResponseTerms>> responses_;
    std::vector<Expr> beside_; // B₁ of smooth contacts beside bilateral constraints
    std::vector<KeptRow> kept_;
    std::vector<Expr> changes_; // of the states that bring them back to what is kept
    ConstraintAnswer answer_; // to what events set
    Expr energy_;
    std::vector<model::KnownIntegral> known_; // of the bodies, with these parameters
};

} // namespace

Realisation realise(const model::Model& model, const prepare::Point& setting,
                    std::optional<double> layer, bool lift_off, const Branches& branches) {
    Realisation result;
    find_obstacle(model, setting, layer, result);
    if (!result.missing.empty() || !result.refused.empty()) return result;
    Builder builder(model, setting, layer, lift_off, branches);
    const bool routh =
        !model.contacts.empty() && model.run.contact == model::ContactRealisation::routh;
    switch (model.kind) {
    case model::Kind::energies: result.flow = routh ? builder.routh() : builder.mechanical(); break;
    case model::Kind::first_order: result.flow = builder.first_order(); break;
    case model::Kind::kinematic: result.flow = builder.kinematic(); break;
    }
    if (builder.switches_in_index2()) {
        result.missing = "forces that switch (sign, if) in a system of index 2";
        result.missing_span = model::where_run_says(model, "bilateral", "index2");
        return result;
    }
    if (!result.flow.algebraic.empty() && !result.flow.reactions_unique) {
        refuse_undetermined_reactions(model, result);
        return result;
    }
    if (const std::string unnamed = builder.without_multiplier(); !unnamed.empty()) {
        refuse_unnamed_relay(model, unnamed, result);
        return result;
    }
    result.contacts = builder.contacts();
    result.missing = builder.elastic().missing;
    result.missing_span = builder.elastic().missing_span;
    if (!builder.unfolded().refused.empty()) {
        result.refused = builder.unfolded().refused;
        result.instead = builder.unfolded().instead;
        result.refused_span = builder.unfolded().refused_span;
    }
    return result;
}

} // namespace liaison::realise
