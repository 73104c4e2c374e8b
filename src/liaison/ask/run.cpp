// SPDX-License-Identifier: Apache-2.0
// Prepared, realised, extended by what was asked for, then executed.
#include "liaison/ask/run.hpp"

#include "liaison/analysis/implicit_contact.hpp"
#include "liaison/analysis/program_run.hpp"
#include "liaison/ask/branches.hpp"
#include "liaison/ask/forces_found.hpp"
#include "liaison/ask/provenance.hpp"
#include "liaison/ask/realised.hpp"
#include "liaison/ask/sensitivity.hpp"
#include "liaison/flow/motion_alone.hpp"
#include "liaison/model/realisation_words.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/record/execute.hpp"
#include "liaison/record/model_method.hpp"
#include "liaison/record/shared_load.hpp"
#include "liaison/record/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace liaison::ask {
namespace {

// A question on its way to the motion.
struct Prepared {
    model::Model model;
    prepare::Options options;
    prepare::Start start;
    motion::MethodOptions method;
    RealiseWords words;
};

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

// Whether what is asked for fits the model; reports where it does not.
void check_question(const Prepared& p, const RunQuestion& question,
                    base::Diagnostics& diagnostics) {
    if (!p.start.until) {
        diagnostics.report(base::Code::missing_key, "how long? nothing says when the run ends")
            .note("give until = … under [run] in the model, or --until T");
    } else if (question.from && !(*p.start.until > question.from->time.rounded())) {
        diagnostics
            .report(base::Code::bad_setting,
                    fmt::format("the motion stands at t = {:.17g} already; --until says how far "
                                "it goes on",
                                question.from->time.rounded()))
            .note(fmt::format("it ends at t = {:.17g} as asked", *p.start.until));
    }
    if (!question.release &&
        (p.model.contacts.empty() || p.model.run.contact != model::ContactRealisation::routh)) {
        diagnostics
            .report(base::Code::realisation_impossible,
                    "--no-release stays on x = 0 where the reaction is negative, which only the "
                    "unfolded equations of contact = \"routh\" have as a solution")
            .note("--realise contact=routh, or leave --no-release out");
    }
}

std::optional<Prepared> prepared(const model::Model& given, const RunQuestion& question,
                                 base::Diagnostics& diagnostics) {
    auto model = with_forces_found(given, diagnostics);
    if (!model) return std::nullopt;
    Prepared p{std::move(*model), {}, {}, {}, {}};
    for (const std::string& text : question.realise)
        model::read_realisations(p.model.run, text, diagnostics);
    p.options.settings = read(question.set, p.model, diagnostics);
    p.options.until = question.until;
    p.options.tolerance = question.tolerance;
    p.options.step = question.step;
    auto start = prepare::prepare(p.model, p.options, diagnostics);
    if (!start) return std::nullopt;
    p.start = std::move(*start);
    p.method = record::method_of(p.model, p.start, diagnostics, question.method);
    if (diagnostics.has_errors()) return std::nullopt;
    check_question(p, question, diagnostics);
    p.words = {question.layer, question.release,
               read_branches(question.branches, p.model, diagnostics)};
    if (diagnostics.has_errors()) return std::nullopt;
    return p;
}

// Where an earlier run stood must fit the flow that goes on from there.
void check_standing(const flow::Flow& flow, const RunQuestion& question,
                    base::Diagnostics& diagnostics) {
    if (!question.from) return;
    const motion::Standing& from = *question.from;
    if (from.state.size() != flow.states.size() || from.mode.size() != flow.modes.size()) {
        diagnostics
            .report(base::Code::bad_setting,
                    fmt::format("{} is the result of another model: its motion has {} states and "
                                "{} modes, this one {} and {}",
                                question.from_file, from.state.size(), from.mode.size(),
                                flow.states.size(), flow.modes.size()))
            .note("go on with the model that the file was made of");
        return;
    }
    if (const std::string wrong = motion::misfit(from, flow); !wrong.empty())
        diagnostics
            .report(base::Code::bad_setting,
                    fmt::format("{}: where its motion stands does not fit the model: {}",
                                question.from_file, wrong))
            .note("go on with the model that the file was made of");
}

// What is to be known about a motion beside its own report.
void add_warnings(const Prepared& p, const RunQuestion& question, Motion& motion) {
    std::vector<std::string>& told = motion.run.warnings;
    const auto& made = motion.run.trajectory;
    if (p.method.method == model::Method::stiff || p.method.method == model::Method::dae) {
        const double mean = (made.time.rounded() - motion.flow.start_time) /
                            static_cast<double>(std::max<std::uint64_t>(made.statistics.steps, 1));
        for (std::string& one : analysis::implicit_damping(p.model, p.start.point, mean))
            told.push_back(std::move(one));
    }
    for (std::string& one : idle_keys(p.model.run)) told.push_back(std::move(one));
    if (!question.from) {
        motion.start_changes = prepare::start_changes(p.model, p.start.point);
        if (auto one = prepare::projected_start(p.model, motion.start_changes))
            told.push_back(std::move(*one));
    }
    if (p.model.run.location == model::Location::none)
        told.emplace_back(
            "location = \"none\": impacts are neither located nor told, and the order of the "
            "method is lost at each of them; liaison converge --over step=… shows how much");
    if (!question.release)
        told.emplace_back(
            "--no-release: contacts stay on x = 0 also where their reaction is negative and "
            "they would leave; that solves the unfolded equations and is no motion of the system");
}

void tell_choice(const analysis::ProgramChoice& choice, double asked, double step,
                 record::Run& run) {
    analysis::tell(choice, run);
    if (step == asked) return;
    run.warnings.push_back(
        asked > 0.0 ? fmt::format("the step is {:.6g} instead of {:g}: the tolerances of the "
                                  "constraints need it",
                                  step, asked)
                    : fmt::format("the step {:.6g} was chosen from the tolerances", step));
}

record::ExecuteOptions execution(const Prepared& p, const RunQuestion& question,
                                 const realise::Realisation& realised, const Control& control,
                                 const base::Diagnostics& diagnostics) {
    record::ExecuteOptions execute;
    execute.until = *p.start.until;
    execute.tolerance = p.start.tolerance;
    execute.method = p.method;
    execute.at = question.at;
    execute.grid = question.samples;
    execute.trace = question.trace;
    execute.pieces = question.pieces;
    execute.from = question.from ? &*question.from : nullptr;
    execute.contacts = realised.contacts.get();
    execute.interrupt = control.interrupt;
    execute.begins = [&control, &diagnostics] { control.begin(diagnostics); };
    const double begin = question.from ? question.from->time.rounded() : realised.flow.start_time;
    if (control.progress)
        execute.progress = [&control, begin, end = execute.until](double time) {
            control.progress({"t =", begin, end, time});
        };
    return execute;
}

} // namespace

