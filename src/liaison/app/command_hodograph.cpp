// SPDX-License-Identifier: Apache-2.0
// liaison hodograph: the angular velocity of a body with a fixed point, and the surface that encloses it.
#include "liaison/analysis/hodograph.hpp"
#include "liaison/analysis/hodograph_figure.hpp"
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/result_files.hpp"
#include "liaison/app/run_job.hpp"
#include "liaison/base/nearest.hpp"
#include "liaison/base/version.hpp"
#include "liaison/model/known_integrals.hpp"
#include "liaison/model/read.hpp"
#include "liaison/prepare/settings.hpp"
#include "liaison/record/figure.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace liaison::app {
namespace {

using analysis::GyrostatLevels;
using analysis::Hodograph;
using analysis::Vector3d;
using Json = nlohmann::ordered_json;

struct Arguments {
    RunArguments run;
    std::string body;
    std::string output;
    std::vector<std::string> sections;
    std::optional<double> azimuth, elevation;
    bool force = false;
};

constexpr std::array k_axes{"p", "q", "r"};

// The body that is meant; k_none where it was told why not.
std::size_t choose_body(const model::Model& model, const std::string& wanted,
                        const Terminal& terminal) {
    std::vector<std::string> names;
    std::vector<std::size_t> indices;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        if (model.bodies[k].kind != model::Body::Kind::fixed_point) continue;
        if (wanted.empty() || model.bodies[k].name == wanted) indices.push_back(k);
        names.push_back(model.bodies[k].name);
    }
    if (indices.size() == 1) return indices[0];
    if (names.empty()) {
        terminal.complain(
            fmt::format("{} has no body with a fixed point: declare one with [body.NAME] kind = "
                        "\"fixed-point\"",
                        model.name));
    } else if (wanted.empty()) {
        std::string all = names[0];
        for (std::size_t k = 1; k < names.size(); ++k) all += ", " + names[k];
        terminal.complain(fmt::format("which body? --body says: {}", all));
    } else {
        const auto near = base::nearest(wanted, names);
        terminal.complain(fmt::format("there is no body `{}` with a fixed point{}", wanted,
                                      near ? fmt::format("; did you mean `{}`?", *near) : ""));
    }
    return model::k_none;
}

// "r=0.5"
std::optional<analysis::SectionPlane> read_plane(const std::string& text,
                                                 base::Diagnostics& diagnostics) {
    const auto equals = text.find('=');
    const auto axis = std::ranges::find(k_axes, text.substr(0, equals));
    if (equals == std::string::npos || axis == k_axes.end()) {
        diagnostics
            .report(base::Code::bad_setting,
                    fmt::format("--section {}: a plane is p=…, q=… or r=…", text))
            .note("for example --section r=0.5");
        return std::nullopt;
    }
    const auto value = prepare::constant_value(text.substr(equals + 1), "--section", diagnostics);
    if (!value) return std::nullopt;
    return analysis::SectionPlane{static_cast<int>(axis - k_axes.begin()), *value};
}

Json triple(const Vector3d& v) { return Json::array({v.x(), v.y(), v.z()}); }

struct Answer {
    std::string model, words;
    std::optional<GyrostatLevels> levels;
    std::string no_levels; // why
    Hodograph hodograph;
    const record::Run* run = nullptr;
    std::string file;
};

Json to_json(const Answer& a) {
    const Hodograph& h = a.hodograph;
    Json json = {{"liaison", base::k_version}, {"model", a.model}};
    json["case"] = a.words.empty() ? Json(nullptr) : Json(a.words);
    json["status"] = record::status_word(a.run->trajectory.status);
    json["time"] = a.run->trajectory.time.rounded();
    if (a.levels) {
        json["levels"] = {{"energy", a.levels->E}, {"area", -a.levels->g}};
        json["box"] = triple(analysis::bounding_box(*a.levels));
        json["parallel"] = Json::array();
        for (const Vector3d& p : analysis::parallel_points(*a.levels))
            json["parallel"].push_back(triple(p));
        json["inside"] = h.least_reach > -1e-9;
        json["least_reach"] = h.least_reach;
        json["in_surface"] = h.in_surface;
    } else {
        json["levels"] = nullptr;
        json["reason"] = a.no_levels;
    }
    json["touches"] = Json::array();
    for (const auto& t : h.touches)
        json["touches"].push_back({{"t", t.time},
                                   {"omega", triple(t.omega)},
                                   {"gamma", triple(-t.nu)},
                                   {"tangency", t.tangency}});
    json["period"] = h.period ? Json(*h.period) : Json(nullptr);
    json["crossings"] = Json::array();
    for (const auto& c : h.crossings)
        json["crossings"].push_back({{"t", {c.first, c.second}},
                                     {"omega", triple(c.omega)},
                                     {"kind", c.apparent() ? "apparent" : "true"},
                                     {"apart", c.apart},
                                     {"distance", c.distance}});
    json["retraced"] = h.retraced;
    json["complete"] = h.complete;
    json["integrals"] = Json::object();
    for (const auto& [name, i] : a.run->integrals)
        json["integrals"][name] = {{"start", i.start},
                                   {"end", i.end},
                                   {"max_drift", i.max_drift},
                                   {"max_drift_between", i.max_drift_between}};
    json["file"] = a.file.empty() ? Json(nullptr) : Json(a.file);
    return json;
}

