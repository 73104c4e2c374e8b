// SPDX-License-Identifier: Apache-2.0
// One simulation as it was asked for: from the model text to the finished run.
#include "liaison/app/run_job.hpp"

#include "liaison/analysis/implicit_contact.hpp"
#include "liaison/analysis/inverse_problem.hpp"
#include "liaison/analysis/program_run.hpp"
#include "liaison/analysis/solved_model.hpp"
#include "liaison/app/branches.hpp"
#include "liaison/app/cpu.hpp"
#include "liaison/app/exit_code.hpp"
#include "liaison/app/interrupt.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/method_choice.hpp"
#include "liaison/app/progress.hpp"
#include "liaison/app/run_sensitivity.hpp"
#include "liaison/base/utf8.hpp"
#include "liaison/base/version.hpp"
#include "liaison/flow/motion_alone.hpp"
#include "liaison/model/method.hpp"
#include "liaison/model/read.hpp"
#include "liaison/model/realisation_words.hpp"
#include "liaison/motion/standing.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/prepare/start_change.hpp"
#include "liaison/realise/elastic_resolution.hpp"
#include "liaison/realise/preload_words.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/execute.hpp"
#include "liaison/record/provenance.hpp"
#include "liaison/record/run_model.hpp"
#include "liaison/record/shared_load.hpp"
#include "liaison/record/units.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace liaison::app {
namespace {

// "1,2,5" or "0:10:11" (from:to:count), each part an expression of numbers.
std::vector<double> read_times(const std::vector<std::string>& texts,
                               base::Diagnostics& diagnostics) {
    std::vector<double> times;
    const auto value = [&](std::string_view text) {
        return prepare::constant_value(text, "--at", diagnostics);
    };
    for (const std::string& text : texts) {
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            const std::string part = text.substr(begin, end - begin);
            begin = end + 1;
            const std::size_t first = part.find(':');
            const std::size_t second =
                first == std::string::npos ? first : part.find(':', first + 1);
            if (second == std::string::npos) {
                if (const auto t = value(part)) times.push_back(*t);
                continue;
            }
            const auto from = value(part.substr(0, first));
            const auto to = value(part.substr(first + 1, second - first - 1));
            const auto count = value(part.substr(second + 1));
            constexpr double k_most = 1e6;
            if (!from || !to || !count) continue;
            if (!(*count >= 1.0) || *count > k_most) {
                diagnostics.report(
                    base::Code::value_out_of_range,
                    fmt::format("--at {}: between 1 and {:.0f} times", part, k_most));
                continue;
            }
            const auto n = static_cast<std::size_t>(*count);
            for (std::size_t i = 0; i < n; ++i) {
                times.push_back(n == 1 ? *from
                                       : *from + (*to - *from) * static_cast<double>(i) /
                                                     static_cast<double>(n - 1));
            }
        }
    }
    return times;
}

// The model is sound, but asks for something that cannot be run yet.
int no_engine(const model::Model& model, const std::string& missing, const std::string& reason,
              const Terminal& terminal) {
    if (terminal.json) {
        terminal.print_json({{"liaison", base::k_version},
                             {"model", model.name},
                             {"status", "stopped"},
                             {"reason", reason},
                             {"missing", missing}});
    } else {
        terminal.complain(fmt::format("{}: {}; the model is sound, it cannot be run",
                                      model.source->name(), reason));
    }
    return exit_stopped;
}

// A model with unknown forces moves under the forces that answer its question; false where there are none.
bool answer_question(std::optional<model::Model>& model, base::Diagnostics& diagnostics) {
    if (!model || !model->invert) return true;
    const analysis::InverseAnswer answer = analysis::invert(*model);
    const auto complain = [&](base::Code code, const std::string& why, const std::string& remedy) {
        diagnostics.report(code, why).at(model->invert->span).note(remedy);
        return false;
    };
    if (answer.verdict != analysis::InverseVerdict::found &&
        answer.verdict != analysis::InverseVerdict::nothing_to_find)
        return complain(base::Code::realisation_impossible,
                        "no forces answer the question: " + answer.reason,
                        "liaison invert tells what there is");
    if (answer.verdict == analysis::InverseVerdict::nothing_to_find)
        return complain(base::Code::realisation_impossible,
                        "the forces are unknown: " + answer.reason,
                        "ask for an integral that depends on them");
    if (answer.free.size() > model->invert->free.size())
        return complain(base::Code::missing_key,
                        fmt::format("the forces are not determined: {} is left free",
                                    answer.free[model->invert->free.size()]),
                        "choose it in [invert] free = [\"…\"]");
    auto solved =
        base::SourceFile::make(model->source->name(), analysis::solved_model(*model, answer));
    model = model::read_model(std::move(solved), diagnostics);
    return model.has_value();
}

