// SPDX-License-Identifier: Apache-2.0
// Reads reactions from the samples of a rigid motion, and impacts from its events.
#include "liaison/analysis/rigid_facts.hpp"

#include "liaison/equations/from_model.hpp"
#include "liaison/equations/system.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

using expr::Expr;

// g̈ of the sides while every contact is open.
std::vector<Expr> free_accelerations(const model::Model& model) {
    const auto eq = equations::derive(equations::lagrangian_input(model), equations::Form::plain);
    const auto rows = equations::bilateral_rows(eq);
    const auto solved = equations::accelerations(eq, rows);
    std::vector<Expr> all;
    for (const auto& contact : eq.contacts) {
        Expr sum = contact.normal.drift ? contact.normal.drift : model.pool->number(0);
        for (const auto& e : contact.normal.W) sum = sum + e.value * solved.u_dot[e.index];
        all.push_back(sum);
    }
    return all;
}

// Coordinates and velocities come first in the state of a rigid motion.
prepare::Point before(const flow::Event& e, prepare::Point point) {
    point.time = e.time.rounded();
    const std::size_t n = point.q.size();
    for (std::size_t i = 0; i < n && i < e.state_minus.size(); ++i) point.q[i] = e.state_minus[i];
    for (std::size_t j = 0; j < point.v.size() && n + j < e.state_minus.size(); ++j)
        point.v[j] = e.state_minus[n + j];
    return point;
}

// R = αs + βs² in the time s before lift-off, through the last two samples: α = −Ṙ there.
double vanishing_rate(double s1, double R1, double s2, double R2) {
    return (R1 * s2 * s2 - R2 * s1 * s1) / (s1 * s2 * (s2 - s1));
}

} // namespace

bool belongs(const flow::Event& event, const model::Model& model, const ContactMetric& side) {
    const model::Contact& contact = model.contacts[side.contact];
    const std::string name = event.side.empty() ? event.where : event.where + " " + event.side;
    return event.where == contact.name && (!contact.two_sided() || name == side.name);
}

std::vector<RigidFacts> rigid_facts(const model::Model& model, const prepare::Point& start,
                                    const std::vector<ContactMetric>& sides, const Track& limit,
                                    const std::vector<double>& times) {
    const prepare::Evaluator evaluator(model);
    const auto accelerations = free_accelerations(model);
    std::vector<RigidFacts> all;
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const ContactMetric& m = sides[k];
        RigidFacts f;
        f.ratio = damping_ratio(model, model.contacts[m.contact], start);
        f.exit = exit_of(model.contacts[m.contact]);
        f.first_mass = evaluator.at(start, m.mass);
        f.first_profile = evaluator.at(start, m.profile);
        const bool closed = k < limit.closed_at_start.size() && limit.closed_at_start[k] != 0;
        if (closed) f.first_reaction = std::max(0.0, limit.reactions[0][k]);
        for (std::size_t i = 0; i < times.size(); ++i) {
            const double R = limit.reactions[i][k];
            if (!(R > 0.0)) continue;
            f.largest_reaction = std::max(f.largest_reaction, R);
            f.smallest_mass = std::min(f.smallest_mass, evaluator.at(limit.points[i], m.mass));
            f.smallest_profile =
                std::min(f.smallest_profile, evaluator.at(limit.points[i], m.profile));
        }
        for (const flow::Event& e : limit.events) {
            if (!belongs(e, model, m)) continue;
            const double time = e.time.rounded();
            if (e.kind == flow::EventKind::accumulation) {
                f.accumulates = true;
                break;
            }
            if (e.kind == flow::EventKind::impact) {
                const prepare::Point there = before(e, start);
                f.impacts.push_back({time, std::abs(e.gap_rate.value_or(0.0)),
                                     evaluator.at(there, m.mass), evaluator.at(there, m.profile),
                                     -evaluator.at(there, accelerations[k])});
            }
            if (e.kind != flow::EventKind::release || f.lift_off || !closed || !f.impacts.empty() ||
                !(f.first_reaction > 0.0))
                continue;
            const auto after = std::ranges::lower_bound(times, time) - times.begin();
            if (after < 3) continue;
            auto i = static_cast<std::size_t>(after) - 1;
            if (time - times[i] < 0.5 * (times[i] - times[i - 1]))
                --i; // too near to be told from it
            f.lift_off =
                RigidFacts::LiftOff{time, evaluator.at(before(e, start), m.mass),
                                    vanishing_rate(time - times[i], limit.reactions[i][k],
                                                   time - times[i - 1], limit.reactions[i - 1][k])};
            f.lift_off->rate /= f.lift_off->mass;
        }
        all.push_back(std::move(f));
    }
    return all;
}

} // namespace liaison::analysis
