// SPDX-License-Identifier: Apache-2.0
// Runs of a model in different realisations, read back as points.
#include "liaison/analysis/contact_track.hpp"

#include "liaison/equations/effective_mass.hpp"
#include "liaison/equations/from_model.hpp"
#include "liaison/equations/system.hpp"
#include "liaison/laws/damped_contact.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/execute.hpp"
#include "liaison/record/shared_load.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

using expr::Expr;
using flow::OutputGroup;

// The velocity without its component on M⁻¹∇g.
std::vector<double> along_velocity(const prepare::Evaluator& evaluator, const ContactMetric& s,
                                   const prepare::Point& point) {
    const auto direction = evaluator.at(point, s.response);
    const double kick = evaluator.at(point, s.rate) * evaluator.at(point, s.mass);
    std::vector<double> v = point.v;
    for (std::size_t j = 0; j < v.size(); ++j) v[j] -= kick * direction[j];
    return v;
}

} // namespace

laws::ContactExit exit_of(const model::Contact& contact) {
    return contact.elastic.exit == model::Elasticity::Exit::gap ? laws::ContactExit::gap
                                                                : laws::ContactExit::force;
}

Track follow(const model::Model& model, const prepare::Point& start, double until, double tolerance,
             const std::vector<double>& times, std::optional<double> layer,
             const motion::MethodOptions& method, base::Interrupt interrupt) {
    Track track;
    auto realised = realise::realise(model, start, layer);
    if (!realised.missing.empty()) track.failed = "there is no engine for " + realised.missing;
    if (!realised.refused.empty()) track.failed = realised.refused;
    if (!track.failed.empty()) return track;
    record::ExecuteOptions options;
    options.until = until;
    options.tolerance = tolerance;
    options.at = times;
    options.method = method;
    options.interrupt = interrupt;
    record::Run run = record::execute(realised.flow, options);
    if (realised.contacts) record::share_loads(*realised.contacts, realised.flow, run);
    // Whether the books of energy close is for the run to say; here motions are compared with each other.
    if (run.trajectory.status != motion::Status::done &&
        run.trajectory.status != motion::Status::unbalanced) {
        track.failed = run.trajectory.reason;
        return track;
    }
    const auto& outputs = realised.flow.outputs;
    const std::size_t bilateral = model.constraints.size();
    for (const record::Block::Row sample : run.samples) {
        prepare::Point point = start;
        point.time = sample.time;
        std::size_t q = 0;
        std::size_t v = 0;
        std::size_t r = 0;
        std::vector<double> reactions;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (outputs[i].group == OutputGroup::q) point.q[q++] = sample.values[i];
            // A first-order system has rates there, not velocities.
            if (outputs[i].group == OutputGroup::v && v < point.v.size())
                point.v[v++] = sample.values[i];
            if (outputs[i].group == OutputGroup::reaction && outputs[i].part.empty() &&
                r++ >= bilateral)
                reactions.push_back(sample.values[i]);
        }
        track.points.push_back(std::move(point));
        track.reactions.push_back(std::move(reactions));
    }
    track.events = run.trajectory.events;
    track.steps = run.trajectory.statistics.steps;
    track.smallest_gap = run.smallest_gap;
    for (std::size_t i = 0; i < realised.flow.modes.size(); ++i) {
        for (const auto& w : realised.flow.modes[i].words) {
            const bool there = run.trajectory.start_mode[i] == w.value;
            if (w.word == "closed") track.closed_at_start.push_back(there ? 1 : 0);
            if (w.word == "sliding") track.has_relays = true;
            if (w.word == "sliding") track.slides_at_start = track.slides_at_start || there;
        }
    }
    return track;
}