// Keys of [run] that a run does not heed: nobody shall believe that they did something.
std::vector<std::string> idle_keys(const model::RunOptions& run) {
    std::vector<std::string> told;
    if (run.enumerate)
        told.emplace_back(
            "[run] enumerate changes nothing here: liaison check --contacts lists every "
            "motion at the start, and a run tells where there are several");
    if (run.gap_tolerance)
        told.emplace_back(
            "[run] gap_tolerance changes nothing: contacts close at gaps of the size of "
            "the tolerance");
    if (run.switch_events)
        told.emplace_back(
            "[run] switch_events changes nothing: crossings of abs, sign, … are always "
            "told");
    if (run.theta || run.residual || run.drift || run.solver != model::SteppingSolver::automatic)
        told.emplace_back(
            "[run] theta, solver, residual and drift belong to contact = \"timestep\" and "
            "change nothing here");
    return told;
}

record::Provenance provenance(const model::Model& model, const RunArguments& arguments,
                              const JobOptions& options, const Terminal& terminal,
                              record::Provenance p) {
    const auto facts = base::build_facts();
    p.version = facts.version;
    p.compiler = facts.compiler;
    p.target = facts.target;
    p.build = facts.optimised ? "optimised" : "not optimised";
    for (const base::OptionalPart& part : facts.parts) {
        if (part.present) p.build += fmt::format(", {}", part.name);
    }
    p.arguments = arguments.given;
    p.from = options.from;
    p.from_file = base::printable(options.from_file);
    p.cpu = this_cpu().name;
    p.model_file = base::printable(model.source->name());
    p.model_text = std::string(model.source->text());
    p.model_hash = record::fingerprint(p.model_text);
    p.command = base::printable(terminal.command_line);
    return p;
}

} // namespace

