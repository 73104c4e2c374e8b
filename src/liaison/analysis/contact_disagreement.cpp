// SPDX-License-Identifier: Apache-2.0
// Reads events for the known causes of disagreement.
#include "liaison/analysis/contact_disagreement.hpp"

#include "liaison/model/realisation_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace liaison::analysis {
namespace {

using flow::OutputGroup;

bool is_elastic(const Variant& v) { return model::realised_by(v.flow.realisation, "elastic"); }

void add(std::vector<std::string>& all, std::string sentence) {
    if (std::ranges::find(all, sentence) == all.end()) all.push_back(std::move(sentence));
}

// The slowest impact: what follows an impact with gap rate w answers to a change before it like 1/|w|.
const flow::Event* slowest_impact(const Variant& v) {
    const flow::Event* slowest = nullptr;
    for (const flow::Event& e : v.run.trajectory.events) {
        if (e.kind != flow::EventKind::impact || !e.gap_rate) continue;
        if (slowest == nullptr || std::abs(*e.gap_rate) < std::abs(*slowest->gap_rate))
            slowest = &e;
    }
    return slowest;
}

} // namespace

std::vector<std::string> explain_contacts(const model::Model& model,
                                          const std::vector<Variant>& variants,
                                          const std::vector<Difference>& differences) {
    std::vector<std::string> all;
    const bool apart =
        std::ranges::any_of(differences, [](const Difference& d) { return d.apart; });
    if (model.contacts.empty() || !apart) return all;
    const bool soft = std::ranges::any_of(variants, is_elastic);
    const bool rigid = !std::ranges::all_of(variants, is_elastic);
    for (const model::Contact& c : model.contacts) {
        const bool silent = !c.restitution && !c.elastic.damping && !c.elastic.damping_ratio;
        if (soft && rigid && silent) {
            add(all, fmt::format("contact {} gives no restitution: rigid contacts take 0, a spring "
                                 "without damping returns everything; give restitution or "
                                 "damping_ratio",
                                 c.name));
        }
    }
    if (soft && rigid)
        add(all, "the stiffness is finite: errors are of order 1/N along a constraint, N^(-1/2) "
                 "after an impact, N^(-3/5) after lift-off; `liaison converge` measures them");
    for (const Variant& v : variants) {
        for (const flow::Event& e : v.run.trajectory.events) {
            if (e.case_name.find("depends on the order") != std::string::npos ||
                e.case_name.find("ratio of their stiffnesses") != std::string::npos) {
                add(all,
                    fmt::format("{}: at t = {:.9g}, {}", v.word, e.time.rounded(), e.case_name));
                break;
            }
        }
        constexpr double k_slow = 1e-3;
        const flow::Event* slow = slowest_impact(v);
        const bool grazes = std::ranges::any_of(v.run.trajectory.events, [](const flow::Event& e) {
            return e.kind == flow::EventKind::graze;
        });
        if (slow != nullptr && std::abs(*slow->gap_rate) < k_slow && !slow->closes)
            add(all, fmt::format("{}: the impact on {} at t = {:.9g} is almost a graze (gap rate "
                                 "{:.3g}); what follows is sensitive like its inverse",
                                 v.word, slow->where, slow->time.rounded(), *slow->gap_rate));
        else if (grazes)
            add(all, fmt::format("{}: a contact is grazed; whether it is hit decides what follows",
                                 v.word));
    }
    return all;
}

record::Figure difference_figure(const std::vector<Variant>& variants) {
    record::Figure figure;
    figure.title = "Realisations side by side";
    record::Panel positions;
    positions.x_label = "t";
    positions.y_label = "positions";
    record::Panel apart;
    apart.x_label = "t";
    apart.y_label = "log10 difference";
    const Variant& first = variants.front();
    for (std::size_t n = 0; n < variants.size(); ++n) {
        const Variant& v = variants[n];
        record::Line difference;
        difference.label = fmt::format("{} − {}", v.word, first.word);
        const std::size_t samples = std::min(v.run.samples.size(), first.run.samples.size());
        std::vector<double> largest(samples, 0.0);
        for (std::size_t k = 0; k < v.flow.outputs.size(); ++k) {
            const flow::Output& output = v.flow.outputs[k];
            if (output.group != OutputGroup::q && output.group != OutputGroup::v) continue;
            record::Line line;
            line.label = fmt::format("{} {}", output.name, v.word);
            line.dashed = n > 0;
            const auto other = std::ranges::find_if(first.flow.outputs, [&](const auto& o) {
                return o.group == output.group && o.name == output.name;
            });
            for (std::size_t s = 0; s < samples; ++s) {
                line.x.push_back(v.run.samples[s].time);
                line.y.push_back(v.run.samples[s].values[k]);
                if (other == first.flow.outputs.end()) continue;
                const auto at = static_cast<std::size_t>(other - first.flow.outputs.begin());
                largest[s] = std::max(largest[s], std::abs(v.run.samples[s].values[k] -
                                                           first.run.samples[s].values[at]));
            }
            if (output.group == OutputGroup::q && positions.lines.size() < 8)
                positions.lines.push_back(std::move(line));
        }
        if (n == 0) continue;
        for (std::size_t s = 0; s < samples; ++s) {
            constexpr double k_floor = 1e-18;
            difference.x.push_back(v.run.samples[s].time);
            difference.y.push_back(std::log10(std::max(largest[s], k_floor)));
        }
        apart.lines.push_back(std::move(difference));
    }
    figure.panels.push_back(std::move(positions));
    figure.panels.push_back(std::move(apart));
    return figure;
}

} // namespace liaison::analysis
