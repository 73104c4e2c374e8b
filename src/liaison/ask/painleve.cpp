// SPDX-License-Identifier: Apache-2.0
// One contact is scanned; what is found is told as numbers, words and a figure.
#include "liaison/ask/painleve.hpp"

#include "liaison/analysis/singular_slip.hpp"
#include "liaison/ask/bolotov.hpp"
#include "liaison/ask/painleve_map.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace liaison::ask {
namespace {

using analysis::SlipCase;
using analysis::SlipScan;
using analysis::Variable;
using Json = nlohmann::ordered_json;

std::optional<Scanned> scanned(const SlipRange& over, const model::Model& model,
                               base::Diagnostics& diagnostics) {
    Scanned result;
    Variable& variable = result.variable;
    variable.name = over.range.name;
    variable.parameter = model.parameter(variable.name);
    variable.coordinate = model.coordinate(variable.name);
    if (variable.parameter == model::k_none && variable.coordinate == model::k_none) {
        diagnostics.report(
            base::Code::bad_setting,
            fmt::format("--over {}: it is neither a parameter nor a coordinate of the model",
                        variable.name));
        return std::nullopt;
    }
    variable.from = over.range.from;
    variable.to = over.range.to;
    if (over.range.points) variable.points = *over.range.points;
    result.degrees = over.degrees;
    return result;
}

std::string shown(double value, bool degrees) {
    return degrees ? fmt::format("{:.2f}°", value * 180.0 / std::numbers::pi)
                   : fmt::format("{:.6g}", value);
}
// Right-aligned; the degree sign is two bytes but one column.
std::string column(const std::string& text, std::size_t width) {
    const std::size_t columns = text.size() - (text.ends_with("°") ? 1 : 0);
    return std::string(width > columns ? width - columns : 0, ' ') + text;
}

std::string verdict(SlipCase c) {
    switch (c) {
    case SlipCase::regular: return "well posed";
    case SlipCase::separation: return "well posed: the contact opens";
    case SlipCase::inconsistent: return "paradoxical: no motion; resolved by a tangential impact";
    case SlipCase::indeterminate:
        return "paradoxical: several motions; resolved by a tangential impact";
    }
    return "";
}

std::vector<Slip> slips(const PainleveQuestion& question) {
    std::vector<Slip> list;
    if (question.positive) list.push_back({"positive", 1.0});
    if (question.negative) list.push_back({"negative", -1.0});
    return list;
}

Json intervals(const SlipScan& scan, const Scanned& range, const Slip& slip,
               const std::string& contact, std::string& text) {
    Json result = {{"slip", slip.word}, {"intervals", Json::array()}};
    text +=
        fmt::format("contact {}, sliding with slip {} 0\n", contact, slip.sign > 0.0 ? ">" : "<");
    const std::string& name = range.variable.name;
    text += fmt::format("{} {}  normal response B1'   sliding is\n", column(name + " from", 11),
                        column("to", 11));
    for (const auto& i : analysis::slip_intervals(scan, range.variable, slip.sign)) {
        result["intervals"].push_back(
            {{"from", i.from}, {"to", i.to}, {"case", analysis::name(i.slip_case)}});
        const bool positive =
            i.slip_case == SlipCase::regular || i.slip_case == SlipCase::separation;
        text += fmt::format("{} {}  {:<20} {}\n", column(shown(i.from, range.degrees), 11),
                            column(shown(i.to, range.degrees), 11),
                            positive ? "positive" : "negative", verdict(i.slip_case));
    }
    result["critical"] = nullptr;
    if (const auto c = analysis::critical_friction(scan, range.variable, slip.sign)) {
        result["critical"] = {{"friction", c->friction}, {"at", {{name, c->at}}}};
        text += fmt::format("smallest friction with a paradox: {:.6g} at {} = {}\n", c->friction,
                            name, shown(c->at, range.degrees));
    } else {
        text += "no friction makes this slip paradoxical in the range\n";
    }
    return result;
}

// The side of the contact that is asked for, or of the first with friction.
std::optional<std::size_t> find_side(const model::Model& model, const std::string& wanted,
                                     std::string& contact) {
    std::size_t side = 0;
    for (const model::Contact& c : model.contacts) {
        if (c.friction && (wanted.empty() || c.name == wanted)) {
            contact = c.name;
            return side;
        }
        side += c.sides.size();
    }
    return std::nullopt;
}

// Corners A₁ = B₁' = 0 of a map: does slip run into them?
Json corners(const SlipScan& scan, const std::vector<Scanned>& ranges, const Slip& slip,
             std::string& text) {
    Json list = Json::array();
    const Variable& x = ranges[0].variable;
    const Variable& y = ranges[1].variable;
    for (const auto& p : analysis::singular_points(scan, x, y, slip.sign)) {
        list.push_back({{x.name, p.configuration},
                        {y.name, p.rate},
                        {"kind", p.node() ? "node" : "saddle"},
                        {"exponent", p.exponent()},
                        {"reached", p.reached()}});
        text +=
            fmt::format("corner A1 = B1' = 0 at {} = {}, {} = {} ({} slip): {}\n", x.name,
                        shown(p.configuration, ranges[0].degrees), y.name,
                        shown(p.rate, ranges[1].degrees), slip.word,
                        p.reached() ? fmt::format("slip runs into it, normal force ~ B1'^{:.4g}",
                                                  p.exponent() - 1.0)
                        : p.node()  ? "slip lifts off before it"
                                    : "slip passes by");
    }
    return list;
}

Json reach(const SlipScan& scan, const std::vector<Scanned>& ranges, const Scanned& friction,
           const Slip& slip, std::string& text) {
    const Variable& x = ranges[0].variable;
    const Variable& y = ranges[1].variable;
    const auto found = analysis::reach_friction(scan, x, y, friction.variable, slip.sign);
    if (!found) {
        text += fmt::format("{} slip does not begin to run into its paradox in {} = {:g} … {:g}\n",
                            slip.word, friction.variable.name, friction.variable.from,
                            friction.variable.to);
        return nullptr;
    }
    text += fmt::format("{} slip runs into its paradox from {} = {:.9g} on, at {} = {}, {} = {}\n",
                        slip.word, friction.variable.name, found->friction, x.name,
                        shown(found->at.configuration, ranges[0].degrees), y.name,
                        shown(found->at.rate, ranges[1].degrees));
    return {{friction.variable.name, found->friction},
            {"at", {{x.name, found->at.configuration}, {y.name, found->at.rate}}}};
}

PainleveAnswer over_one(const SlipScan& scan, const Scanned& range, const std::string& contact,
                        const PainleveQuestion& question, Json result) {
    std::string text;
    Json all = Json::array();
    for (const Slip& slip : slips(question))
        all.push_back(intervals(scan, range, slip, contact, text));
    if (all.size() == 1) {
        result["slip"] = all[0]["slip"];
        result["intervals"] = all[0]["intervals"];
        result["critical"] = all[0]["critical"];
    } else {
        result["slips"] = all;
    }
    return {std::move(result), std::move(text), {}};
}

PainleveAnswer over_two(const SlipScan& scan, const std::vector<Scanned>& ranges,
                        const std::optional<Scanned>& friction, const std::string& contact,
                        const PainleveQuestion& question, Json result, const Control& control) {
    std::string text;
    record::Figure figure;
    result["maps"] = Json::array();
    for (const Slip& slip : slips(question)) {
        SlipMap map = slip_map(scan, ranges[0], ranges[1], slip, contact, control.interrupt);
        if (control.interrupted()) break;
        record::Figure& part = map.figure;
        if (figure.panels.empty()) figure.title = part.title;
        figure.caption = part.caption;
        for (record::Panel& p : part.panels) figure.panels.push_back(std::move(p));
        map.boundaries["corners"] = corners(scan, ranges, slip, text);
        result["maps"].push_back(std::move(map.boundaries));
    }
    if (friction && !control.interrupted()) {
        result["reach"] = Json::array();
        for (const Slip& slip : slips(question))
            result["reach"].push_back(reach(scan, ranges, *friction, slip, text));
    }
    return {std::move(result), std::move(text), std::move(figure)};
}

// What a question cannot ask of this contact.
void check_question(const PainleveQuestion& question, const model::Contact& contact,
                    base::Diagnostics& diagnostics) {
    if (question.over.size() > 2)
        diagnostics.report(base::Code::bad_setting, "at most two ranges can be scanned")
            .note("one for intervals, two for a map");
    if (question.reach && question.over.size() != 2)
        diagnostics
            .report(base::Code::bad_setting,
                    "--reach needs a map: a range of an angle or place, and one of a rate")
            .note("give --over twice");
    if (!question.over.empty() && contact.slip.size() == 2)
        diagnostics.report(base::Code::bad_setting, "the slip of this contact has two components")
            .note("use --here --bolotov");
    if (question.bolotov && contact.slip.size() != 2)
        diagnostics
            .report(base::Code::bad_setting, "Bolotov's plane belongs to a contact with two slips")
            .note("leave --bolotov out");
}

} // namespace