std::variant<Job, int> simulate(std::shared_ptr<const base::SourceFile> source,
                                const RunArguments& arguments, const JobOptions& options,
                                const Terminal& terminal) {
    base::Diagnostics diagnostics;
    auto model = load_model(std::move(source), diagnostics, arguments.settings);
    if (!answer_question(model, diagnostics)) return terminal.refuse(diagnostics);
    if (!model) return terminal.refuse(diagnostics);
    for (const std::string& text : arguments.realise)
        model::read_realisations(model->run, text, diagnostics);
    prepare::Options wanted;
    wanted.settings = prepare::read_settings(*model, arguments.settings, diagnostics);
    wanted.until = arguments.until;
    wanted.tolerance = arguments.tolerance;
    wanted.step = arguments.step;
    const auto start = prepare::prepare(*model, wanted, diagnostics);
    const auto times = read_times(arguments.at, diagnostics);
    auto method =
        start ? choose_method(arguments, *model, *start, diagnostics) : motion::MethodOptions{};
    if (!start || diagnostics.has_errors()) return terminal.refuse(diagnostics);
    if (!start->until) {
        diagnostics.report(base::Code::missing_key, "how long? nothing says when the run ends")
            .note("give until = … under [run] in the model, or --until T");
        return terminal.refuse(diagnostics);
    }
    if (options.from && !(*start->until > options.from->time.rounded())) {
        terminal.complain(fmt::format("the motion stands at t = {:.17g} already; --until says how "
                                      "far it goes on",
                                      options.from->time.rounded()));
        return exit_input;
    }
    if (arguments.no_release &&
        (model->contacts.empty() || model->run.contact != model::ContactRealisation::routh)) {
        diagnostics
            .report(base::Code::realisation_impossible,
                    "--no-release stays on x = 0 where the reaction is negative, which only the "
                    "unfolded equations of contact = \"routh\" have as a solution")
            .note("--realise contact=routh, or leave --no-release out");
    }
    const auto branches = read_branches(arguments.branches, *model, diagnostics);
    if (diagnostics.has_errors()) return terminal.refuse(diagnostics);
    auto realised =
        realise::realise(*model, start->point, arguments.layer, !arguments.no_release, branches);
    record::report_refusal(realised, diagnostics);
    realise::report_preloads(*model, realised, diagnostics);
    if (model->run.contact == model::ContactRealisation::elastic)
        realise::report_springs(*model, start->point, start->tolerance, *start->until, diagnostics);
    if (diagnostics.has_errors()) return terminal.refuse(diagnostics);
    if (!realised.missing.empty()) {
        return no_engine(*model, realised.missing,
                         fmt::format("there is no engine for {} yet", realised.missing), terminal);
    }
    if (!motion::available(method.method)) {
        return no_engine(*model, "SUNDIALS",
                         fmt::format("the method {} needs SUNDIALS, and this liaison was built "
                                     "without it; taylor and rk are there",
                                     model::name(method.method)),
                         terminal);
    }
    if (arguments.no_balance) realised.flow = flow::motion_alone(std::move(realised.flow));
    if (!arguments.sensitivity.empty() || arguments.saltation) {
        auto extended = extend_by_sensitivity(*model, wanted, *start, realised.flow,
                                              arguments.sensitivity, diagnostics);
        if (!extended) return terminal.refuse(diagnostics);
        realised.flow = std::move(*extended);
    }
    const auto choice =
        analysis::program_choice(*model, realised.flow, method, *start->until, diagnostics);
    if (diagnostics.has_errors()) return terminal.refuse(diagnostics);
    const double asked = method.step;
    if (choice) {
        realised.flow = analysis::with_choice(std::move(realised.flow), *choice);
        method.step = choice->step;
    }
    terminal.tell(diagnostics);
    flow::Flow& flow = realised.flow;
    if (options.from && (options.from->state.size() != flow.states.size() ||
                         options.from->mode.size() != flow.modes.size())) {
        terminal.complain(fmt::format("{} is the result of another model: its motion has {} states "
                                      "and {} modes, this one {} and {}",
                                      options.from_file, options.from->state.size(),
                                      options.from->mode.size(), flow.states.size(),
                                      flow.modes.size()));
        return exit_input;
    }
    if (options.from) {
        if (const std::string wrong = motion::misfit(*options.from, flow); !wrong.empty()) {
            terminal.complain(fmt::format("{}: where its motion stands does not fit the model: {}",
                                          options.from_file, wrong));
            return exit_input;
        }
    }

    constexpr std::size_t k_grid = 1000;
    record::ExecuteOptions execute;
    execute.until = *start->until;
    execute.tolerance = start->tolerance;
    execute.method = method;
    execute.at = times;
    if (options.samples)
        execute.grid = arguments.samples ? static_cast<std::size_t>(*arguments.samples) : k_grid;
    execute.trace = options.trace;
    execute.pieces = arguments.dense;
    execute.from = options.from ? &*options.from : nullptr;
    execute.interrupt = &interrupt_flag(); // what was computed is kept
    execute.begins = listen_for_interrupts;
    execute.contacts = realised.contacts.get();
    Progress progress(options.from ? options.from->time.rounded() : flow.start_time, execute.until);
    if (terminal.watched()) execute.progress = [&progress](double time) { progress.show(time); };
    record::Run run = record::execute(flow, execute);
    if (realised.contacts) record::share_loads(*realised.contacts, flow, run);
    progress.clear();
    if (method.method == model::Method::stiff || method.method == model::Method::dae) {
        const auto& made = run.trajectory;
        const double mean = (made.time.rounded() - flow.start_time) /
                            static_cast<double>(std::max<std::uint64_t>(made.statistics.steps, 1));
        for (std::string& told : analysis::implicit_damping(*model, start->point, mean))
            run.warnings.push_back(std::move(told));
    }
    for (std::string& told : idle_keys(model->run)) run.warnings.push_back(std::move(told));
    if (!options.from) {
        const auto changes = prepare::start_changes(*model, start->point);
        if (auto told = prepare::projected_start(*model, changes))
            run.warnings.push_back(std::move(*told));
    }
    if (model->run.location == model::Location::none)
        run.warnings.emplace_back(
            "location = \"none\": impacts are neither located nor told, and the order of the method "
            "is lost at each of them; liaison converge --over step=… shows how much");
    if (arguments.no_release)
        run.warnings.emplace_back(
            "--no-release: contacts stay on x = 0 also where their reaction is negative and "
            "they would leave; that solves the unfolded equations and is no motion of the system");
    if (choice) {
        analysis::tell(*choice, run);
        if (method.step != asked)
            run.warnings.push_back(
                asked > 0.0
                    ? fmt::format("the step is {:.6g} instead of {:g}: the tolerances of "
                                  "the constraints need it",
                                  method.step, asked)
                    : fmt::format("the step {:.6g} was chosen from the tolerances", method.step));
    }
    Job job{std::move(run), std::move(flow)};
    record::assign_units(*model, job.flow, job.run);
    job.run.provenance = provenance(*model, arguments, options, terminal, job.run.provenance);
    for (const auto* d : diagnostics.sorted()) {
        job.run.warnings.push_back(d->message);
        job.told.push_back(d->message);
    }
    job.at = times;
    return job;
}

int exit_code(const record::Run& run) {
    switch (run.trajectory.status) {
    case motion::Status::done: return exit_ok;
    case motion::Status::stopped: return exit_stopped;
    case motion::Status::interrupted: return exit_interrupted;
    case motion::Status::unbalanced: return exit_unbalanced;
    }
    return exit_ok;
}

} // namespace liaison::app
