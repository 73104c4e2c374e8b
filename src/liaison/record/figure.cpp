// SPDX-License-Identifier: Apache-2.0
// Turns samples, events and modes into panels.
#include "liaison/record/figure.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::record {
namespace {

using flow::OutputGroup;

constexpr std::size_t k_most_lines = 8;

Panel panel_of(const Run& run, const flow::Flow& flow, OutputGroup group, const std::string& label,
               const std::string& suffix) {
    Panel panel;
    panel.x_label = "t";
    panel.y_label = label;
    for (std::size_t i = 0; i < flow.outputs.size() && panel.lines.size() < k_most_lines; ++i) {
        if (flow.outputs[i].group != group) continue;
        // A₁ and B₁' classify a contact; they are no forces.
        if (flow.outputs[i].part == "A1" || flow.outputs[i].part == "B1") continue;
        Line line;
        line.label = flow.outputs[i].name +
                     (flow.outputs[i].part.empty() ? "" : " " + flow.outputs[i].part) + suffix;
        for (const SampleValues& s : run.samples) {
            line.x.push_back(s.time);
            line.y.push_back(s.values[i]);
        }
        panel.lines.push_back(std::move(line));
    }
    for (const flow::Event& e : run.trajectory.events) {
        std::string kind(flow::name(e.kind));
        std::replace(kind.begin(), kind.end(), '_', ' ');
        panel.marks.push_back({e.time.rounded(), kind});
    }
    return panel;
}

// Modes at the samples, joined into stretches.
std::vector<Strip> strips_of(const Run& run, const flow::Flow& flow) {
    std::vector<Strip> strips;
    for (std::size_t slot = 0; slot < flow.modes.size(); ++slot) {
        if (flow.modes[slot].words.empty()) continue;
        Strip strip;
        strip.label = flow.modes[slot].name;
        for (const SampleValues& s : run.samples) {
            const std::string word = mode_word(flow.modes[slot], s.mode[slot]);
            if (strip.stretches.empty() || strip.stretches.back().word != word) {
                if (!strip.stretches.empty()) strip.stretches.back().to = s.time;
                strip.stretches.push_back({s.time, s.time, word});
            }
            strip.stretches.back().to = s.time;
        }
        strips.push_back(std::move(strip));
        if (strips.size() == k_most_lines) break;
    }
    return strips;
}

std::string caption(const Run& run) {
    return fmt::format("liaison {} · {} · tolerance {:g} · model {}", run.provenance.version,
                       run.realisation, run.provenance.tolerance,
                       run.provenance.model_hash.substr(0, 12));
}

} // namespace

Figure time_series(const Run& run, const flow::Flow& flow) {
    Figure figure{run.model, caption(run), {}};
    Panel positions = panel_of(run, flow, OutputGroup::q, "coordinates", "");
    positions.strips = strips_of(run, flow);
    figure.panels.push_back(std::move(positions));
    for (const auto& [group, label, suffix] : {std::tuple{OutputGroup::v, "velocities", "'"},
                                               std::tuple{OutputGroup::reaction, "reactions", ""},
                                               std::tuple{OutputGroup::relay, "relays", ""},
                                               std::tuple{OutputGroup::observe, "observed", ""}}) {
        Panel panel = panel_of(run, flow, group, label, suffix);
        if (!panel.lines.empty()) figure.panels.push_back(std::move(panel));
    }
    return figure;
}

Figure phase_plane(const Run& run, const flow::Flow& flow) {
    Figure figure{run.model, caption(run), {}};
    for (std::size_t i = 0; i < flow.outputs.size(); ++i) {
        if (flow.outputs[i].group != OutputGroup::q) continue;
        for (std::size_t j = 0; j < flow.outputs.size(); ++j) {
            if (flow.outputs[j].group != OutputGroup::v ||
                flow.outputs[j].name != flow.outputs[i].name)
                continue;
            Panel panel;
            panel.height = 320.0;
            panel.x_label = flow.outputs[i].name;
            panel.y_label = flow.outputs[i].name + "'";
            Line line;
            for (const SampleValues& s : run.samples) {
                line.x.push_back(s.values[i]);
                line.y.push_back(s.values[j]);
            }
            panel.lines.push_back(std::move(line));
            figure.panels.push_back(std::move(panel));
        }
        if (figure.panels.size() == 4) break;
    }
    return figure;
}

} // namespace liaison::record