Answer<Motion> run(const model::Model& model, const RunQuestion& question, const Control& control,
                   base::Diagnostics found) {
    Answer<Motion> answer{{std::move(found), {}, {}, {}}, {}};
    base::Diagnostics& diagnostics = answer.diagnostics;
    auto p = prepared(model, question, diagnostics);
    if (!p) return answer;
    auto made = realised(p->model, p->start, answer, p->words);
    if (!made) return answer;
    if (!motion::available(p->method.method)) {
        answer.missing = "SUNDIALS";
        answer.reason = fmt::format("the method {} needs SUNDIALS, and this liaison was built "
                                    "without it; taylor and rk are there",
                                    model::name(p->method.method));
        return answer;
    }
    flow::Flow& flow = made->flow;
    if (!question.balance) flow = flow::motion_alone(std::move(flow));
    if (!question.sensitivity.empty() || question.saltation) {
        auto extended = extend_by_sensitivity(p->model, p->options, p->start, flow,
                                              question.sensitivity, diagnostics);
        if (!extended) return answer;
        flow = std::move(*extended);
    }
    const auto choice =
        analysis::program_choice(p->model, flow, p->method, *p->start.until, diagnostics);
    if (diagnostics.has_errors()) return answer;
    const double asked = p->method.step;
    if (choice) {
        flow = analysis::with_choice(std::move(flow), *choice);
        p->method.step = choice->step;
    }
    check_standing(flow, question, diagnostics);
    if (diagnostics.has_errors()) return answer;

    record::Run run = record::execute(flow, execution(*p, question, *made, control, diagnostics));
    if (made->contacts) record::share_loads(*made->contacts, flow, run);
    Motion motion{std::move(flow), std::move(run), {}};
    add_warnings(*p, question, motion);
    if (choice) tell_choice(*choice, asked, p->method.step, motion.run);
    record::assign_units(p->model, motion.flow, motion.run);
    complete(motion.run.provenance, p->model, question);
    for (const auto* d : diagnostics.sorted()) motion.run.warnings.push_back(d->message);
    answer.value = std::move(motion);
    return answer;
}

double value(const Motion& motion, std::size_t sample, std::string_view label) {
    const auto& names = motion.run.samples.names();
    const auto found = std::ranges::find(names, label);
    if (found == names.end())
        throw std::out_of_range(fmt::format("there is no quantity `{}`", label));
    return motion.run.samples.at(sample).values[static_cast<std::size_t>(found - names.begin())];
}

} // namespace liaison::ask
