// SPDX-License-Identifier: Apache-2.0
// The phase of [periodic] becomes an event; symmetry and drift go along.
#include "liaison/ask/orbit.hpp"

#include "liaison/analysis/involution.hpp"
#include "liaison/analysis/orbit_guess.hpp"
#include "liaison/prepare/point.hpp"

namespace liaison::ask {
namespace {

// [periodic] phase becomes an event that changes nothing: the orbit begins there.
constexpr const char* k_phase = "phase";

void add_phase(model::Model& model) {
    if (!model.periodic || !model.periodic->phase) return;
    model::Event event;
    event.name = k_phase;
    event.when = model.periodic->phase;
    event.direction = model::Event::Direction::up;
    event.span = model.periodic->phase.span;
    model.events.push_back(std::move(event));
}

// The last of that name: events of the model come before it.
std::optional<std::size_t> phase_guard(const flow::Flow& flow) {
    for (std::size_t i = flow.guards.size(); i-- > 0;) {
        if (flow.guards[i].name == k_phase) return i;
    }
    return std::nullopt;
}

} // namespace

std::optional<OrbitSubject> orbit_subject(const model::Model& model, const OrbitQuestion& question,
                                          const Control& control, Findings& findings) {
    model::Model with_phase = model;
    add_phase(with_phase);
    // The tolerance of an orbit is its own: that of [run] is for simulation.
    auto made = subject_of(std::move(with_phase), question.set, {},
                           "periodic motions are not looked for", findings);
    if (!made) return std::nullopt;
    OrbitSubject subject{std::move(*made), {}};
    analysis::OrbitOptions& wanted = subject.options_of_orbit;
    wanted.interrupt = control.interrupt;
    if (question.tolerance) wanted.tolerance = *question.tolerance;
    if (question.settle) wanted.settle = *question.settle;
    if (question.longest) wanted.longest = *question.longest;
    if (question.period) wanted.periods = *question.period;
    const auto& periodic = subject.model->periodic;
    if (!periodic) return subject;
    if (periodic->period)
        wanted.forcing =
            prepare::Evaluator(*subject.model).at(subject.start.point, periodic->period.expr);
    wanted.drift = periodic->drift;
    wanted.symmetry = analysis::symmetry_of(*subject.model, *subject.flow, findings.diagnostics);
    if (findings.refused()) return std::nullopt;
    const bool forced = wanted.forcing > 0.0 || analysis::forcing_period(*subject.flow) > 0.0;
    if (periodic->phase && forced)
        findings.notes.emplace_back("[periodic] phase is for motions without forcing; the period "
                                    "of the force says where this one begins");
    else if (periodic->phase)
        wanted.begin = phase_guard(*subject.flow);
    return subject;
}

Answer<OrbitAnswer> orbit(const model::Model& model, const OrbitQuestion& question,
                          const Control& control, base::Diagnostics diagnostics) {
    Answer<OrbitAnswer> answer{{std::move(diagnostics), {}, {}, {}}, {}};
    const auto subject = orbit_subject(model, question, control, answer);
    if (!subject) return answer;
    control.begin(answer.diagnostics);
    answer.value =
        OrbitAnswer{subject->flow, analysis::find_orbit(subject->flow, subject->options_of_orbit)};
    return answer;
}

} // namespace liaison::ask
