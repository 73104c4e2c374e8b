// SPDX-License-Identifier: Apache-2.0
// liaison converge: does a realisation converge to its limit at the order the theorem says?
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/output_guard.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/run_question.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/ask/converge.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace liaison::app {
namespace {

struct Arguments {
    RunArguments run;
    std::string over;
    std::string start = "paper";
    std::string output;
    bool force = false;
};

std::optional<ask::Range> read_over(const std::string& text, base::Diagnostics& diagnostics) {
    ask::RangeRule rule;
    rule.falling = true;
    rule.positive = true;
    rule.fewest = 3;
    rule.most = 1000;
    rule.example = "stiffness=1e2:1e8";
    return ask::read_range("--over", text, diagnostics, rule);
}

int tell(const analysis::Convergence& study, const Arguments& arguments, const Terminal& terminal) {
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
    const auto model = load_model(arguments.run.model, diagnostics, arguments.run.settings);
    if (!model) return terminal.refuse(diagnostics);
    const auto range = read_over(arguments.over, diagnostics);
    if (!range) return terminal.refuse(diagnostics);
    const ask::RunQuestion run = question_of(arguments.run, terminal, diagnostics);
    ask::ConvergeQuestion question;
    question.set = run.set;
    question.until = run.until;
    question.tolerance = run.tolerance;
    question.method = run.method;
    question.realise = run.realise;
    question.over = *range;
    if (arguments.start == "static") question.start = analysis::ElasticStart::static_;
    if (arguments.run.samples) question.samples = static_cast<std::size_t>(*arguments.run.samples);
    Watch watch(terminal);
    const auto answer = ask::converge(*model, question, watch.control(), std::move(diagnostics));
    if (!answer) return refuse(answer, *model, terminal);
    return tell(*answer, arguments, terminal);
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
