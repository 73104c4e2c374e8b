// SPDX-License-Identifier: Apache-2.0
// One function for each reason not to realise a model, in the order in which they are looked at.
#include "liaison/realise/obstacles.hpp"

#include "liaison/base/features.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/table.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/realisation_words.hpp"
#include "liaison/model/switches.hpp"
#include "liaison/realise/flat_gap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace liaison::realise {
namespace {

using expr::Expr;
using model::ContactRealisation;
using model::Model;

// What the model asks for that no engine realises yet.
void find_missing(const Model& m, std::optional<double> layer, Realisation& result) {
    const auto missing = [&](std::string what, base::Span span) {
        if (result.missing.empty()) {
            result.missing = std::move(what);
            result.missing_span = span;
        }
    };
    if (m.kind != model::Kind::energies) {
        for (const auto& c : m.constraints) {
            if (!c.holonomic) missing("velocity constraints without energies", c.f.span);
        }
        if (!m.contacts.empty()) missing("contacts without energies", m.contacts.front().span);
    }
    for (const auto& r : m.relays) {
        if (r.holding && layer)
            missing("a static level of a relay inside a boundary layer", r.holding.span);
    }
    for (const auto& c : m.constraints) {
        if (!c.friction) continue;
        if (!m.contacts.empty() || !m.relays.empty() || model::forces_jump(m) || c.slip.size() > 1)
            missing(
                "friction on a bilateral constraint with a tolerance, a law of stabilise or an actuator "
                "beside contacts, relays or forces that jump, or with two slips (without them it is two contacts without "
                "play)",
                c.friction.span);
        if (m.run.bilateral == model::BilateralRealisation::index2)
            missing("friction on a bilateral constraint in a system of index 2", c.friction.span);
    }
    if (!m.contacts.empty() && (m.run.contact == ContactRealisation::timestep ||
                                m.run.contact == ContactRealisation::automatic)) {
        missing("this realisation of contacts (\"events\", \"routh\" and \"elastic\" have one)",
                m.run.span);
    }
    if (m.constraints.empty() || m.run.bilateral != model::BilateralRealisation::index2) return;
#if !LIAISON_WITH_SUNDIALS
    missing("bilateral constraints as a system of index 2 without SUNDIALS", m.run.span);
#endif
    if (!m.contacts.empty() || !m.relays.empty())
        missing("contacts or relays in a system of index 2", m.run.span);
}

void refuse(Realisation& result, std::string why, std::string instead, base::Span span) {
    result.refused = std::move(why);
    result.instead = std::move(instead);
    result.refused_span = span;
}

void refuse_inverse_question(const Model& m, Realisation& result) {
    if (!m.invert) return;
    refuse(result, "the forces are unknown: the model asks an inverse question",
           "liaison invert MODEL -o FILE writes the model with the forces that answer it",
           m.invert->span);
}

// Friction is a law of the realisation by events alone: springs give the normal force, Routh's function ideal reactions.
void refuse_friction_of_contacts(const Model& m, Realisation& result) {
    const auto rubs = std::ranges::find_if(
        m.contacts, [](const model::Contact& c) { return static_cast<bool>(c.friction); });
    if (rubs == m.contacts.end()) return;
    if (m.run.contact == ContactRealisation::elastic)
        refuse(result,
               "elastic contacts have no friction: contact = \"elastic\" realises the normal force "
               "alone",
               "contact = \"events\" realises friction, with the paradoxes; or write the spring as "
               "a [force] that pushes and the friction as a [relay] on the slip with the force "
               "-mu*push*u",
               rubs->friction.span);
    if (m.run.contact == ContactRealisation::routh)
        refuse(
            result,
            "contacts by Routh's function are ideal: the momenta of the other coordinates stay as "
            "they are in an impact, which friction would change",
            "contact = \"events\" realises friction, in impacts and in contact; without "
            "`friction` and `slip` the contact is smooth",
            rubs->friction.span);
}

void refuse_multiplier_without_metric(const Model& m, std::optional<double> layer,
                                      Realisation& result) {
    if (m.relays.empty() || m.run.relay != model::RelayRealisation::lagrange ||
        m.kind != model::Kind::first_order || layer)
        return;
    refuse(result, "Lagrange's multiplier needs a kinetic metric, and a [system] model has none",
           "relay = \"filippov\" or \"utkin\", or write the model with energies",
           model::where_run_says(m, "relay", "lagrange"));
}

void refuse_unfolded_relays(const Model& m, Realisation& result) {
    if (m.relays.empty() || m.contacts.empty() || m.run.contact != ContactRealisation::routh)
        return;
    refuse(result,
           "contacts by Routh's function need forces that are smooth between impacts; "
           "a relay switches, and slides on velocities that the unfolded motion "
           "does not have as states",
           "contact = \"events\" realises contacts and relays together", m.relays.front().span);
}

// Whether the gradient of an expression may jump: at the surfaces of abs, min, if, …, and at the knots of a broken line.
bool has_kinks(const expr::Pool& pool, expr::Expr e) {
    using expr::Op;
    return std::ranges::any_of(expr::reachable(std::array{e}), [&](const expr::Node* node) {
        switch (node->op) {
        case Op::abs:
        case Op::sign:
        case Op::min:
        case Op::max:
        case Op::floor:
        case Op::less:
        case Op::less_equal: return true;
        case Op::table: return pool.table_data(*node).coefficients.front().size() < 3;
        default: return false;
        }
    });
}

// The momenta of the unfolded motion are p = ∂L/∂v − Σ κ ∇f: where ∇f jumps they would have to jump with it.
void refuse_unfolded_kinks(const Model& m, Realisation& result) {
    if (m.run.contact != ContactRealisation::routh) return;
    for (const model::Contact& c : m.contacts) {
        for (const model::Contact::Side& side : c.sides) {
            if (!has_kinks(*m.pool, side.gap.expr)) continue;
            refuse(result,
                   fmt::format("the gap of contact {} has kinks: contacts by Routh's function are "
                               "unfolded along the gradient of the gap, which jumps there",
                               c.name),
                   "contact = \"events\" locates the kink and the impacts on both sides of it",
                   side.gap.span);
            return;
        }
    }
}

void refuse_flat_gap(const Model& m, const prepare::Point& start, Realisation& result) {
    const model::Contact* flat = contact_with_flat_gap(m, start);
    if (flat == nullptr) return;
    refuse(result,
           fmt::format("the gap of contact {} has no gradient at the start, and without one its "
                       "distance has no measure in the kinetic metric",
                       flat->name),
           "contact = \"events\" needs a gradient only where the gap closes; for two stops "
           "of one quantity give between = [\"lower\", \"f\", \"upper\"], for a round wall a gap "
           "that is a distance",
           flat->sides.front().gap.span);
}

void refuse_unlocated_impacts(const Model& m, Realisation& result) {
    if (m.run.location != model::Location::none ||
        (!m.contacts.empty() && m.run.contact == ContactRealisation::routh))
        return;
    refuse(result,
           "location = \"none\" goes through impacts without locating them, which only "
           "the unfolded motion of contact = \"routh\" survives",
           "leave location out, or take contact = \"routh\" with a fixed-step method",
           model::where_run_says(m, "location", "none"));
}

constexpr const char* k_instead_of_index2 =
    "bilateral = \"projection\", which keeps both levels too";

void refuse_index2_without_energies(const Model& m, Realisation& result) {
    if (m.constraints.empty() || m.run.bilateral != model::BilateralRealisation::index2 ||
        m.kind == model::Kind::energies)
        return;
    refuse(result, "a system of index 2 has positions, velocities and reactions: it needs energies",
           k_instead_of_index2, model::where_run_says(m, "bilateral", "index2"));
}

// Functions that jump where the state crosses a surface, within an expression: that surface of each, S of sign(S) and b − a of
// if(a < b, …).
std::vector<Expr> jumps_inside(const Model& m, const Expr& e) {
    std::vector<Expr> surfaces;
    for (const expr::Node* n : expr::reachable({&e, 1})) {
        const Expr node(n);
        const bool compares = node.op() == expr::Op::less || node.op() == expr::Op::less_equal;
        if (node.op() == expr::Op::sign) surfaces.push_back(node.arg(0));
        if (compares) surfaces.push_back(node.arg(1) - node.arg(0));
    }
    std::erase_if(surfaces, [&](Expr s) {
        const auto by_position = [&](const auto& c) { return expr::depends_on(s, c.q); };
        const auto by_velocity = [&](const auto& v) { return expr::depends_on(s, v.v); };
        return std::ranges::none_of(m.coordinates, by_position) &&
               std::ranges::none_of(m.velocities, by_velocity);
    });
    return surfaces;
}

std::vector<const model::Formula*> forces_of(const Model& m) {
    std::vector<const model::Formula*> all;
    for (const model::Force& force : m.forces) {
        for (const model::Formula& f : force.Q) all.push_back(&f);
        for (const model::Formula& f : force.vector) all.push_back(&f);
    }
    for (const model::Relay& relay : m.relays) {
        for (const model::Formula& f : relay.force) all.push_back(&f);
    }
    if (m.kind == model::Kind::first_order) {
        for (const model::Coordinate& c : m.coordinates) all.push_back(&c.rate);
    }
    std::erase_if(all, [](const model::Formula* f) { return !*f; });
    return all;
}

// A relay inside the surface of another makes two surfaces of it, two of them four: the limits on either side, whose mean is
// Filippov's. With an equivalent control inside, Utkin's surface is a third one, which is not followed.
void refuse_nested_surfaces(const Model& m, std::optional<double> layer, Realisation& result) {
    constexpr std::size_t k_most_inside = 6;
    const bool means = m.run.relay == model::RelayRealisation::filippov && !layer;
    for (const model::Formula* f : forces_of(m)) {
        for (const Expr surface : jumps_inside(m, f->expr)) {
            std::size_t inside = jumps_inside(m, surface).size();
            for (const model::Relay& relay : m.relays)
                inside += expr::depends_on(surface, relay.u) ? 1 : 0;
            if (inside > 0 && !means) {
                refuse(result,
                       fmt::format("a switch stands inside the surface {} = 0 of another one, and "
                                   "while it slides only Filippov's definition is followed there",
                                   expr::print(surface)),
                       "relay = \"filippov\"; or give the inner switch a [state] that events set",
                       f->span);
                return;
            }
            if (inside <= k_most_inside) continue;
            refuse(result,
                   fmt::format("{} switches stand inside the surface of another one, which has {} "
                               "forms for them; up to {} are followed",
                               inside, std::pow(2.0, static_cast<double>(inside)), k_most_inside),
                   "give the inner ones fewer surfaces, or make them smooth with tanh", f->span);
            return;
        }
    }
}

// While one relay slides, its value lies between its limits, and so does a surface of another that contains it: a force
// follows that, a surface that was given a name does not.
void refuse_surface_on_a_relay(const Model& m, Realisation& result) {
    std::vector<Expr> slides;
    for (const model::Relay& relay : m.relays) slides.push_back(relay.surface.expr);
    for (const model::Formula* f : forces_of(m)) {
        for (const expr::Node* n : expr::reachable({&f->expr, 1})) {
            if (n->op == expr::Op::sign) slides.push_back(Expr(n).arg(0));
        }
    }
    for (const model::Relay& relay : m.relays) {
        for (const Expr inner : jumps_inside(m, relay.surface.expr)) {
            const bool may_slide =
                std::ranges::any_of(slides, [&](Expr s) { return s == inner || s == -inner; });
            if (!may_slide) continue;
            refuse(
                result,
                fmt::format("the surface of relay {} switches where {} = 0, and there the motion "
                            "may slide: between its two values the surface is not defined",
                            relay.name, expr::print(inner)),
                "write its force with sign(…) instead of u in a [force.NAME]: a sign inside a "
                "sign may slide",
                relay.surface.span);
            return;
        }
    }
}

} // namespace

