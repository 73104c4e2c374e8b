// SPDX-License-Identifier: Apache-2.0
// Variants, differences of pairs, and what explains them.
#include "liaison/ask/compare_report.hpp"

#include "liaison/analysis/constraint_panels.hpp"
#include "liaison/analysis/contact_disagreement.hpp"
#include "liaison/ask/sliding_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace liaison::ask {
namespace {

// The largest violation of any constraint, between steps too.
double violation(const record::Run& run) {
    double worst = 0.0;
    for (const auto& [name, c] : run.constraints) worst = std::max(worst, c.max_violation_between);
    return worst;
}

nlohmann::json accelerations(const analysis::Variant& v) {
    nlohmann::json a = nlohmann::json::object();
    nlohmann::json u = nlohmann::json::object();
    nlohmann::json rates = nlohmann::json::object();
    if (v.run.samples.empty()) return {{"a", a}, {"rates", rates}, {"relays", u}};
    for (std::size_t i = 0; i < v.flow.outputs.size(); ++i) {
        const auto& output = v.flow.outputs[i];
        if (output.group == flow::OutputGroup::a) a[output.name] = v.run.samples[0].values[i];
        if (output.group == flow::OutputGroup::relay) u[output.name] = v.run.samples[0].values[i];
        if (output.group == flow::OutputGroup::v) rates[output.name] = v.run.samples[0].values[i];
    }
    return {{"a", a}, {"rates", rates}, {"relays", u}};
}

// Where there is an energy to be wrong about.
std::string energy_error(const analysis::Variant& v) {
    if (!v.run.energy) return {};
    const double error = analysis::largest_energy_error(v);
    return std::isfinite(error) ? fmt::format(" · energy error {:.1e}", error) : "";
}

// Of positions and velocities; accelerations jump where the motion does not.
double largest_of_state(const analysis::Difference& d) {
    double worst = 0.0;
    for (const auto& [name, value] : d.largest) {
        if (!name.ends_with("''")) worst = std::max(worst, value);
    }
    return worst;
}

} // namespace

nlohmann::json to_json(const Comparison& c) {
    nlohmann::json variants = nlohmann::json::array();
    for (const analysis::Variant& v : c.variants) {
        variants.push_back(
            {{"realisation", v.word},
             {"status", record::status_word(v.run.trajectory.status)},
             {"reason", v.run.trajectory.reason},
             {"time", v.run.trajectory.time.rounded()},
             {"events", v.run.trajectory.statistics.events},
             {"steps", v.run.trajectory.statistics.steps},
             {"evaluations", v.run.trajectory.statistics.evaluations},
             {"method", v.run.provenance.method},
             {"energy_error", analysis::largest_energy_error(v)},
             {"compile_ms", v.run.compile_ms},
             {"simulate_ms", v.run.simulate_ms},
             {"energy", v.run.energy ? nlohmann::json{{"start", v.run.energy->start},
                                                      {"end", v.run.energy->end},
                                                      {"unexplained", v.run.energy->unexplained}}
                                     : nlohmann::json()},
             {"constraints", record::to_json(v.run, v.flow).at("constraints")}});
    }
    nlohmann::json pairs = nlohmann::json::array();
    for (const analysis::Difference& d : c.differences) {
        pairs.push_back(
            {{"a", c.variants[d.first].word},
             {"b", c.variants[d.second].word},
             {"difference", largest_of_state(d)},
             {"at", d.time},
             {"largest", d.largest},
             {"agree", !d.apart},
             {"ends_early", d.ends_early},
             {"first_apart", d.apart ? nlohmann::json(d.first_apart) : nlohmann::json()}});
    }
    nlohmann::json classes = nlohmann::json::object();
    if (c.sliding) {
        for (const auto& one : c.sliding->relays) classes[one.relay] = one.agreement.class_name();
    }
    nlohmann::json result = {{"agree", c.agree},        {"pairs", pairs},
                             {"class", classes},        {"explanation", c.explanations},
                             {"variants", variants},    {"sliding", nullptr},
                             {"first_sliding", nullptr}};
    if (c.sliding) result["sliding"] = to_json(*c.sliding);
    if (c.first_sliding) {
        nlohmann::json points = nlohmann::json::object();
        for (const auto& v : c.first_sliding->there) points[v.word] = accelerations(v);
        result["first_sliding"] = {{"time", c.first_sliding->time}, {"definitions", points}};
    }
    return result;
}

std::string to_text(const Comparison& c) {
    std::string text =
        fmt::format("{}   t {:g} → {:g}\n", c.variants[0].run.model, c.variants[0].flow.start_time,
                    c.variants[0].run.trajectory.time.rounded());
    for (const analysis::Variant& v : c.variants) {
        text += fmt::format(
            "  {:<12} {} events · {} steps · {:.1f} ms{}{}{}\n", v.word,
            v.run.trajectory.statistics.events, v.run.trajectory.statistics.steps,
            v.run.simulate_ms,
            v.run.constraints.empty() ? "" : fmt::format(" · violation {:.1e}", violation(v.run)),
            energy_error(v),
            v.run.trajectory.reason.empty() ? "" : " · stopped: " + v.run.trajectory.reason);
    }
    for (const analysis::Difference& d : c.differences) {
        text += fmt::format("  {} and {}: ", c.variants[d.first].word, c.variants[d.second].word);
        text += !d.apart ? "agree"
                : d.ends_early
                    ? fmt::format("agree until one of them ends, t = {:.6g}", d.first_apart)
                    : fmt::format("apart from t = {:.6g}", d.first_apart);
        for (const auto& [name, value] : d.largest)
            text += fmt::format(", |Δ{}| ≤ {:.2g}", name, value);
        text += "\n";
    }
    if (c.first_sliding) {
        // A first-order system has rates, not accelerations.
        const bool mechanical = !accelerations(c.first_sliding->there.front())["a"].empty();
        text += fmt::format("{} where sliding begins, t = {:.9g}\n",
                            mechanical ? "accelerations" : "rates", c.first_sliding->time);
        for (const auto& v : c.first_sliding->there) {
            text += fmt::format("  {:<12}", v.word);
            const nlohmann::json there = accelerations(v);
            for (const auto& [name, value] : there[mechanical ? "a" : "rates"].items())
                text += fmt::format(" {}{} = {:.9g}", name, mechanical ? "''" : "'",
                                    value.get<double>());
            text += "\n";
        }
    }
    for (const std::string& sentence : c.explanations) text += fmt::format("  {}\n", sentence);
    if (c.sliding) text += to_text(*c.sliding, true);
    return text;
}

record::Figure figure(const Comparison& c) {
    record::Figure figure = analysis::difference_figure(c.variants);
    for (auto& panel : analysis::constraint_panels(c.variants))
        figure.panels.push_back(std::move(panel));
    return figure;
}

} // namespace liaison::ask