std::vector<ContactMetric> contact_metrics(const model::Model& model) {
    const auto eq = equations::derive(equations::lagrangian_input(model), equations::Form::plain);
    const auto system = equations::assemble(eq, equations::bilateral_rows(eq));
    const Expr factor = model.pool->factor(system.structure, system.entries);
    const std::size_t n = model.velocities.size();
    std::vector<ContactMetric> metrics;
    for (std::size_t k = 0; k < model.contacts.size(); ++k) {
        const model::Contact& contact = model.contacts[k];
        for (const auto& given : contact.sides) {
            const equations::RateRow& normal = eq.contacts[metrics.size()].normal;
            ContactMetric side;
            side.name = given.name.empty() ? contact.name : contact.name + " " + given.name;
            side.contact = k;
            side.gap = given.gap.expr;
            side.rate = normal.rate;
            side.mass = equations::effective_mass(eq, normal.W);
            side.row.assign(n, model.pool->number(0));
            for (const auto& e : normal.W) side.row[e.index] = e.value;
            const equations::Row rows[] = {normal.W};
            side.response = equations::responses(eq, factor, rows)[0];
            side.response.resize(n);
            side.profile = contact.elastic.profile ? contact.elastic.profile.expr : side.mass;
            metrics.push_back(std::move(side));
        }
    }
    return metrics;
}

prepare::Point compressed(const prepare::Evaluator& evaluator,
                          const std::vector<ContactMetric>& sides,
                          const std::vector<double>& reactions, prepare::Point point,
                          double stiffness) {
    for (std::size_t k = 0; k < sides.size() && k < reactions.size(); ++k) {
        if (!(reactions[k] > 0.0)) continue;
        const ContactMetric& s = sides[k];
        const double wanted = -reactions[k] / (stiffness * evaluator.at(point, s.profile));
        for (int i = 0; i < 8; ++i) {
            const double step = (wanted - evaluator.at(point, s.gap)) * evaluator.at(point, s.mass);
            const auto direction = evaluator.at(point, s.response);
            for (std::size_t j = 0; j < point.q.size(); ++j) point.q[j] += step * direction[j];
        }
        const double kick = -evaluator.at(point, s.rate) * evaluator.at(point, s.mass);
        const auto direction = evaluator.at(point, s.response);
        for (std::size_t j = 0; j < point.v.size(); ++j) point.v[j] += kick * direction[j];
    }
    return point;
}

double damping_ratio(const model::Model& model, const model::Contact& contact,
                     const prepare::Point& point) {
    const prepare::Evaluator evaluator(model);
    if (contact.elastic.damping_ratio)
        return evaluator.at(point, contact.elastic.damping_ratio.expr);
    if (contact.elastic.damping || !contact.restitution) return 0.0;
    return laws::damping_ratio_for(evaluator.at(point, contact.restitution.expr), exit_of(contact))
        .value_or(0.0);
}

model::Model rigid_limit(const model::Model& model, const prepare::Point& point) {
    model::Model limit = model;
    limit.run.contact = model::ContactRealisation::events;
    for (model::Contact& contact : limit.contacts) {
        const double e =
            laws::restitution_of(damping_ratio(model, contact, point), exit_of(contact));
        contact.restitution.expr = model.pool->number(expr::Number(e));
    }
    return limit;
}

model::Model with_stiffness(const model::Model& model, double stiffness) {
    model::Model soft = model;
    soft.run.contact = model::ContactRealisation::elastic;
    for (model::Contact& contact : soft.contacts) {
        contact.elastic.stiffness.expr = model.pool->number(expr::Number(stiffness));
        contact.elastic.potential = {};
    }
    return soft;
}

AlongDifference along(const prepare::Evaluator& evaluator, const ContactMetric& side,
                      const prepare::Point& rigid, const prepare::Point& soft) {
    const auto direction = evaluator.at(rigid, side.response);
    const auto row = evaluator.at(rigid, side.row);
    const double mass = evaluator.at(rigid, side.mass);
    double normal = 0.0;
    for (std::size_t j = 0; j < row.size(); ++j) normal += row[j] * (soft.q[j] - rigid.q[j]);
    const auto soft_v = along_velocity(evaluator, side, soft);
    const auto rigid_v = along_velocity(evaluator, side, rigid);
    AlongDifference difference;
    for (std::size_t j = 0; j < row.size(); ++j) {
        const double apart = soft.q[j] - rigid.q[j] - direction[j] * mass * normal;
        difference.position = std::max(difference.position, std::abs(apart));
        difference.velocity = std::max(difference.velocity, std::abs(soft_v[j] - rigid_v[j]));
    }
    return difference;
}

std::vector<double> even_times(double from, double to, std::size_t count) {
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i) {
        times.push_back(from + (to - from) * static_cast<double>(i) /
                                   static_cast<double>(std::max<std::size_t>(count, 2) - 1));
    }
    return times;
}

} // namespace liaison::analysis