void find_obstacle(const Model& m, const prepare::Point& start, std::optional<double> layer,
                   Realisation& result) {
    const auto found = [&] { return !result.missing.empty() || !result.refused.empty(); };
    find_missing(m, layer, result);
    if (!found()) refuse_inverse_question(m, result);
    if (!found()) refuse_friction_of_contacts(m, result);
    if (!found()) refuse_multiplier_without_metric(m, layer, result);
    if (!found()) refuse_unfolded_relays(m, result);
    if (!found()) refuse_unfolded_kinks(m, result);
    if (!found()) refuse_flat_gap(m, start, result);
    if (!found()) refuse_unlocated_impacts(m, result);
    if (!found()) refuse_index2_without_energies(m, result);
    if (!found()) refuse_nested_surfaces(m, layer, result);
    if (!found() && !layer) refuse_surface_on_a_relay(m, result);
}

void refuse_undetermined_reactions(const Model& m, Realisation& result) {
    refuse(result,
           "the constraints depend on each other: the equations of index 2 do not "
           "determine their reactions",
           k_instead_of_index2, model::where_run_says(m, "bilateral", "index2"));
}

void refuse_unnamed_relay(const Model& m, const std::string& unnamed, Realisation& result) {
    refuse(result,
           fmt::format("{} is a relay without a name, which Lagrange's multiplier "
                       "cannot take the place of",
                       unnamed),
           "write it as [relay.NAME] with its surface and its force in u; or relay = "
           "\"filippov\" or \"utkin\"",
           model::where_run_says(m, "relay", "lagrange"));
}

} // namespace liaison::realise
