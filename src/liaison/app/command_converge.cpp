// SPDX-License-Identifier: Apache-2.0
// liaison converge: does a realisation converge to its limit at the order the theorem says?
#include "liaison/analysis/approach_study.hpp"
#include "liaison/analysis/layer_study.hpp"
#include "liaison/analysis/step_study.hpp"
#include "liaison/analysis/stiffness_study.hpp"
#include "liaison/app/command.hpp"
#include "liaison/app/flow_question.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/output_guard.hpp"
#include "liaison/app/range.hpp"
#include "liaison/app/run_arguments.hpp"
#include "liaison/model/method.hpp"
#include "liaison/model/realisation_words.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/spring_facts.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace liaison::app {
namespace {

struct Arguments {
    RunArguments run;
    std::string over;
    std::string start = "paper";
    std::string output;
    bool force = false;
};

std::optional<Range> read_over(const std::string& text, base::Diagnostics& diagnostics) {
    RangeRule rule;
    rule.falling = true;
    rule.positive = true;
    rule.fewest = 3;
    rule.most = 1000;
    rule.example = "stiffness=1e2:1e8";
    return read_range("--over", text, diagnostics, rule);
}

std::vector<double> spread(const Range& range, std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(count - 1);
        values.push_back(range.from * std::pow(range.to / range.from, share));
    }
    return values;
}

// `stiffness` itself, or a parameter that is the stiffness of every contact.
bool means_stiffness(const model::Model& model, const std::string& name) {
    if (name == "stiffness") return true;
    const std::size_t index = model.parameter(name);
    return index != model::k_none && !model.contacts.empty() &&
           std::ranges::all_of(model.contacts, [&](const model::Contact& c) {
               return c.elastic.stiffness &&
                      c.elastic.stiffness.expr == model.parameters[index].symbol;
           });
}

model::Method chosen_method(const RunArguments& arguments, const model::Model& model) {
    if (arguments.method.empty()) return model.run.method;
    return std::ranges::find(model::k_methods, arguments.method, &model::MethodName::word)->method;
}

int answer(const analysis::Convergence& study, const Arguments& arguments,
           const Terminal& terminal) {
    if (!study.failed.empty()) {
        if (terminal.json)
            terminal.print(record::json_text(analysis::to_json(study)));
        else
            terminal.complain(study.failed);
        return study.misfit ? exit_input : exit_stopped;
    }
    if (!arguments.output.empty()) {
        const std::string problem =
            record::write_file(arguments.output, record::to_svg(analysis::figure(study)));
        if (!problem.empty()) {
            terminal.complain(problem);
            return exit_stopped;
        }
    }
    if (terminal.json)
        terminal.print(record::json_text(analysis::to_json(study)));
    else
        terminal.print(analysis::to_text(study));
    return study.agrees() ? exit_ok : exit_no;
}

