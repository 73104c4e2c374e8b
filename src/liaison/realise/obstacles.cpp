// SPDX-License-Identifier: Apache-2.0
// One function for each reason not to realise a model, in the order in which they are looked at.
#include "liaison/realise/obstacles.hpp"

#include "liaison/base/features.hpp"
#include "liaison/expr/table.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/realisation_words.hpp"
#include "liaison/realise/flat_gap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace liaison::realise {
namespace {

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
        if (!m.contacts.empty() || !m.relays.empty() || c.slip.size() > 1)
            missing(
                "friction on a bilateral constraint with a tolerance, a law of stabilise or an actuator "
                "beside contacts or relays, or with two slips (without them it is two contacts without "
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
