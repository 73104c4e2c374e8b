// SPDX-License-Identifier: Apache-2.0
// Preloads at the start, looked at island by island.
#include "liaison/realise/preload_words.hpp"

#include "liaison/flow/probe.hpp"
#include "liaison/flow/start_instant.hpp"
#include "liaison/laws/contact_islands.hpp"
#include "liaison/realise/contact_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace liaison::realise {
namespace {

using Eigen::Index;
using Problem = laws::StatedForces::Problem;

constexpr double k_none = 1e-9; // gaps and rates

// Contacts that are closed and do not part at the start, with their stated forces.
struct Closed {
    std::vector<laws::CoulombContact> contacts;
    std::vector<std::optional<double>> stated;
};

Closed closed_at_start(const ContactProblem& problem, const ContactNumbers& n,
                       const flow::Flow& flow, const flow::Instant& now) {
    Closed closed;
    for (Index k = 0; k < n.gap.size(); ++k) {
        if (std::abs(n.gap(k)) > k_none || std::abs(n.rate(k)) > k_none) continue;
        const ContactSide& side = problem.sides()[static_cast<std::size_t>(k)];
        laws::CoulombContact c;
        c.normal = k;
        c.slip = problem.slip_row(k);
        c.slips = static_cast<int>(side.friction.slips.size());
        c.sliding_plus = n.sliding_plus(k);
        c.sliding_minus = n.sliding_minus(k);
        c.sticking = n.sticking(k);
        const Eigen::VectorXd v = n.slip.segment(c.slip - n.gap.size(), c.slips);
        c.moving = v.norm() > k_none;
        if (c.moving) c.direction.head(c.slips) = v.normalized();
        closed.contacts.push_back(c);
        closed.stated.emplace_back();
        if (!side.preload) continue;
        const double force = flow::Probe(flow, {side.preload})(now)[0];
        if (force > 0.0) closed.stated.back() = force;
    }
    return closed;
}

} // namespace

PreloadTrouble moving_preload(const std::string& name, double force, double rate) {
    return {fmt::format("contact {} cannot be pressed by {:.6g} at the start", name, force),
            fmt::format("its gap changes with {:.6g} then", rate),
            "a preload is stated for contacts at rest, which it jams: start at rest, or leave "
            "preload out"};
}

PreloadTrouble preload_trouble(const laws::StatedForces& forces,
                               const std::vector<std::optional<double>>& stated,
                               const std::vector<std::string>& names) {
    // Friction may be missing elsewhere than where a force was stated: that one is named in the cause.
    std::size_t k = forces.contact;
    if (!stated[k])
        k = static_cast<std::size_t>(
            std::ranges::find_if(stated, [](const auto& s) { return s.has_value(); }) -
            stated.begin());
    PreloadTrouble t;
    t.what = fmt::format("contact {} cannot be pressed by {:.6g} at the start", names[k],
                         stated[k].value_or(0.0));
    switch (forces.problem) {
    case Problem::none: break;
    case Problem::moves:
        t.cause = "it slips then";
        t.remedy =
            "a preload is stated for contacts at rest, which it jams: start at rest, or leave "
            "preload out";
        break;
    case Problem::cannot_rest:
        t.cause = fmt::format("no forces keep {} at rest together", fmt::join(names, ", "));
        t.remedy = "leave preload out: these contacts cannot be jammed";
        break;
    case Problem::determined:
        t.cause = fmt::format("the balance of forces determines its force, {:.9g}", forces.value);
        t.remedy = "leave preload out: it is for contacts that hold each other with any force";
        break;
    case Problem::unbalanced:
        t.cause = fmt::format("{:.9g} would be in balance with the other preloads", forces.value);
        t.remedy =
            "state forces that balance each other and the load, or leave one of them out: it "
            "follows from the others";
        break;
    case Problem::friction:
        t.cause =
            forces.limit < 0.0
                ? fmt::format("contact {} would have to pull", names[forces.contact])
                : fmt::format("the balance needs the friction {:.6g} of contact {}, which has "
                              "{:.6g} at most",
                              forces.value, names[forces.contact], forces.limit);
        t.remedy = forces.factor
                       ? fmt::format("it would hold with preloads {:.6g} times as large; without "
                                     "preload the rule of paradox decides",
                                     *forces.factor)
                       : "larger preloads do not hold either: the friction is too small to jam "
                         "these contacts";
        break;
    }
    return t;
}