int converge(const Arguments& arguments, const Terminal& terminal) {
    if (!arguments.output.empty()) {
        std::string wrong;
        if (!arguments.output.ends_with(".svg"))
            wrong = fmt::format("{}: the picture of a study is a .svg", arguments.output);
        else
            wrong = in_the_way(arguments.output, {arguments.run.model}, arguments.force);
        if (!wrong.empty()) {
            terminal.complain(wrong);
            return exit_usage;
        }
    }
    if (const std::string idle =
            complaint_about_idle(arguments.run, {"--set", "--until", "--tolerance", "--method",
                                                 "--realise", "--samples"});
        !idle.empty()) {
        terminal.complain(idle);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    auto model = load_model(arguments.run.model, diagnostics);
    if (!model) return terminal.refuse(diagnostics);
    for (const std::string& text : arguments.run.realise)
        model::read_realisations(model->run, text, diagnostics);
    const auto range = read_over(arguments.over, diagnostics);
    if (!range) return terminal.refuse(diagnostics);
    const bool stiffness = means_stiffness(*model, range->name);
    if (stiffness && model->contacts.empty()) {
        terminal.complain("the model has no contact whose stiffness could grow");
        return exit_input;
    }
    // The limit of elastic contacts is the rigid one: the start is that of events.
    if (stiffness) model->run.contact = model::ContactRealisation::events;
    const bool layer = range->name == "layer";
    const bool approach = range->name == "approach";
    std::size_t parameter = model::k_none;
    const bool step = range->name == "step";
    if (!stiffness && !layer && !approach && !step)
        parameter = prepare::find_parameter(*model, range->name, diagnostics);
    prepare::Options wanted;
    wanted.settings = prepare::read_settings(*model, arguments.run.settings, diagnostics);
    wanted.until = arguments.run.until;
    wanted.tolerance = arguments.run.tolerance;
    const auto start = prepare::prepare(*model, wanted, diagnostics);
    if (!start || diagnostics.has_errors()) return terminal.refuse(diagnostics);
    if (!start->until) {
        terminal.complain("how long? give [run] until in the model, or --until T");
        return exit_input;
    }
    if (stiffness)
        realise::report_contradiction(*model, realise::spring_facts(*model, start->point),
                                      diagnostics);
    if (diagnostics.has_errors()) return terminal.refuse(diagnostics);
    terminal.tell(diagnostics);
    constexpr std::size_t k_samples = 401;
    const std::size_t samples =
        arguments.run.samples ? static_cast<std::size_t>(*arguments.run.samples) : k_samples;
    if (layer || approach || step) {
        const Range down{
            "", std::max(range->from, range->to), std::min(range->from, range->to), {}};
        const auto values = spread(down, range->points.value_or(step ? 5 : 7));
        if (step)
            return answer(analysis::study_step(*model, *start, chosen_method(arguments.run, *model),
                                               values, samples),
                          arguments, terminal);
        return answer(layer ? analysis::study_layer(*model, *start, values, samples)
                            : analysis::study_approach(*model, *start, values, samples),
                      arguments, terminal);
    }
    if (!stiffness) {
        const auto values = spread(*range, range->points.value_or(7));
        return answer(analysis::study_parameter(*model, *start, wanted, parameter, values, samples),
                      arguments, terminal);
    }
    analysis::StiffnessStudy study;
    study.from = std::min(range->from, range->to);
    study.to = std::max(range->from, range->to);
    if (range->points) study.stiffness = spread({"", study.from, study.to, {}}, *range->points);
    study.start = arguments.start == "static" ? analysis::ElasticStart::static_
                                              : analysis::ElasticStart::paper;
    study.samples = samples;
    return answer(analysis::study_stiffness(*model, *start, study), arguments, terminal);
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("MODEL", arguments->run.model, "model file, - for standard input")
        .models()
        .needed();
    declare_run(options, arguments->run);
    options
        .value("--over", "NAME=FROM:TO[:COUNT]", arguments->over,
               "what goes to its limit: stiffness=1e2:1e8, layer=1e-1:1e-4, approach=1e-2:1e-6, "
               "step=1e-2:1e-3, or a parameter towards 0")
        .needed();
    options
        .value("--start", "WHICH", arguments->start,
               "elastic contacts that start closed: as given, or compressed by their reaction")
        .one_of({"paper", "static"});
    options.value("-o,--output", "FILE", arguments->output, "draw errors and slopes: .svg").files();
    options.flag("--force", arguments->force, "overwrite the file");
    return [arguments](Terminal& terminal) { return converge(*arguments, terminal); };
}

} // namespace

Command converge_command() {
    return {
        .name = "converge",
        .summary = "does the realisation converge at the order the theorem says?",
        .description =
            "Computes the limit motion and the motion for a row of parameter values, fits "
            "the order of every error and puts the theorem's order beside it. Over "
            "stiffness the limit is the rigid contact: errors of coordinates, velocities, "
            "gap, gap rate and of the part along the constraint. Over layer every relay is "
            "smoothed, tanh(S/layer), and the limit is the relay that switches and slides "
            "(Utkin). Over approach the closed contacts with friction start with this gap rate "
            "towards each other and go through ordinary impacts; the limit is the motion by "
            "the rule of the model, with its tangential impact where sliding is paradoxical "
            "(Chetaev's postulate, Ivanov's theorem). Over step the limit is the motion by Taylor's "
            "method, and the order is that of the fixed-step method; contacts by Routh's function "
            "are shown once more with their impacts not located. Exit code 1 when an order is worse than "
            "the theorem's.",
        .examples = {{"liaison converge stop.toml --over stiffness=1e2:1e8",
                      "elastic contacts against the rigid limit"},
                     {"liaison converge stop.toml --over stiffness=1e2:1e8 --start static",
                      "started without oscillation"},
                     {"liaison converge relay.toml --over layer=1e-1:1e-4",
                      "relays smoothed over a layer against exact sliding"},
                     {"liaison converge rod.toml --over approach=1e-2:1e-6",
                      "is the motion out of a paradox the limit of ordinary impacts?"},
                     {"liaison converge ball.toml --over step=1e-2:1e-3:4 --method rk4 --realise "
                      "contact=routh",
                      "the order of a method, with impacts located and not"},
                     {"liaison converge stop.toml --over stiffness=1e3:1e7:9 -o orders.svg",
                      "nine values and a picture"}},
        .setup = setup};
}

} // namespace liaison::app