std::string to_text(const Answer& a) {
    const Hodograph& h = a.hodograph;
    std::string text =
        fmt::format("{}   {}t {:g} → {:g}\n", a.model, a.words.empty() ? "" : a.words + " · ",
                    h.time.front(), h.time.back());
    if (a.levels) {
        const Vector3d box = analysis::bounding_box(*a.levels);
        text += fmt::format("levels   energy {:.9g} · area {:.9g} · |p| ≤ {:.6g}, |q| ≤ {:.6g}, "
                            "|r| ≤ {:.6g}\n",
                            a.levels->E, -a.levels->g, box(0), box(1), box(2));
        for (const Vector3d& p : analysis::parallel_points(*a.levels))
            text += fmt::format("         momentum along the arm of the weight at ω = ({:.9g}, "
                                "{:.9g}, {:.9g})\n",
                                p.x(), p.y(), p.z());
        if (a.levels->r.norm() == 0.0)
            text += "surface  no weight acts: the hodograph lies in the ellipsoid of the energy\n";
        else if (h.in_surface)
            text +=
                "surface  the hodograph lies in it: the vertical stays in the plane of momentum "
                "and arm\n";
        else if (h.least_reach <= -1e-9)
            text += fmt::format("surface  the hodograph leaves it by {:.1e}: the integrals drift\n",
                                -h.least_reach);
        else
            text += fmt::format("surface  inside everywhere · touches {} time{}\n",
                                h.touches.size(), h.touches.size() == 1 ? "" : "s");
    } else {
        text += fmt::format("no surface: {}\n", a.no_levels);
    }
    constexpr std::size_t k_shown = 8;
    for (std::size_t i = 0; i < std::min(h.touches.size(), k_shown); ++i) {
        const auto& t = h.touches[i];
        text += fmt::format("  {:>12.6f}  touches   ω = ({:.6f}, {:.6f}, {:.6f})\n", t.time,
                            t.omega.x(), t.omega.y(), t.omega.z());
    }
    if (h.touches.size() > k_shown)
        text += fmt::format("   …  {} more (--json)\n", h.touches.size() - k_shown);
    if (h.period) text += fmt::format("the state comes back after {:.12g}\n", *h.period);
    const auto apparent =
        static_cast<std::size_t>(std::ranges::count_if(h.crossings, &analysis::Crossing::apparent));
    const std::string enough = h.complete ? "" : ", and more were not looked for";
    if (h.crossings.empty())
        text += fmt::format("the hodograph does not cross itself{}\n", enough);
    else
        text +=
            fmt::format("the hodograph crosses itself {} time{}: {} apparent (another vertical), "
                        "{} true (the same state){}\n",
                        h.crossings.size(), h.crossings.size() == 1 ? "" : "s", apparent,
                        h.crossings.size() - apparent, enough);
    for (std::size_t i = 0; i < std::min(h.crossings.size(), k_shown); ++i) {
        const auto& c = h.crossings[i];
        text += fmt::format("  {:>12.6f}  and {:.6f}   ω = ({:.6f}, {:.6f}, {:.6f})   {}, |Δγ| = "
                            "{:.3g}\n",
                            c.first, c.second, c.omega.x(), c.omega.y(), c.omega.z(),
                            c.apparent() ? "apparent" : "true", c.apart);
    }
    if (h.crossings.size() > k_shown)
        text += fmt::format("   …  {} more (--json)\n", h.crossings.size() - k_shown);
    if (h.retraced) text += "the hodograph runs over itself\n";
    std::string drift;
    for (const auto& [name, i] : a.run->integrals)
        drift += fmt::format("{}{} drifts {:.1e}", drift.empty() ? "" : " · ", name, i.max_drift);
    if (!drift.empty()) text += drift + "\n";
    if (!a.file.empty()) text += a.file + "\n";
    return text;
}

record::Figure draw(const Answer& a, const std::vector<analysis::SectionPlane>& planes,
                    const analysis::View& view, const record::Table& table) {
    record::Figure figure{table.model, table.caption, {}};
    figure.panels.push_back(analysis::hodograph_panel(a.hodograph, a.levels, view));
    if (a.levels) {
        for (const auto& plane : planes)
            figure.panels.push_back(analysis::section_panel(a.hodograph, *a.levels, plane));
    }
    figure.panels.push_back(analysis::sphere_panel(a.hodograph, view));
    for (record::Panel& panel : record::integral_drift(table).panels)
        figure.panels.push_back(std::move(panel));
    return figure;
}