void report_preloads(const model::Model& model, const Realisation& realised,
                     base::Diagnostics& diagnostics) {
    const auto no_effect = [&](const model::Contact& contact, const char* why) {
        diagnostics
            .report(base::Code::preload_without_effect,
                    fmt::format("the preload of contact {} has no effect", contact.name))
            .at(contact.elastic.preload.span, why)
            .note(
                "a preload belongs to rigid contacts with friction that can jam, and to contact = "
                "\"elastic\"");
    };
    // Of a spring it is the compression, and its rigid limit has none.
    const auto ignored = [](const model::Contact& c) {
        return c.elastic.preload && !c.elastic.stiffness && !c.elastic.potential;
    };
    if (model.run.contact == model::ContactRealisation::routh) {
        for (const model::Contact& c : model.contacts) {
            if (ignored(c)) no_effect(c, "contacts by Routh's function have no friction");
        }
    }
    if (!realised.contacts) return;
    const auto& sides = realised.contacts->sides();
    const auto preload = [&](std::size_t side) {
        return model.contacts[sides[side].contact].elastic.preload.span;
    };
    const bool friction =
        std::ranges::any_of(sides, [](const auto& s) { return bool(s.friction); });
    for (std::size_t k = 0; k < sides.size() && !friction; ++k) {
        const model::Contact& contact = model.contacts[sides[k].contact];
        if (!ignored(contact)) continue;
        if (k > 0 && sides[k].contact == sides[k - 1].contact) continue;
        no_effect(contact, "without friction the motion is the same under any force");
    }
    if (!friction || std::ranges::none_of(sides, [](const auto& s) { return bool(s.preload); }))
        return;
    const flow::Instant now = flow::start_instant(realised.flow);
    const ContactNumbers n = realised.contacts->at(now);
    if (!n.regular) return;
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const auto i = static_cast<Index>(k);
        if (!sides[k].preload || std::abs(n.gap(i)) > k_none || std::abs(n.rate(i)) <= k_none)
            continue;
        const double force = flow::Probe(realised.flow, {sides[k].preload})(now)[0];
        if (!(force > 0.0)) continue;
        const PreloadTrouble t = moving_preload(sides[k].name, force, n.rate(i));
        diagnostics.report(base::Code::preload_impossible, t.what)
            .at(preload(k), t.cause)
            .note(t.remedy);
    }
    const Closed closed = closed_at_start(*realised.contacts, n, realised.flow, now);
    for (const auto& island : laws::contact_islands(n.D, closed.contacts)) {
        std::vector<laws::CoulombContact> contacts;
        std::vector<std::optional<double>> stated;
        std::vector<std::string> names;
        std::vector<std::size_t> where;
        for (const std::size_t j : island) {
            contacts.push_back(closed.contacts[j]);
            stated.push_back(closed.stated[j]);
            where.push_back(static_cast<std::size_t>(closed.contacts[j].normal));
            names.push_back(sides[where.back()].name);
        }
        if (std::ranges::none_of(stated, [](const auto& s) { return s.has_value(); })) continue;
        const auto forces = laws::state_forces(n.D, n.b, contacts, stated);
        if (forces.problem != Problem::none) {
            const PreloadTrouble t = preload_trouble(forces, stated, names);
            std::size_t at = forces.contact;
            while (!stated[at]) at = (at + 1) % stated.size();
            diagnostics.report(base::Code::preload_impossible, t.what)
                .at(preload(where[at]), t.cause)
                .note(t.remedy);
            continue;
        }
        for (std::size_t j = 0; j < island.size(); ++j) {
            if (forces.determined[j] != 0)
                no_effect(model.contacts[sides[where[j]].contact],
                          "the balance of forces determines it already");
        }
    }
}

} // namespace liaison::realise