Answer<PainleveAnswer> painleve(const model::Model& model, const PainleveQuestion& question,
                                const Control& control, base::Diagnostics found) {
    Answer<PainleveAnswer> answer{{std::move(found), {}, {}, {}}, {}};
    base::Diagnostics& diagnostics = answer.diagnostics;
    prepare::Options options;
    options.settings = read(question.set, model, diagnostics);
    const auto start = prepare::prepare(model, options, diagnostics);
    std::string contact;
    const auto side = find_side(model, question.contact, contact);
    if (!side)
        diagnostics
            .report(base::Code::bad_setting,
                    question.contact.empty()
                        ? std::string("the model has no contact with friction")
                        : fmt::format("no contact {} with friction", question.contact))
            .note("paradoxes are those of Coulomb's friction");
    if (!start || diagnostics.has_errors()) return answer;
    const SlipScan scan(model, options, *side);
    if (!scan.realisation().contacts) {
        answer.missing = scan.realisation().missing;
        answer.reason = fmt::format("there is no engine for {} yet", answer.missing);
        return answer;
    }
    check_question(question, model.contacts[scan.realisation().contacts->sides()[*side].contact],
                   diagnostics);
    std::vector<Scanned> ranges;
    for (const SlipRange& over : question.over)
        if (auto range = scanned(over, model, diagnostics)) ranges.push_back(std::move(*range));
    std::optional<Scanned> friction;
    if (question.reach) friction = scanned(*question.reach, model, diagnostics);
    if (diagnostics.has_errors()) return answer;
    control.begin(diagnostics);
    Json result = {{"model", model.name}, {"contact", contact}};
    if (ranges.empty())
        answer.value = at_the_start(model, scan, contact, question.bolotov, answer);
    else if (ranges.size() == 1)
        answer.value = over_one(scan, ranges[0], contact, question, std::move(result));
    else
        answer.value =
            over_two(scan, ranges, friction, contact, question, std::move(result), control);
    if (control.interrupted()) {
        answer.value.reset();
        answer.end_early();
    }
    return answer;
}

} // namespace liaison::ask
