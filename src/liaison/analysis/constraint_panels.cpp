// SPDX-License-Identifier: Apache-2.0
// Violations and energies of sampled motions as panels.
#include "liaison/analysis/constraint_panels.hpp"

#include "liaison/model/realisation_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace liaison::analysis {
namespace {

using flow::OutputGroup;

std::vector<double> violations(const Variant& v) {
    std::vector<double> largest(v.run.samples.size(), 0.0);
    for (std::size_t k = 0; k < v.flow.outputs.size(); ++k) {
        const flow::Output& output = v.flow.outputs[k];
        if (output.group != OutputGroup::violation || !output.part.empty()) continue;
        for (std::size_t s = 0; s < largest.size(); ++s)
            largest[s] = std::max(largest[s], std::abs(v.run.samples[s].values[k]));
    }
    return largest;
}

// E(t) − E(0) − work, friction and relays, all of them states of the motion, and what events took or gave.
std::vector<double> energy_errors(const Variant& v) {
    const auto energy =
        std::ranges::find(v.flow.outputs, OutputGroup::energy, &flow::Output::group);
    const auto& states = v.run.trajectory.samples;
    if (energy == v.flow.outputs.end() || states.size() != v.run.samples.size()) return {};
    const auto at = static_cast<std::size_t>(energy - v.flow.outputs.begin());
    std::vector<std::size_t> quadratures;
    for (std::size_t i = v.flow.n_controlled; i < v.flow.state_names.size(); ++i) {
        const std::string& name = v.flow.state_names[i];
        if (name == "work" || name == "friction" || name == "relay work") quadratures.push_back(i);
    }
    std::vector<double> errors;
    const auto& events = v.run.trajectory.events;
    auto next = events.begin();
    double given = 0.0;
    for (std::size_t s = 0; s < states.size(); ++s) {
        for (; next != events.end() && next->time.rounded() <= v.run.samples[s].time; ++next)
            given += next->energy.value_or(0.0);
        double error = v.run.samples[s].values[at] - v.run.samples[0].values[at] - given;
        for (const std::size_t i : quadratures) error -= states[s].state[i] - states[0].state[i];
        errors.push_back(std::abs(error));
    }
    return errors;
}

record::Panel panel(const std::vector<Variant>& variants, const char* label,
                    std::vector<double> (*values)(const Variant&)) {
    constexpr double k_floor = 1e-18;
    record::Panel panel;
    panel.x_label = "t";
    panel.y_label = label;
    for (const Variant& v : variants) {
        record::Line line;
        line.label = v.word;
        const auto y = values(v);
        for (std::size_t s = 0; s < y.size(); ++s) {
            line.x.push_back(v.run.samples[s].time);
            line.y.push_back(std::log10(std::max(y[s], k_floor)));
        }
        panel.lines.push_back(std::move(line));
    }
    return panel;
}

} // namespace

std::vector<record::Panel> constraint_panels(const std::vector<Variant>& variants) {
    const bool held =
        std::ranges::any_of(variants, [](const Variant& v) { return !v.flow.constraints.empty(); });
    const bool struck = std::ranges::any_of(variants, [](const Variant& v) {
        return std::ranges::any_of(std::array{"events", "routh", "elastic"}, [&](const char* word) {
            return model::realised_by(v.flow.realisation, word);
        });
    });
    std::vector<record::Panel> panels;
    if (held) panels.push_back(panel(variants, "log10 violation", violations));
    if (held || struck) panels.push_back(panel(variants, "log10 energy error", energy_errors));
    return panels;
}

double largest_energy_error(const Variant& variant) {
    const auto errors = energy_errors(variant);
    return errors.empty() ? 0.0 : *std::ranges::max_element(errors);
}

} // namespace liaison::analysis
