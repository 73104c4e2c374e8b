// SPDX-License-Identifier: Apache-2.0
// liaison stiffness: which stiffness do elastic contacts need for a wanted error?
#include "liaison/analysis/choose_stiffness.hpp"
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/run_arguments.hpp"

#include <nlohmann/json.hpp>

namespace liaison::app {
namespace {

struct Arguments {
    RunArguments run;
    analysis::StiffnessWish wish;
};

std::string anything_wrong(const Arguments& arguments) {
    const analysis::StiffnessWish& wish = arguments.wish;
    bool any = false;
    for (const auto& value : {wish.penetration, wish.speed, wish.release_speed, wish.delay}) {
        if (!value) continue;
        any = true;
        if (!(*value > 0.0)) return "a wanted error must be positive";
    }
    if (!any) return "which error? give --penetration, --speed, --release-speed or --delay";
    return complaint_about(arguments.run);
}

int stiffness(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string wrong = anything_wrong(arguments); !wrong.empty()) {
        terminal.complain(wrong);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    auto model = load_model(arguments.run.model, diagnostics);
    if (!model) return terminal.refuse(diagnostics);
    model->run.contact = model::ContactRealisation::events;
    prepare::Options wanted;
    wanted.settings = prepare::read_settings(*model, arguments.run.settings, diagnostics);
    wanted.until = arguments.run.until;
    wanted.tolerance = arguments.run.tolerance;
    const auto start = prepare::prepare(*model, wanted, diagnostics);
    if (!start || diagnostics.has_errors()) return terminal.refuse(diagnostics);
    if (model->contacts.empty() || !start->until) {
        terminal.complain(model->contacts.empty()
                              ? "the model has no contact"
                              : "how long? give [run] until in the model, or --until T");
        return exit_input;
    }
    terminal.tell(diagnostics);
    const auto answer = analysis::choose_stiffness(*model, *start, arguments.wish);
    if (terminal.json)
        terminal.print(analysis::to_json(answer).dump(2) + "\n");
    else if (answer.failed.empty())
        terminal.print(analysis::to_text(answer));
    else
        terminal.complain(answer.failed);
    if (!answer.failed.empty()) return exit_stopped;
    return answer.reached() ? exit_ok : exit_no;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("MODEL", arguments->run.model, "model file, - for standard input")
        .models()
        .needed();
    declare_run(options, arguments->run);
    analysis::StiffnessWish& wish = arguments->wish;
    options.value("--penetration", "D", wish.penetration,
                  "largest penetration, along the constraint and in impacts");
    options.value("--speed", "V", wish.speed, "largest gap rate along the constraint");
    options.value("--release-speed", "V", wish.release_speed, "velocity error after lift-off");
    options.value("--delay", "D", wish.delay, "path by which an impact may be late");
    options.flag("--static", wish.static_start, "contacts start compressed by their reaction");
    return [arguments](Terminal& terminal) { return stiffness(*arguments, terminal); };
}

} // namespace

Command stiffness_command() {
    return {.name = "stiffness",
            .summary = "which stiffness do elastic contacts need for a wanted error?",
            .description =
                "Computes the rigid motion, takes the stiffness from its reactions and impact "
                "speeds by the estimates of the theory, runs the elastic motion with it and says "
                "what was measured and what it cost. Exit code 1 when a wanted error is not kept.",
            .examples = {{"liaison stiffness stop.toml --penetration 1e-5",
                          "no more than 1e-5 into the stop"},
                         {"liaison stiffness stop.toml --penetration 1e-5 --speed 1e-3",
                          "both; the larger stiffness serves"}},
            .setup = setup};
}

} // namespace liaison::app
