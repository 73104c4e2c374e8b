// SPDX-License-Identifier: Apache-2.0
// Numbers that are wrong whatever the motion, in a model that has other errors.
//
// What moves is taken away; what is left is a model of constants, which the checks of the start judge as they judge any other.
#include "liaison/prepare/constants.hpp"

#include "liaison/expr/traverse.hpp"
#include "liaison/prepare/settings.hpp"
#include "liaison/prepare/work.hpp"

#include <algorithm>

namespace liaison::prepare {
namespace {

using model::Formula;

class Constants {
  public:
    explicit Constants(const model::Model& rest) : rest_(rest) {
        model_.pool = rest.pool;
        model_.source = rest.source;
        model_.t = rest.t;
        model_.parameters = rest.parameters;
        model_.start.time = constant(rest.start.time);
        model_.start.span = rest.start.span;
        model_.run.until = constant(rest.run.until);
        model_.run.step = constant(rest.run.step);
        model_.run.hold_rate = constant(rest.run.hold_rate);
        for (const model::Contact& contact : rest.contacts) add(contact);
        for (const model::Relay& relay : rest.relays) add(relay);
        for (const model::Body& body : rest.bodies) add(body);
    }

    [[nodiscard]] const model::Model& model() const { return model_; }

  private:
    [[nodiscard]] bool is_constant(const Formula& formula) const {
        if (!formula) return false;
        const auto is_parameter = [&](expr::Expr s) {
            return std::ranges::find(rest_.parameters, s, &model::Parameter::symbol) !=
                   rest_.parameters.end();
        };
        return std::ranges::all_of(expr::free_symbols(formula.expr), is_parameter);
    }
    [[nodiscard]] Formula constant(const Formula& formula) const {
        return is_constant(formula) ? formula : Formula{};
    }

    void add(const model::Contact& given) {
        model::Contact contact;
        contact.name = given.name;
        contact.span = given.span;
        contact.restitution = constant(given.restitution);
        if (is_constant(given.friction.sliding) && is_constant(given.friction.sticking))
            contact.friction = given.friction;
        contact.elastic.stiffness = constant(given.elastic.stiffness);
        contact.elastic.damping = constant(given.elastic.damping);
        contact.elastic.damping_ratio = constant(given.elastic.damping_ratio);
        contact.elastic.profile = constant(given.elastic.profile);
        contact.elastic.preload = constant(given.elastic.preload);
        model_.contacts.push_back(std::move(contact));
    }

    void add(const model::Relay& given) {
        if (!is_constant(given.above) || !is_constant(given.below)) return;
        if (given.above.expr == given.below.expr) return; // told when the model was read
        model::Relay relay;
        relay.name = given.name;
        relay.span = given.span;
        relay.above = given.above;
        relay.below = given.below;
        relay.holding = constant(given.holding);
        model_.relays.push_back(std::move(relay));
    }

    void add(const model::Body& given) {
        for (const auto& row : given.inertia) {
            if (!std::ranges::all_of(row, [&](const Formula& f) { return is_constant(f); })) return;
        }
        model::Body body;
        body.name = given.name;
        body.kind = given.kind;
        body.span = given.span;
        body.mass = constant(given.mass);
        body.inertia = given.inertia;
        bodies_.push_back(std::move(body));
    }

    const model::Model& rest_;
    model::Model model_;
    std::vector<model::Body>
        bodies_; // have no coordinates here, and join when the start has its values

  public:
    void add_bodies() { model_.bodies = std::move(bodies_); }
};

} // namespace

void check_constants(const model::Model& rest, const std::vector<std::string>& settings,
                     base::Diagnostics& diagnostics) {
    if (!rest.pool) return;
    Constants constants(rest);
    base::Diagnostics about_settings; // told where the model is sound
    Options options;
    options.settings = read_settings(constants.model(), settings, about_settings);
    Work work(constants.model(), diagnostics);
    if (!give_values(work, options)) return;
    constants.add_bodies();
    check_values(work);
    check_contacts(work);
    diagnostics.keep_files();
}

} // namespace liaison::prepare