int hodograph(const Arguments& arguments, const Terminal& terminal) {
    std::string wrong = complaint_about(arguments.run);
    base::Diagnostics diagnostics;
    auto source = load_source(arguments.run.model, diagnostics);
    if (wrong.empty() && !arguments.output.empty() && !is_picture(arguments.output))
        wrong = "pictures end in .svg";
    if (!wrong.empty()) {
        terminal.complain(wrong);
        return exit_usage;
    }
    if (!arguments.output.empty() && source) {
        const int code = try_outputs({arguments.output}, std::string(source->text()),
                                     {arguments.run.model}, arguments.force, terminal);
        if (code != exit_ok) return code;
    }
    auto model = source ? model::read_model(source, diagnostics) : std::nullopt;
    std::vector<analysis::SectionPlane> planes;
    for (const std::string& text : arguments.sections) {
        if (const auto plane = read_plane(text, diagnostics)) planes.push_back(*plane);
    }
    if (!model || diagnostics.has_errors()) return terminal.refuse(diagnostics);
    const std::size_t body = choose_body(*model, arguments.body, terminal);
    if (body == model::k_none) return exit_input;

    RunArguments run = arguments.run;
    run.dense = true;
    auto done = simulate(source, run, {.samples = false, .trace = true}, terminal);
    if (const int* code = std::get_if<int>(&done)) return *code;
    const Job& job = std::get<Job>(done);
    if (job.run.pieces.empty()) {
        terminal.complain("there is no motion to look at: " + job.run.trajectory.reason);
        return exit_stopped;
    }
    const analysis::BodyMotion motion(*model, body, job.flow, job.run.pieces);

    Answer answer;
    answer.model = job.run.model;
    answer.run = &job.run;
    const auto& parameters = job.flow.parameter_values;
    answer.words = model::case_of_body(*model, body, parameters);
    const auto known = model::body_integrals(*model, body, parameters);
    const auto has = [&](const char* kind) {
        return std::ranges::any_of(known, [&](const auto& i) { return i.kind == kind && i.own; });
    };
    if (has("energy") && has("area"))
        answer.levels = analysis::levels_of(*model, body, parameters, motion.at(motion.start()));
    else
        answer.no_levels = "energy and area of weight and rotation are not both constant, because "
                           "something else acts on the body or its data depend on time";
    answer.hodograph = analysis::hodograph(motion, answer.levels);
    if (!arguments.output.empty()) {
        if (planes.empty()) planes = analysis::usual_planes(answer.hodograph);
        analysis::View view;
        if (arguments.azimuth) view.azimuth = *arguments.azimuth;
        if (arguments.elevation) view.elevation = *arguments.elevation;
        const auto table = record::tabulate(job.run, job.flow, job.run.trace);
        const std::string problem =
            record::write_file(arguments.output, figure_text(draw(answer, planes, view, table),
                                                             job.run.provenance, job.flow));
        if (!problem.empty()) {
            terminal.complain(problem);
            return exit_stopped;
        }
        answer.file = arguments.output;
    }
    if (!job.run.trajectory.reason.empty()) terminal.complain(job.run.trajectory.reason);
    terminal.print(terminal.json ? record::json_text(to_json(answer)) : to_text(answer));
    return exit_code(job.run);
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("MODEL", arguments->run.model, "model file, - for standard input")
        .models()
        .needed();
    options
        .value("-o,--output", "FIGURE", arguments->output,
               "surface with hodograph, sections, trace of the vertical, drift (.svg)")
        .files();
    options.value("--body", "NAME", arguments->body, "the body, where there are several");
    options.values("--section", "AXIS=VALUE", arguments->sections,
                   "planes that cut the surface: p=…, q=…, r=…, repeatable");
    options.value("--azimuth", "DEGREES", arguments->azimuth, "of the view (default 35)");
    options.value("--elevation", "DEGREES", arguments->elevation, "of the view (default 22)");
    declare_run(options, arguments->run);
    options.flag("--force", arguments->force, "overwrite a file that is not liaison's");
    return [arguments](Terminal& terminal) { return hodograph(*arguments, terminal); };
}

} // namespace

Command hodograph_command() {
    return {
        .name = "hodograph",
        .summary = "which angular velocities can this body have?",
        .description =
            "For a body with a fixed point: the set of angular velocities that its energy and area "
            "integral allow, the surface that bounds it, where the hodograph of the motion touches "
            "the surface, and where it meets itself. A crossing is true where the vertical is the "
            "same too, so that the motion repeats itself, and apparent where it is not.",
        .examples = {{"liaison hodograph gyrostat.toml", "levels, touching points, crossings"},
                     {"liaison hodograph gyrostat.toml -o view.svg --section r=0.5",
                      "the surface with the hodograph in it, and a section"}},
        .setup = setup};
}

} // namespace liaison::app
