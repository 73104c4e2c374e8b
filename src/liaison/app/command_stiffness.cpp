// SPDX-License-Identifier: Apache-2.0
// liaison stiffness: which stiffness do elastic contacts need for a wanted error, and what do they return?
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/run_arguments.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/ask/spring_table.hpp"
#include "liaison/ask/stiffness.hpp"
#include "liaison/record/json_text.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace liaison::app {
namespace {

struct Arguments {
    RunArguments run;
    analysis::StiffnessWish wish;
    bool contacts = false;
};

std::string anything_wrong(const Arguments& arguments) {
    const analysis::StiffnessWish& wish = arguments.wish;
    bool any = arguments.contacts;
    for (const auto& value : {wish.penetration, wish.speed, wish.along, wish.along_speed,
                              wish.release_speed, wish.delay, wish.restitution}) {
        if (!value) continue;
        if (arguments.contacts)
            return "--contacts tells what the contacts are; ask for an error in another run";
        any = true;
        if (!(*value > 0.0) || !std::isfinite(*value))
            return "a wanted error must be positive and finite";
    }
    if (!any)
        return "which error? give --penetration, --speed, --along, --along-speed, --release-speed, "
               "--delay or --restitution; --contacts tells what the contacts return";
    const std::string idle =
        complaint_about_idle(arguments.run, {"--set", "--until", "--tolerance"});
    return idle.empty() ? complaint_about(arguments.run) : idle;
}

int stiffness(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string wrong = anything_wrong(arguments); !wrong.empty()) {
        terminal.complain(wrong);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    const auto model = load_model(arguments.run.model, diagnostics, arguments.run.settings);
    if (!model) return terminal.refuse(diagnostics);
    ask::StiffnessQuestion question;
    question.set.assign(arguments.run.settings.begin(), arguments.run.settings.end());
    question.until = arguments.run.until;
    question.tolerance = arguments.run.tolerance;
    question.wish = arguments.wish;
    if (arguments.contacts) {
        const auto springs = ask::springs(*model, question.set, std::move(diagnostics));
        if (!springs) return refuse(springs, *model, terminal);
        terminal.tell(springs.diagnostics);
        terminal.print(terminal.json ? record::json_text(ask::springs_json(*springs))
                                     : ask::springs_text(*springs));
        return exit_ok;
    }
    Watch watch(terminal);
    const auto answer = ask::stiffness(*model, question, watch.control(), std::move(diagnostics));
    if (!answer) return refuse(answer, *model, terminal);
    if (terminal.json)
        terminal.print(record::json_text(analysis::to_json(*answer)));
    else if (answer->failed.empty())
        terminal.print(analysis::to_text(*answer));
    else
        terminal.complain(answer->failed);
    if (!answer->failed.empty()) return exit_stopped;
    return answer->asked() && answer->reached() ? exit_ok : exit_no;
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
    options.value("--along", "D", wish.along, "error of the position along the constraint");
    options.value("--along-speed", "V", wish.along_speed,
                  "error of the velocity along the constraint");
    options.value("--release-speed", "V", wish.release_speed,
                  "error of the gap rate after lift-off");
    options.value("--delay", "D", wish.delay, "path by which an impact may be late");
    options.value("--restitution", "E", wish.restitution,
                  "error of the restitution of an impact with damping");
    options.flag("--static", wish.static_start, "contacts start compressed by their reaction");
    options.flag("--contacts", arguments->contacts,
                 "what the contacts are as springs: frequency, damping ratio and restitution");
    return [arguments](Terminal& terminal) { return stiffness(*arguments, terminal); };
}

} // namespace

Command stiffness_command() {
    return {.name = "stiffness",
            .summary = "which stiffness do elastic contacts need for a wanted error?",
            .description =
                "Computes the rigid motion, takes the stiffness from its reactions and impact "
                "speeds by the estimates of the theory (errors along the constraint: from two "
                "elastic motions), runs the elastic motion with it and says what was measured and "
                "what it cost. Exit code 1 when a wanted error is not kept, or nothing in the "
                "motion asks for a stiffness. With --contacts: what each contact is as a spring "
                "at the start, its damping ratio for the restitution that is written and the "
                "restitution for the damping that is.",
            .examples = {{"liaison stiffness stop.toml --penetration 1e-5",
                          "no more than 1e-5 into the stop"},
                         {"liaison stiffness stop.toml --penetration 1e-5 --along 1e-6",
                          "both; the larger stiffness serves"},
                         {"liaison stiffness ball.toml --restitution 0.01",
                          "impacts return what they should to one per cent"},
                         {"liaison stiffness ball.toml --contacts",
                          "which restitution does this damping give, which damping that "
                          "restitution?"}},
            .setup = setup};
}

} // namespace liaison::app
