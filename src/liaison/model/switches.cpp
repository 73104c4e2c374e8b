// SPDX-License-Identifier: Apache-2.0
// Finds the surfaces on which the motion is not smooth: made by abs, sign, min, max, floor, mod, if, atan2.
#include "liaison/model/switches.hpp"

#include "liaison/expr/jump.hpp"
#include "liaison/expr/traverse.hpp"

#include <fmt/format.h>

namespace liaison::model {

using expr::Expr;
using expr::Node;
using expr::Op;

namespace {

constexpr unsigned k_moves = k_position | k_velocity | k_time | k_relay;

class Finder {
  public:
    Finder(Model& model, Dependence& dependence) : model_(model), dependence_(dependence) {}

    void look(const Formula& formula, const std::string& where) {
        if (!formula) return;
        const Expr root = formula.expr;
        std::vector<const Node*> stack{root.node()};
        while (!stack.empty()) {
            const Node* node = stack.back();
            stack.pop_back();
            // What was met before is listed under the place it was met in first.
            if (!seen_.insert(node)) continue;
            visit(node, formula, where);
            for (std::uint32_t i = 0; i < node->n_args; ++i) stack.push_back(node->args[i]);
        }
    }

  private:
    void visit(const Node* node, const Formula& formula, const std::string& where) {
        const Expr self(node);
        Expr surface;
        switch (node->op) {
        case Op::abs:
        case Op::sign:
        case Op::floor:
        case Op::table: surface = self.arg(0); break;
        case Op::min:
        case Op::max:
        case Op::less:
        case Op::less_equal: surface = self.arg(0) - self.arg(1); break;
        case Op::atan2: // the cut, where the other argument is negative
            if (self.arg(1).is_number() && self.arg(1).number().value() > 0.0) return;
            surface = self.arg(0);
            break;
        default: return;
        }
        if ((dependence_.of(surface) & k_moves) == 0) return;
        model_.switches.push_back({node->op, surface, self, where, formula.span});
    }

    Model& model_;
    Dependence& dependence_;
    expr::NodeSet seen_;
};

} // namespace

void find_switches(Model& model, Dependence& dependence) {
    Finder finder(model, dependence);
    finder.look(model.energy.T, "energy T");
    finder.look(model.energy.V, "energy V");
    finder.look(model.energy.L, "energy L");
    for (const Force& force : model.forces) {
        for (const Formula& component : force.Q) finder.look(component, "force " + force.name);
    }
    if (model.kind == Kind::first_order) {
        for (const Coordinate& coordinate : model.coordinates) {
            finder.look(coordinate.rate, fmt::format("the right-hand side of {}", coordinate.name));
        }
    }
    for (const Relay& relay : model.relays) {
        const std::string where = "relay " + relay.name;
        for (const Formula& component : relay.force) finder.look(component, where);
        finder.look(relay.surface, where);
        finder.look(relay.above, where);
        finder.look(relay.below, where);
    }
    for (const Constraint& constraint : model.constraints) {
        finder.look(constraint.f, "constraint " + constraint.name);
    }
    for (const Contact& contact : model.contacts) {
        for (const Contact::Side& side : contact.sides)
            finder.look(side.gap, "contact " + contact.name);
    }
}

bool forces_jump(const Model& model) {
    std::vector<Expr> forces;
    for (const Force& force : model.forces) {
        for (const Formula& component : force.Q)
            if (component) forces.push_back(component.expr);
    }
    std::vector<Expr> variables;
    for (const Coordinate& c : model.coordinates) variables.push_back(c.q);
    for (const Velocity& v : model.velocities) variables.push_back(v.v);
    return expr::jumps(forces, variables);
}

} // namespace liaison::model
